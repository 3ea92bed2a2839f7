-- Every version of every memory, and the current one of each. Writers insert into memory_versions only; the view fills memories.
--
-- No skip indexes and no projections here: both tables are versioned, and either may answer from a version that FINAL drops.
-- fact_value and metadata are canonical JSON in a String: the JSON type drops nulls and lets one row's types break another's
-- query. `shard` is the same expression as in events (domain.ids.shard_of).
CREATE TABLE IF NOT EXISTS {{database}}.memory_versions {{on_cluster}}
(
    tenant_id LowCardinality(String),
    user_id String CODEC(ZSTD(1)),
    scope_tag String CODEC(ZSTD(1)),
    memory_id String CODEC(ZSTD(1)),
    version UInt64,
    rank UInt128,
    kind LowCardinality(String),
    category LowCardinality(String),
    status LowCardinality(String),
    status_at DateTime64(3, 'UTC'),
    status_reason Nullable(String) CODEC(ZSTD(1)),
    content String CODEC(ZSTD(3)),
    summary String CODEC(ZSTD(1)),
    summary_hash String CODEC(ZSTD(1)),
    terms Array(String) CODEC(ZSTD(1)),
    fact_key Nullable(String) CODEC(ZSTD(1)),
    fact_value String CODEC(ZSTD(1)),
    importance Float64,
    pinned Bool,
    agent_id LowCardinality(Nullable(String)),
    visibility LowCardinality(String),
    session_id Nullable(String) CODEC(ZSTD(1)),
    source_event_ids Array(String) CODEC(ZSTD(1)),
    derived_from Array(String) CODEC(ZSTD(1)),
    event_time DateTime64(3, 'UTC'),
    valid_from DateTime64(3, 'UTC'),
    valid_to Nullable(DateTime64(3, 'UTC')),
    recorded_at DateTime64(3, 'UTC'),
    updated_at DateTime64(3, 'UTC'),
    expires_at Nullable(DateTime64(3, 'UTC')),
    superseded_by Nullable(String) CODEC(ZSTD(1)),
    content_hash String CODEC(ZSTD(1)),
    metadata String CODEC(ZSTD(3)),
    speaker LowCardinality(String),
    is_question Bool,
    has_time Bool,
    op LowCardinality(String),
    changed_by String CODEC(ZSTD(1)),
    audit_chain LowCardinality(String),
    audit_seq UInt64,
    shard UInt8 MATERIALIZED toUInt8(
        2 * (position('abcdefghijklmnopqrstuvwxyz234567', substring(scope_tag, 1, 1)) - 1)
        + intDiv(position('abcdefghijklmnopqrstuvwxyz234567', substring(scope_tag, 2, 1)) - 1, 16))
)
ENGINE = {{engine:ReplacingMergeTree}}
ORDER BY (tenant_id, scope_tag, memory_id, version)
SETTINGS index_granularity = 1024,
         fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- The greatest rank of a memory is current, whatever came last. Recall reads one scope of it, of ordinary size some hundred rows:
