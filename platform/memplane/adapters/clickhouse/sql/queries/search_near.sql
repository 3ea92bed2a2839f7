-- Given and fresh rows, and those within four places of them in their sessions, packed as in search_scope, with each row's place; and the
-- statistics of all visible rows of the scope.
SELECT groupArrayIf(memory_id, near) AS memory_ids, groupArrayIf(version, near) AS versions,
       groupArrayIf(session, near) AS sessions, groupArrayIf(event_ms, near) AS event_times,
       groupArrayIf(length, near) AS lengths, groupArrayIf(toUInt32(length(hits)), near) AS hit_counts,
       groupArrayArrayIf(hits, near) AS hit_terms, groupArrayIf(speaker, near) AS speakers,
       groupArrayIf(is_question, near) AS questions, groupArrayIf(has_time, near) AS timed,
       groupArrayIf(kind = 'fact', near) AS facts, groupArrayIf(text_key, near) AS text_keys,
       groupArrayIf(place, near) AS places,
       count() AS total_rows, sum(length) AS total_length,
       sumForEach(arrayMap(term -> has(hits, term), range(1, length({terms:Array(String)}) + 1))) AS row_frequencies
FROM
(
    SELECT *, max(wanted) OVER (PARTITION BY session, alone ORDER BY event_ms, version
                                ROWS BETWEEN 4 PRECEDING AND 4 FOLLOWING) AS near,
           row_number() OVER (PARTITION BY session, alone ORDER BY event_ms, version) AS place
    FROM
    (
        SELECT memory_id, version, ifNull(session_id, '') AS session, toUnixTimestamp64Milli(event_time) AS event_ms,
               toUInt32(length(terms)) AS length, speaker, is_question, has_time,
               arrayMap(term -> toUInt16(indexOf({terms:Array(String)}, term)),
                        arrayFilter(term -> has({terms:Array(String)}, term), terms)) AS hits,
               -- A row without a session is alone in its window.
               if(session = '', memory_id, '') AS alone,
               greatest(memory_id IN {memory_ids:Array(String)}, updated_at >= fromUnixTimestamp64Milli({fresh_ms:Int64}, 'UTC')) AS wanted,
               kind, sipHash64(memory_id, summary_hash) AS text_key
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
)
