SELECT seq, hash
FROM audit_log
WHERE tenant_id = {tenant_id:String} AND shard = {shard:UInt8}
ORDER BY seq DESC, hash
LIMIT 1
