-- One row per recall: which way it went, what it found, how long each stage took. No query text.
CREATE TABLE IF NOT EXISTS {{database}}.recall_log {{on_cluster}}
(
    tenant_id LowCardinality(String),
    user_id String CODEC(ZSTD(1)),
    scope_tag String CODEC(ZSTD(1)),
    at DateTime64(3, 'UTC'),
    trace_id String CODEC(ZSTD(1)),
    agent_id LowCardinality(Nullable(String)),
    session_id Nullable(String) CODEC(ZSTD(1)),
    route LowCardinality(String),
    plan LowCardinality(String),
    generation LowCardinality(String),
    arms Array(LowCardinality(String)),
    memory_ids Array(String) CODEC(ZSTD(1)),
    scores Array(Float32),
    stage_ms Map(LowCardinality(String), Float32),
    took_ms Float32,
    degraded Array(LowCardinality(String))
)
ENGINE = {{engine:MergeTree}}
PARTITION BY toYYYYMM(at)
ORDER BY (tenant_id, scope_tag, at)
TTL toDateTime(at) + INTERVAL 90 DAY
SETTINGS index_granularity = 1024, ttl_only_drop_parts = 1;
