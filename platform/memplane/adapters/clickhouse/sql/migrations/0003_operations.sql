-- Writes and their answers, for repeats of keyed requests. Kept for a day.
CREATE TABLE IF NOT EXISTS {{database}}.operations {{on_cluster}}
(
    tenant_id LowCardinality(String),
    user_id String CODEC(ZSTD(1)),
    scope_tag String CODEC(ZSTD(1)),
    operation_id String CODEC(ZSTD(1)),
    route LowCardinality(String),
    idempotency_key String CODEC(ZSTD(1)),
    body_hash String CODEC(ZSTD(1)),
    status LowCardinality(String),
    receipt String CODEC(ZSTD(3)),
    created_at DateTime64(3, 'UTC'),
    version UInt64
)
ENGINE = {{engine:ReplacingMergeTree(version)}}
ORDER BY (tenant_id, scope_tag, operation_id)
TTL toDateTime(created_at) + INTERVAL 1 DAY
SETTINGS index_granularity = 1024,
         fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- One session's state, summary and standing.
CREATE TABLE IF NOT EXISTS {{database}}.sessions {{on_cluster}}
(
    tenant_id LowCardinality(String),
    user_id String CODEC(ZSTD(1)),
    scope_tag String CODEC(ZSTD(1)),
    session_id String CODEC(ZSTD(1)),
    agent_id LowCardinality(Nullable(String)),
    state String CODEC(ZSTD(3)),
    summary String CODEC(ZSTD(3)),
    turn_count UInt32,
    status LowCardinality(String),
    created_at DateTime64(3, 'UTC'),
    updated_at DateTime64(3, 'UTC'),
    expires_at Nullable(DateTime64(3, 'UTC')),
    version UInt64
)
ENGINE = {{engine:ReplacingMergeTree(version)}}
ORDER BY (tenant_id, scope_tag, session_id)
SETTINGS index_granularity = 1024;