-- small granules, so that little else is decompressed.
CREATE TABLE IF NOT EXISTS {{database}}.memories {{on_cluster}}
(
    tenant_id LowCardinality(String),
    user_id String CODEC(ZSTD(1)),
    scope_tag String CODEC(ZSTD(1)),
    memory_id String CODEC(ZSTD(1)),
    version UInt64,
    rank UInt128,
    kind LowCardinality(String),
    category LowCardinality(String),
    status LowCardinality(String),
    status_at DateTime64(3, 'UTC'),
    status_reason Nullable(String) CODEC(ZSTD(1)),
    content String CODEC(ZSTD(3)),
    summary String CODEC(ZSTD(1)),
    summary_hash String CODEC(ZSTD(1)),
    terms Array(String) CODEC(ZSTD(1)),
    fact_key Nullable(String) CODEC(ZSTD(1)),
    fact_value String CODEC(ZSTD(1)),
    importance Float64,
    pinned Bool,
    agent_id LowCardinality(Nullable(String)),
    visibility LowCardinality(String),
    session_id Nullable(String) CODEC(ZSTD(1)),
    source_event_ids Array(String) CODEC(ZSTD(1)),
    derived_from Array(String) CODEC(ZSTD(1)),
    event_time DateTime64(3, 'UTC'),
    valid_from DateTime64(3, 'UTC'),
    valid_to Nullable(DateTime64(3, 'UTC')),
    recorded_at DateTime64(3, 'UTC'),
    updated_at DateTime64(3, 'UTC'),
    expires_at Nullable(DateTime64(3, 'UTC')),
    superseded_by Nullable(String) CODEC(ZSTD(1)),
    content_hash String CODEC(ZSTD(1)),
    metadata String CODEC(ZSTD(3)),
    speaker LowCardinality(String),
    is_question Bool,
    has_time Bool,
    op LowCardinality(String),
    changed_by String CODEC(ZSTD(1)),
    audit_chain LowCardinality(String),
    audit_seq UInt64,
    shard UInt8 MATERIALIZED toUInt8(
        2 * (position('abcdefghijklmnopqrstuvwxyz234567', substring(scope_tag, 1, 1)) - 1)
        + intDiv(position('abcdefghijklmnopqrstuvwxyz234567', substring(scope_tag, 2, 1)) - 1, 16))
)
ENGINE = {{engine:ReplacingMergeTree(rank)}}
ORDER BY (tenant_id, scope_tag, memory_id)
SETTINGS index_granularity = 256;

CREATE MATERIALIZED VIEW IF NOT EXISTS {{database}}.memories_mv {{on_cluster}} TO {{database}}.memories AS
SELECT
    tenant_id, user_id, scope_tag, memory_id, version, rank, kind, category, status, status_at, status_reason,
    content, summary, summary_hash, terms, fact_key, fact_value, importance, pinned, agent_id, visibility,
    session_id, source_event_ids, derived_from, event_time, valid_from, valid_to, recorded_at, updated_at,
    expires_at, superseded_by, content_hash, metadata, speaker, is_question, has_time, op, changed_by,
    audit_chain, audit_seq
FROM {{database}}.memory_versions;

-- Vectors of record. A vector belongs to one text (summary_hash) of one generation; old texts keep theirs. Uncompressed:
-- unit-length float vectors do not shrink, and every dense search reads them.
CREATE TABLE IF NOT EXISTS {{database}}.memory_vectors {{on_cluster}}
(
    tenant_id LowCardinality(String),
    user_id String CODEC(ZSTD(1)),
    scope_tag String CODEC(ZSTD(1)),
    generation LowCardinality(String),
    memory_id String CODEC(ZSTD(1)),
    summary_hash String CODEC(ZSTD(1)),
    vector Array(Float32) CODEC(NONE),
    recorded_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
)
ENGINE = {{engine:ReplacingMergeTree}}
ORDER BY (tenant_id, scope_tag, generation, memory_id, summary_hash)
SETTINGS index_granularity = 256;

-- How often and when each memory was used: rows are deltas that add up.
CREATE TABLE IF NOT EXISTS {{database}}.memory_access {{on_cluster}}
(
    tenant_id LowCardinality(String),
    user_id SimpleAggregateFunction(any, String) CODEC(ZSTD(1)),
    scope_tag String CODEC(ZSTD(1)),
    memory_id String CODEC(ZSTD(1)),
    recalled SimpleAggregateFunction(sum, UInt64),
    cited SimpleAggregateFunction(sum, UInt64),
    touched SimpleAggregateFunction(sum, UInt64),
    last_recalled_at SimpleAggregateFunction(max, Nullable(DateTime64(3, 'UTC'))),
    last_cited_at SimpleAggregateFunction(max, Nullable(DateTime64(3, 'UTC'))),
    last_touched_at SimpleAggregateFunction(max, Nullable(DateTime64(3, 'UTC')))
)
ENGINE = {{engine:AggregatingMergeTree}}
ORDER BY (tenant_id, scope_tag, memory_id)
SETTINGS index_granularity = 1024;
