-- The TTL removes rows when parts merge, so that day's end is stated here as well.
SELECT tenant_id, user_id, scope_tag, operation_id, route, idempotency_key, body_hash, status, receipt, created_at, version
FROM operations FINAL
WHERE (tenant_id, scope_tag, operation_id) IN {refs:Array(Tuple(String, String, String))} AND created_at > now64(3) - INTERVAL 1 DAY
