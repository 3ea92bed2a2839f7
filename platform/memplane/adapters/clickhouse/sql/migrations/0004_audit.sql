-- The audit chains, one per (tenant, shard). The hash is part of the key: a repeated insert collapses, a fork stays visible.
-- Not partitioned: a chain is read along its key, across all of its time.
CREATE TABLE IF NOT EXISTS {{database}}.audit_log {{on_cluster}}
(
    tenant_id LowCardinality(String),
    shard UInt8,
    seq UInt64,
    hash String CODEC(ZSTD(1)),
    prev_hash String CODEC(ZSTD(1)),
    at DateTime64(3, 'UTC'),
    actor String CODEC(ZSTD(1)),
    action LowCardinality(String),
    target String CODEC(ZSTD(1)),
    reason String CODEC(ZSTD(1)),
    trace_id String CODEC(ZSTD(1)),
    subject_hmac String CODEC(ZSTD(1)),
    before_hmac String CODEC(ZSTD(1)),
    after_hmac String CODEC(ZSTD(1)),
    version UInt64
)
ENGINE = {{engine:ReplacingMergeTree}}
ORDER BY (tenant_id, shard, seq, hash)
SETTINGS index_granularity = 1024,
         fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
