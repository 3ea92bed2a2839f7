SELECT memory_id, sum(recalled) AS recalled, max(last_recalled_at) AS last_recalled_at, max(last_cited_at) AS last_cited_at,
       max(last_touched_at) AS last_touched_at
FROM memory_access
WHERE tenant_id = {tenant_id:String} AND scope_tag = {scope_tag:String}
GROUP BY memory_id
