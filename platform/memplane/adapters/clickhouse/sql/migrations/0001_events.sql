-- Raw turns and business events, verbatim, and what became of each.
--
-- `shard` restates domain.ids.shard_of: the top six bits of the base32 tag are the first character's five bits and the
-- second character's highest. Shards cannot be key ranges of the tag (in the base32 alphabet digits come after letters, in
-- byte order before them), so the number is stored; it compresses to nothing.
--
-- Both projections order keys by time, so that looking for events without an outcome reads the last days and never the whole
-- log. A skip index on received_at would not help: merged parts are in order of the key, and every granule spans all times.
-- `key_hash` stands for the key in that comparison: 16 bytes instead of three strings (six times faster at a million events).
-- Projections are read only without FINAL, so what a merge has not yet collapsed is seen, as in the table itself.
--
-- fsync: what an answer called durable survives a loss of power, also after the first merge has replaced the part it came in.
CREATE TABLE IF NOT EXISTS {{database}}.events {{on_cluster}}
(
    tenant_id LowCardinality(String),
    user_id String CODEC(ZSTD(1)),
    scope_tag String CODEC(ZSTD(1)),
    event_id String CODEC(ZSTD(1)),
    seq UInt64,
    role LowCardinality(String),
    content String CODEC(ZSTD(3)),
    agent_id LowCardinality(Nullable(String)),
    session_id Nullable(String) CODEC(ZSTD(1)),
    event_time DateTime64(3, 'UTC'),
    received_at DateTime64(3, 'UTC'),
    metadata String CODEC(ZSTD(3)),
    operation_id String CODEC(ZSTD(1)),
    item_index UInt32,
    origin LowCardinality(String),
    directives String CODEC(ZSTD(3)),
    shard UInt8 MATERIALIZED toUInt8(
        2 * (position('abcdefghijklmnopqrstuvwxyz234567', substring(scope_tag, 1, 1)) - 1)
        + intDiv(position('abcdefghijklmnopqrstuvwxyz234567', substring(scope_tag, 2, 1)) - 1, 16)),
    key_hash UInt128 MATERIALIZED reinterpretAsUInt128(sipHash128(tenant_id, scope_tag, event_id)) CODEC(NONE),
    PROJECTION by_arrival
    (
        SELECT tenant_id, scope_tag, event_id, shard, key_hash, received_at
        ORDER BY received_at
    )
)
ENGINE = {{engine:ReplacingMergeTree}}
ORDER BY (tenant_id, scope_tag, event_id)
SETTINGS index_granularity = 1024,
         deduplicate_merge_projection_mode = 'rebuild',
         lightweight_mutation_projection_mode = 'rebuild',
         fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- Final outcomes carry the greatest attempt_version (domain.memory.FINAL_ATTEMPT_BIT), so that the last word stays.
CREATE TABLE IF NOT EXISTS {{database}}.event_outcomes {{on_cluster}}
(
    tenant_id LowCardinality(String),
    user_id String CODEC(ZSTD(1)),
    scope_tag String CODEC(ZSTD(1)),
    event_id String CODEC(ZSTD(1)),
    operation_id String CODEC(ZSTD(1)),
    attempt_version UInt64,
    state LowCardinality(String),
    item_outcome LowCardinality(String),
    reason Nullable(String) CODEC(ZSTD(1)),
    memory_ids Array(String) CODEC(ZSTD(1)),
    attempts UInt32,
    next_try_at Nullable(DateTime64(3, 'UTC')),
    recorded_at DateTime64(3, 'UTC'),
    key_hash UInt128 MATERIALIZED reinterpretAsUInt128(sipHash128(tenant_id, scope_tag, event_id)) CODEC(NONE),
    PROJECTION by_time
    (
        SELECT tenant_id, key_hash, state, attempt_version, next_try_at, recorded_at
        ORDER BY recorded_at
    )
)
ENGINE = {{engine:ReplacingMergeTree(attempt_version)}}
ORDER BY (tenant_id, scope_tag, event_id)
SETTINGS index_granularity = 1024,
         deduplicate_merge_projection_mode = 'rebuild',
         lightweight_mutation_projection_mode = 'rebuild';
