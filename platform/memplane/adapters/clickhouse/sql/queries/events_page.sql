-- Newest first, from below the last row of the page before. An event of a private memory says so in its directives.
SELECT tenant_id, user_id, scope_tag, event_id, seq, role, content, agent_id, session_id, event_time, received_at, metadata,
       operation_id, item_index, origin, directives
FROM events FINAL
WHERE tenant_id = {tenant_id:String} AND scope_tag = {scope_tag:String} AND user_id = {user_id:String}
  AND ({session_id:Nullable(String)} IS NULL OR session_id = {session_id:Nullable(String)})
  AND (empty({roles:Array(String)}) OR role IN {roles:Array(String)})
  AND event_time >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')
  AND event_time < fromUnixTimestamp64Milli({to_ms:Int64}, 'UTC')
  AND (JSONExtractString(directives, 'visibility') != 'private' OR {sees_private:Bool} OR agent_id = {viewer:Nullable(String)})
  AND (NOT {continued:Bool}
       OR event_time < fromUnixTimestamp64Milli({after_ms:Int64}, 'UTC')
       OR (event_time = fromUnixTimestamp64Milli({after_ms:Int64}, 'UTC')
           AND (seq, event_id) < ({after_seq:UInt64}, {after_id:String})))
ORDER BY event_time DESC, seq DESC, event_id DESC
LIMIT {limit:UInt32}
