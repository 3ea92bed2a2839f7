-- Control data: small, read whole, kept in every process as one snapshot.
-- `secret` is the key, in hex, behind the tenant's scope tags and audit subjects.
CREATE TABLE IF NOT EXISTS {{database}}.tenants {{on_cluster}}
(
    tenant_id String,
    name String,
    secret String,
    policy String,
    created_at DateTime64(3, 'UTC'),
    version UInt64
)
ENGINE = {{engine:ReplacingMergeTree(version)}}
ORDER BY (tenant_id)
SETTINGS index_granularity = 1024,
         fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS {{database}}.api_keys {{on_cluster}}
(
    tenant_id String,
    key_id String,
    key_hash String,
    role LowCardinality(String),
    agent_ids Array(String),
    user_ids Array(String),
    created_at DateTime64(3, 'UTC'),
    expires_at Nullable(DateTime64(3, 'UTC')),
    revoked_at Nullable(DateTime64(3, 'UTC')),
    version UInt64
)
ENGINE = {{engine:ReplacingMergeTree(version)}}
ORDER BY (tenant_id, key_id)
SETTINGS index_granularity = 1024,
         fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS {{database}}.generations {{on_cluster}}
(
    generation String,
    spec String,
    state LowCardinality(String),
    collection String,
    counts String DEFAULT '{}',
    created_at DateTime64(3, 'UTC'),
    version UInt64
)
ENGINE = {{engine:ReplacingMergeTree(version)}}
ORDER BY (generation)
SETTINGS index_granularity = 1024,
         fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- Who may write a shard. Rows of one epoch are renewals: the last one inserted wins.
CREATE TABLE IF NOT EXISTS {{database}}.writer_leases {{on_cluster}}
(
    shard UInt8,
    owner String,
    epoch UInt64,
    until_ms UInt64
)
ENGINE = {{engine:ReplacingMergeTree(epoch)}}
ORDER BY (shard)
SETTINGS index_granularity = 1024,
         fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

-- Journals that writers registered before their first byte.
CREATE TABLE IF NOT EXISTS {{database}}.journals {{on_cluster}}
(
    journal_id String,
    owner String,
    path String,
    state LowCardinality(String),
    events UInt64,
    opened_at DateTime64(3, 'UTC'),
    updated_at DateTime64(3, 'UTC'),
    version UInt64
)
ENGINE = {{engine:ReplacingMergeTree(version)}}
ORDER BY (journal_id)
SETTINGS index_granularity = 1024,
         fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
