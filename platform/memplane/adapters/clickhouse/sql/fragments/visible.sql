tenant_id = {tenant_id:String} AND scope_tag = {scope_tag:String} AND user_id = {user_id:String}
AND status IN {statuses:Array(String)}
AND (expires_at IS NULL OR expires_at > fromUnixTimestamp64Milli({now_ms:Int64}, 'UTC'))
AND (valid_to IS NULL OR valid_to > fromUnixTimestamp64Milli({now_ms:Int64}, 'UTC'))
AND (visibility = 'shared' OR {sees_private:Bool} OR agent_id = {viewer:Nullable(String)})
AND (empty({kinds:Array(String)}) OR kind IN {kinds:Array(String)})
AND (empty({categories:Array(String)}) OR category IN {categories:Array(String)})
AND event_time >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')
AND event_time < fromUnixTimestamp64Milli({to_ms:Int64}, 'UTC')
/*filter*/
