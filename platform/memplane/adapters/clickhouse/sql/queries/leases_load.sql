-- By shard, whatever the tenant. Of one epoch's rows the last inserted is the current one: a release ends earlier than its lease.
SELECT shard, owner, epoch, until_ms
FROM writer_leases FINAL
ORDER BY shard
