"""The engine's configuration files: the grants that keep statements inside the data directory.

chdb refuses CREATE USER and GRANT, yet reads users from a configuration file. The single engine user is granted what
the stores need and nothing that reads or writes outside: no READ or WRITE on any source, no other table engine.
"""

from pathlib import Path
from xml.sax.saxutils import escape

DATABASE = "memplane"
"""The database of requests that name none. The engine's `default` database maps file names to tables; it is refused."""

_TABLE_ENGINES = (
    "MergeTree", "ReplacingMergeTree", "SummingMergeTree", "AggregatingMergeTree", "CollapsingMergeTree",
    "VersionedCollapsingMergeTree", "CoalescingMergeTree", "Memory", "Null", "Set", "Join", "Buffer", "Merge",
    "View", "MaterializedView", "Log", "TinyLog", "StripeLog",
)  # fmt: skip
_GRANTS = (
    "SELECT", "INSERT", "ALTER", "CREATE DATABASE", "CREATE TABLE", "CREATE VIEW", "DROP", "UNDROP TABLE", "TRUNCATE",
    "OPTIMIZE", "CHECK", "SHOW", "KILL QUERY", "SYSTEM MERGES", "SYSTEM TTL MERGES", "SYSTEM MOVES", "SYSTEM FLUSH",
)  # fmt: skip

_MAIN = """<clickhouse>
  <users_config>{users}</users_config>
  <user_files_path>{files}</user_files_path>
</clickhouse>
"""

_USERS = """<clickhouse>
  <profiles>
    <default>
      <constraints>
        <format_schema><const/></format_schema>
        <output_format_schema><const/></output_format_schema>
        <format_template_row><const/></format_template_row>
        <format_template_resultset><const/></format_template_resultset>
        <implicit_select><const/></implicit_select>
      </constraints>
    </default>
  </profiles>
  <quotas><default/></quotas>
  <users>
    <default>
      <password></password>
      <networks><ip>127.0.0.1</ip><ip>::1</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <grants>
        <query>GRANT {grants} ON *.*</query>
        <query>GRANT {engines}</query>
      </grants>
    </default>
  </users>
</clickhouse>
"""


def write_config(data_dir: Path) -> str:
    """Write the files into `data_dir` (absolute, existing) and return the engine's connection string.

    Raises ValueError for a directory whose name the connection string cannot carry.
    """
    if set(str(data_dir)) & set("?&%#+=;"):
        raise ValueError(f"data directory {str(data_dir)!r} must not contain any of ?&%#+=;")
    files = data_dir / "user_files"
    files.mkdir(mode=0o700, exist_ok=True)
    main, users = data_dir / "config.xml", data_dir / "users.xml"
    engines = ", ".join(f"TABLE ENGINE ON {name}" for name in _TABLE_ENGINES)
    main.write_text(_MAIN.format(users=escape(str(users)), files=escape(f"{files}/")), encoding="utf-8")
    users.write_text(_USERS.format(grants=", ".join(_GRANTS), engines=engines), encoding="utf-8")
    return f"{data_dir / 'store'}?config-file={main}"
