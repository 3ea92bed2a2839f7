-- All visible rows of a scope in one row of arrays, which decode many times faster than rows: the query terms that each holds
-- (1-based, once per occurrence; hit_counts says how many are whose), and what else a ranking weighs. text_keys name the texts
-- whose vectors count; memory_cosines gives the cosines by the same keys.
SELECT groupArray(memory_id) AS memory_ids, groupArray(version) AS versions, groupArray(session) AS sessions,
       groupArray(event_ms) AS event_times, groupArray(length) AS lengths, groupArray(toUInt32(length(hits))) AS hit_counts,
       groupArrayArray(hits) AS hit_terms, groupArray(speaker) AS speakers, groupArray(is_question) AS questions,
       groupArray(has_time) AS timed, groupArray(is_fact) AS facts, groupArray(text_key) AS text_keys
FROM
(
    SELECT memory_id, version, ifNull(session_id, '') AS session, toUnixTimestamp64Milli(event_time) AS event_ms,
           toUInt32(length(terms)) AS length, speaker, is_question, has_time, kind = 'fact' AS is_fact,
           sipHash64(memory_id, summary_hash) AS text_key,
           arrayMap(term -> toUInt16(indexOf({terms:Array(String)}, term)),
                    arrayFilter(term -> has({terms:Array(String)}, term), terms)) AS hits
    FROM memories FINAL
    WHERE tenant_id = {tenant_id:String} AND scope_tag = {scope_tag:String} AND user_id = {user_id:String}
    AND status IN {statuses:Array(String)}
    AND (expires_at IS NULL OR expires_at > fromUnixTimestamp64Milli({now_ms:Int64}, 'UTC'))
    AND (valid_to IS NULL OR valid_to > fromUnixTimestamp64Milli({now_ms:Int64}, 'UTC'))
    AND (visibility = 'shared' OR {sees_private:Bool} OR agent_id = {viewer:Nullable(String)})
    AND (empty({kinds:Array(String)}) OR kind IN {kinds:Array(String)})
    AND (empty({categories:Array(String)}) OR category IN {categories:Array(String)})
    AND event_time >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')
    AND event_time < fromUnixTimestamp64Milli({to_ms:Int64}, 'UTC')
    /*filter*/
)
