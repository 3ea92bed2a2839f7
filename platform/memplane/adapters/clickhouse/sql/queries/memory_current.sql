SELECT tenant_id, user_id, scope_tag, memory_id, version, rank, kind, category, status, status_at, status_reason, content, summary,
       summary_hash, terms, fact_key, fact_value, importance, pinned, agent_id, visibility, session_id, source_event_ids, derived_from,
       event_time, valid_from, valid_to, recorded_at, updated_at, expires_at, superseded_by, content_hash, metadata, speaker,
       is_question, has_time, op, changed_by,
       audit_chain, audit_seq
FROM memories FINAL
WHERE (tenant_id, scope_tag, memory_id) IN {refs:Array(Tuple(String, String, String))}
