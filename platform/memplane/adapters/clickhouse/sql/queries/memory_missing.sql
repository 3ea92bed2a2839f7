-- Across tenants, by shard: the greatest-ranked recent version of each memory that the current table does not hold, nor a greater one.
-- A materialized view is no transaction: when it fails, the version stays and its current row is missing.
WITH recent AS
(
    SELECT tenant_id, scope_tag, memory_id, max(rank) AS newest
    FROM memory_versions
    WHERE shard IN {shards:Array(UInt8)} AND recorded_at >= fromUnixTimestamp64Milli({since_ms:Int64}, 'UTC')
    GROUP BY tenant_id, scope_tag, memory_id
)
SELECT tenant_id, user_id, scope_tag, memory_id, version, rank, kind, category, status, status_at, status_reason, content, summary,
       summary_hash, terms, fact_key, fact_value, importance, pinned, agent_id, visibility, session_id, source_event_ids, derived_from,
       event_time, valid_from, valid_to, recorded_at, updated_at, expires_at, superseded_by, content_hash, metadata, speaker,
       is_question, has_time, op, changed_by,
       audit_chain, audit_seq
FROM memory_versions
WHERE (tenant_id, scope_tag, memory_id, rank) IN
(
    SELECT tenant_id, scope_tag, memory_id, max(newest) AS wanted
    FROM
    (
        SELECT tenant_id, scope_tag, memory_id, newest, toUInt128(0) AS held, toUInt8(0) AS is_held FROM recent
        UNION ALL
        SELECT tenant_id, scope_tag, memory_id, toUInt128(0) AS newest, rank AS held, toUInt8(1) AS is_held
        FROM memories
        WHERE (tenant_id, scope_tag, memory_id) IN (SELECT tenant_id, scope_tag, memory_id FROM recent)
    )
    GROUP BY tenant_id, scope_tag, memory_id
    HAVING max(is_held) = 0 OR wanted > max(held)
    ORDER BY tenant_id, scope_tag, memory_id
    LIMIT {limit:UInt32}
)
LIMIT 1 BY tenant_id, scope_tag, memory_id
