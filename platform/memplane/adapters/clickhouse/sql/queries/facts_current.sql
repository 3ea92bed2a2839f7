-- Newest first, from below the last row of the page before.
SELECT tenant_id, user_id, scope_tag, memory_id, version, rank, kind, category, status, status_at, status_reason, content, summary,
       summary_hash, terms, fact_key, fact_value, importance, pinned, agent_id, visibility, session_id, source_event_ids, derived_from,
       event_time, valid_from, valid_to, recorded_at, updated_at, expires_at, superseded_by, content_hash, metadata, speaker,
       is_question, has_time, op, changed_by,
       audit_chain, audit_seq
FROM memories FINAL
WHERE tenant_id = {tenant_id:String} AND scope_tag = {scope_tag:String} AND user_id = {user_id:String}
  AND kind = 'fact' AND status = 'active'
  AND (expires_at IS NULL OR expires_at > fromUnixTimestamp64Milli({as_of_ms:Int64}, 'UTC'))
  AND (valid_to IS NULL OR valid_to > fromUnixTimestamp64Milli({as_of_ms:Int64}, 'UTC'))
  AND (visibility = 'shared' OR {sees_private:Bool} OR agent_id = {viewer:Nullable(String)})
  AND startsWith(ifNull(fact_key, ''), {key_prefix:String})
  AND (empty({memory_ids:Array(String)}) OR memory_id IN {memory_ids:Array(String)})
  AND (NOT {continued:Bool}
       OR valid_from < fromUnixTimestamp64Milli({after_ms:Int64}, 'UTC')
       OR (valid_from = fromUnixTimestamp64Milli({after_ms:Int64}, 'UTC') AND memory_id < {after_id:String}))
ORDER BY valid_from DESC, memory_id DESC
LIMIT {limit:UInt32}
