-- Across tenants, by shard, in key order from behind the last row of the page before.
SELECT tenant_id, user_id, scope_tag, memory_id, version, rank, kind, category, status, status_at, status_reason, content, summary,
       summary_hash, terms, fact_key, fact_value, importance, pinned, agent_id, visibility, session_id, source_event_ids, derived_from,
       event_time, valid_from, valid_to, recorded_at, updated_at, expires_at, superseded_by, content_hash, metadata, speaker,
       is_question, has_time, op, changed_by,
       audit_chain, audit_seq
FROM memories FINAL
WHERE shard IN {shards:Array(UInt8)}
  AND updated_at >= fromUnixTimestamp64Milli({since_ms:Int64}, 'UTC')
  AND tenant_id >= {after_tenant:String}
  AND (tenant_id, scope_tag, memory_id) > ({after_tenant:String}, {after_tag:String}, {after_id:String})
ORDER BY tenant_id, scope_tag, memory_id
LIMIT {limit:UInt32}
