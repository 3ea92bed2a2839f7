-- Across tenants, by shard. Keys only, from the projections by time; events_find reads the rows.
-- An outcome is recorded after its event was received, give or take the clocks of two machines (an hour is allowed).
-- `due` first: keys whose latest outcome is a failure past its time. Failures are few, so the large set is built once.
WITH
    fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AS window_start,
    fromUnixTimestamp64Milli({before_ms:Int64}, 'UTC') AS window_end,
    fromUnixTimestamp64Milli({now_ms:Int64}, 'UTC') AS at,
    due AS
    (
        SELECT key_hash
        FROM event_outcomes
        WHERE recorded_at >= window_start - INTERVAL 1 HOUR AND key_hash IN
        (
            SELECT key_hash
            FROM event_outcomes
            WHERE recorded_at >= window_start - INTERVAL 1 HOUR AND state = 'failed' AND next_try_at <= at
        )
        GROUP BY key_hash
        HAVING argMax(state = 'failed' AND ifNull(next_try_at <= at, false), attempt_version)
    )
SELECT tenant_id, scope_tag, event_id
FROM events
WHERE received_at >= window_start AND received_at < window_end AND shard IN {shards:Array(UInt8)} AND key_hash NOT IN
(
    SELECT key_hash
    FROM event_outcomes
    WHERE recorded_at >= window_start - INTERVAL 1 HOUR AND key_hash NOT IN due
)
ORDER BY received_at, key_hash
LIMIT 1 BY key_hash
LIMIT {limit:UInt64}
