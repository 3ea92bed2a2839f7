-- Repeats of a vector not yet merged are alike: one of each.
SELECT memory_id, vector
FROM memory_vectors
WHERE (tenant_id, scope_tag, user_id, memory_id, summary_hash) IN {texts:Array(Tuple(String, String, String, String, String))}
  AND generation = {generation:String} AND notEmpty(vector)
LIMIT 1 BY tenant_id, scope_tag, memory_id
