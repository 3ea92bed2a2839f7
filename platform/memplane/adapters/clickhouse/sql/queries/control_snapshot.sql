-- All tenants' control data in one answer, so that no reader sees a key without its tenant.
SELECT
    (
        SELECT groupArray((tenant_id, name, secret, policy, created_at, version))
        FROM tenants FINAL
    ) AS tenants,
    (
        SELECT groupArray((key_id, tenant_id, key_hash, role, agent_ids, user_ids, created_at, expires_at, revoked_at, version))
        FROM api_keys FINAL
    ) AS api_keys,
    (
        SELECT groupArray((generation, spec, state, collection, created_at, version))
        FROM generations FINAL
    ) AS generations
