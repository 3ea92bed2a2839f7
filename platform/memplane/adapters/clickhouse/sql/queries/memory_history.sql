-- The newest versions below `before`, newest first.
SELECT tenant_id, user_id, scope_tag, memory_id, version, rank, kind, category, status, status_at, status_reason, content, summary,
       summary_hash, terms, fact_key, fact_value, importance, pinned, agent_id, visibility, session_id, source_event_ids, derived_from,
       event_time, valid_from, valid_to, recorded_at, updated_at, expires_at, superseded_by, content_hash, metadata, speaker,
       is_question, has_time, op, changed_by,
       audit_chain, audit_seq
FROM memory_versions FINAL
WHERE tenant_id = {tenant_id:String} AND scope_tag = {scope_tag:String} AND user_id = {user_id:String}
  AND memory_id = {memory_id:String} AND ({before:Nullable(UInt64)} IS NULL OR version < {before:Nullable(UInt64)})
ORDER BY version DESC
LIMIT {limit:UInt64}
