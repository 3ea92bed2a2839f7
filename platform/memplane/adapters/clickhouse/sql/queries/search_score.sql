-- Statistics over all visible rows of a scope, and the given ones of these rows with their neighbours' sums (domain.bm25) and cosine.
SELECT count() AS rows, sum(length) AS total_length, sum(near_length) AS total_near_length,
       sumForEach(arrayMap(count -> count > 0, counts)) AS row_frequencies,
       groupArrayIf((memory_id, version, session_id, event_ms, length, counts, near_length, near_counts, similarity), wanted) AS scored
FROM
(
    SELECT memory_id, version, session_id, event_ms, length, counts, similarity, wanted,
           sum(length) OVER near AS near_length, sumForEach(counts) OVER near AS near_counts
    FROM
    (
        SELECT memory_id, version, session_id, event_time, toUnixTimestamp64Milli(event_time) AS event_ms, length(terms) AS length,
               arrayFilter(term -> has({terms:Array(String)}, term), terms) AS hits,
               arrayMap(term -> countEqual(hits, term), {terms:Array(String)}) AS counts,
               memory_id IN {memory_ids:Array(String)} AS wanted,
               if(kind = 'fact', '', summary_hash) AS text_hash
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
    ) AS visible
    LEFT ANY JOIN
    (
        SELECT memory_id, summary_hash AS text_hash,
               toNullable(1 - cosineDistance(vector, reinterpret(unhex({vector:String}), 'Array(Float32)'))) AS similarity
        FROM memory_vectors
        WHERE tenant_id = {tenant_id:String} AND scope_tag = {scope_tag:String} AND user_id = {user_id:String}
          AND generation = {generation:String} AND length(vector) = {dim:UInt32} AND memory_id IN {memory_ids:Array(String)}
    ) AS vectors USING (memory_id, text_hash)
    -- A row without a session is alone in its window.
    WINDOW near AS (PARTITION BY session_id, if(session_id IS NULL, memory_id, '') ORDER BY event_time, version
                    ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING)
)
