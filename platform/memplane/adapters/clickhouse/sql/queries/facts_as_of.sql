-- What was true at as_of, as recorded by known_at: of each fact the greatest (valid_from, version) by then.
-- `next_from` is when the fact's next value took over, NULL where none was known. Repeated rows of a version are identical, so
-- one of each is as good as FINAL.
WITH
    fromUnixTimestamp64Milli({as_of_ms:Int64}, 'UTC') AS as_of,
    fromUnixTimestamp64Milli({known_at_ms:Int64}, 'UTC') AS known_at,
    following AS
    (
        SELECT memory_id, minOrNull(valid_from) AS next_from
        FROM memory_versions
        WHERE tenant_id = {tenant_id:String} AND scope_tag = {scope_tag:String} AND user_id = {user_id:String}
          AND (empty({memory_ids:Array(String)}) OR memory_id IN {memory_ids:Array(String)})
          AND kind = 'fact' AND recorded_at <= known_at AND valid_from > as_of
        GROUP BY memory_id
    ),
    standing AS
    (
        SELECT tenant_id, user_id, scope_tag, memory_id, version, rank, kind, category, status, status_at, status_reason, content,
               summary, summary_hash, terms, fact_key, fact_value, importance, pinned, agent_id, visibility, session_id,
               source_event_ids, derived_from, event_time, valid_from, valid_to, recorded_at, updated_at, expires_at,
               superseded_by, content_hash, metadata, speaker, is_question, has_time, op, changed_by, audit_chain, audit_seq
        FROM memory_versions
        WHERE tenant_id = {tenant_id:String} AND scope_tag = {scope_tag:String} AND user_id = {user_id:String}
          AND (empty({memory_ids:Array(String)}) OR memory_id IN {memory_ids:Array(String)})
          AND kind = 'fact' AND recorded_at <= known_at AND valid_from <= as_of
          AND startsWith(ifNull(fact_key, ''), {key_prefix:String})
        ORDER BY valid_from DESC, version DESC
        LIMIT 1 BY memory_id
    )
SELECT standing.*, following.next_from AS next_from
FROM standing
LEFT JOIN following ON following.memory_id = standing.memory_id
WHERE status IN ('active', 'superseded')
  AND (expires_at IS NULL OR expires_at > as_of)
  AND (valid_to IS NULL OR valid_to > as_of)
  AND (visibility = 'shared' OR {sees_private:Bool} OR agent_id = {viewer:Nullable(String)})
  AND (NOT {continued:Bool}
       OR valid_from < fromUnixTimestamp64Milli({after_ms:Int64}, 'UTC')
       OR (valid_from = fromUnixTimestamp64Milli({after_ms:Int64}, 'UTC') AND memory_id < {after_id:String}))
ORDER BY valid_from DESC, memory_id DESC
LIMIT {limit:UInt32}
