"""A node seen from outside: its files through `sqlite3`, its links through `ss`."""

import subprocess
from pathlib import Path

from lan.network import Host
from processes import run
from waggle import Node

# A batch's own number: the low 40 bits of its id. The high bits are its log's local number.
NUMBER = "({0} & 1099511627775)"
LOG = "(SELECT hex(device) || '/' || hex(branch) FROM log WHERE number = {0})"
SPACE = "(SELECT hex(id) FROM space WHERE number = t.space)"
# Local to one replica: when a batch arrived, and which of its signatures are kept.
LOCAL_COLUMNS = {"arrived", "signature", "collection"}
CORE_TABLES = ["register", "element", "removed", "waiting", "held", "void"]
# The indexes of words and locations in a replica, whose rows are numbered locally.
INDEX_TABLES = ("_search", "_found", "_near")


def sqlite(home: Path, sql: str) -> list[str]:
    """The rows of a query on a node's database, columns separated by bars."""
    done = subprocess.run(
        ["sqlite3", "-readonly", "-batch", "-cmd", ".timeout 5000",
         str(home / "replica.db"), sql],
        capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise RuntimeError(f"sqlite3 {home.name}: {done.stderr.strip()}")
    return done.stdout.splitlines()


def portable(column: str) -> str:
    """A column as every replica has it: local numbers are replaced by the ids they mean."""
    if column == "space":
        return SPACE
    if column == "log":
        return LOG.format("t.log")
    if column == "batch":
        return f"{LOG.format('t.batch >> 40')} || '#' || {NUMBER.format('t.batch')}"
    return f'quote(t."{column}")'


def dump(home: Path, spaces: list[str]) -> list[str]:
    """All rows of some spaces, by id in hex, in every table; only portable columns, sorted."""
    wanted = ", ".join(f"'{space.upper()}'" for space in spaces)
    rows = [
        f"batch|{row}" for row in sqlite(home, f"""
            SELECT hex(space.id), hex(log.device), hex(log.branch), hex(log.person),
                {NUMBER.format('batch.id')}, stamp, epoch, hex(hash), hex(body)
            FROM batch JOIN log ON log.number = batch.id >> 40
            JOIN space ON space.number = log.space WHERE hex(space.id) IN ({wanted})""")
    ]
    declared = " ".join(sqlite(home, "SELECT tables FROM collection")).split()
    for table in CORE_TABLES + [name for name in declared if not name.endswith(INDEX_TABLES)]:
        columns = [
            name for name in sqlite(home, f"SELECT name FROM pragma_table_info('{table}')")
            if name not in LOCAL_COLUMNS
        ]
        chosen = ", ".join(map(portable, columns))
        rows += [
            f"{table}|{row}" for row in
            sqlite(home, f'SELECT {chosen} FROM "{table}" t WHERE {SPACE} IN ({wanted})')
        ]
    return sorted(rows)


def spaces_between(home: Path, *persons: str) -> list[str]:
    """The ids of the pair and of the cards of these persons, as a node's file has them."""
    cards = ", ".join(f"'{person.upper()}'" for person in persons)
    return sorted(sqlite(home, f"""
        SELECT hex(id) FROM space WHERE kind = 'pair' AND hex(person) IN ({cards})
            OR kind = 'card' AND hex(person) IN ({cards})"""))


def batch_count(home: Path) -> int:
    """The number of batches in a node's file."""
    return int(sqlite(home, "SELECT count(*) FROM batch")[0])


def bodies_with(home: Path, text: str) -> int:
    """The number of batches in a node's file that contain a text."""
    needle = f"x'{text.encode().hex()}'"
    return int(sqlite(home, f"SELECT count(*) FROM batch WHERE instr(body, {needle})")[0])


def stored_note(home: Path, request: str) -> str:
    """The note on a walk request in a node's file; empty if there is none."""
    rows = sqlite(home, f"SELECT note FROM neighbours_walk WHERE entity = x'{request}'")
    return rows[0] if rows else ""


def stamp_of(home: Path, entity: str, text: str) -> int:
    """The stamp of the field of an entity whose value is in the batch that contains a text."""
    rows = sqlite(home, f"""
        SELECT register.stamp FROM register JOIN batch ON batch.id = register.batch
        WHERE entity = x'{entity}' AND instr(body, x'{text.encode().hex()}')""")
    return int(rows[0])


def connections(one: Node, other: Node) -> int:
    """The number of TCP connections that `ss` shows between two nodes: by address on a LAN, by
    process on one machine."""
    return _between_hosts(one.host, other.host) if one.host else _between_processes(one, other)


def _between_hosts(one: Host, other: Host) -> int:
    rows = map(str.split, one.run("ss", "-Htn", "state", "established").splitlines())
    far = other.addresses()
    return sum(1 for row in rows if plain(row[-1])[0] in far)


def plain(end: str) -> tuple[str, str]:
    """Address and port of an end that `ss` names, without zone or the prefix of mapped IPv4."""
    address, _, port = end.rpartition(":")
    return address.strip("[]").partition("%")[0].removeprefix("::ffff:"), port


def _between_processes(one: Node, other: Node) -> int:
    def ends(node: Node) -> set[tuple[str, str]]:
        lines = run("ss", "-Htnp", "state", "established").splitlines()
        rows = [line.split() for line in lines if f"pid={node.pid()}," in line]
        return {(plain(row[2]), plain(row[3])) for row in rows}

    return len(ends(one) & {(far, near) for near, far in ends(other)})
