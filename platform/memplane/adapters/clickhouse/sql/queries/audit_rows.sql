-- A fork shows as two rows of one seq; a repeated insert as one.
SELECT tenant_id, shard, seq, hash, prev_hash, at, actor, action, target, reason, trace_id, subject_hmac, before_hmac, after_hmac,
       version
FROM audit_log
WHERE tenant_id = {tenant_id:String} AND shard = {shard:UInt8} AND seq > {after_seq:UInt64}
ORDER BY seq, hash
LIMIT 1 BY seq, hash
LIMIT {limit:UInt64}
