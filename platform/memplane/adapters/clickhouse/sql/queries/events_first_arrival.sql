-- Across tenants: the oldest arrival at or after a moment, from the projection by arrival. NULL when there is none.
SELECT toUnixTimestamp64Milli(minOrNull(received_at))
FROM events
WHERE received_at >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND received_at < fromUnixTimestamp64Milli({before_ms:Int64}, 'UTC')
