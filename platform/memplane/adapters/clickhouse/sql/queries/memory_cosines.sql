-- The cosine with the query of every vector of a scope in one embedding space, by the text it belongs to. Repeats that are not
-- merged yet are alike.
SELECT groupArray(sipHash64(memory_id, summary_hash)) AS text_keys,
       groupArray(1 - cosineDistance(vector, reinterpret(unhex({vector:String}), 'Array(Float32)'))) AS cosines
FROM memory_vectors
WHERE tenant_id = {tenant_id:String} AND scope_tag = {scope_tag:String} AND user_id = {user_id:String}
  AND generation = {generation:String} AND length(vector) = {dim:UInt32}
