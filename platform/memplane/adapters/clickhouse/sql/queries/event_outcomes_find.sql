SELECT tenant_id, user_id, scope_tag, event_id, operation_id, attempt_version, state, item_outcome, reason, memory_ids, attempts,
       next_try_at, recorded_at
FROM event_outcomes FINAL
WHERE (tenant_id, scope_tag, event_id) IN {refs:Array(Tuple(String, String, String))}
