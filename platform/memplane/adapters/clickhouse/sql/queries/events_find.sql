-- Rows of an event are identical, so one of each is as good as FINAL.
SELECT tenant_id, user_id, scope_tag, event_id, seq, role, content, agent_id, session_id, event_time, received_at, metadata,
       operation_id, item_index, origin, directives
FROM events
WHERE (tenant_id, scope_tag, event_id) IN {refs:Array(Tuple(String, String, String))}
LIMIT 1 BY tenant_id, scope_tag, event_id
