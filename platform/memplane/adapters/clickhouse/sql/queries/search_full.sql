-- All visible rows of a scope with every column, and the query terms that each holds (1-based, once per occurrence): for scopes
-- of ordinary size one such read is cheaper than search_scope and search_hydrate together.
SELECT tenant_id, user_id, scope_tag, memory_id, version, rank, kind, category, status, status_at, status_reason, content, summary,
       summary_hash, terms, fact_key, fact_value, importance, pinned, agent_id, visibility, session_id, source_event_ids, derived_from,
       event_time, valid_from, valid_to, recorded_at, updated_at, expires_at, superseded_by, content_hash, metadata, speaker,
       is_question, has_time, op, changed_by,
       audit_chain, audit_seq,
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
