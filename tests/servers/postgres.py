"""A real PostgreSQL: a throwaway cluster, databases from templates, and outages on demand."""

from __future__ import annotations

import itertools
import os
import pwd
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Self

import psycopg
from psycopg import sql

from tests.servers.place import HOST, account, new_folder, program, reserve_port
from tests.servers.process import ServerProcess

PACKAGE = "postgresql"
BINARIES = Path("/usr/lib/postgresql")
SUPERUSER = "postgres"


class Postgres:
    """PostgreSQL in a folder of its own, everything durable as by default; as root it runs under the user postgres.

    `with Postgres() as postgres` starts it; raises ServerMissing if it is not installed.
    """

    host = HOST

    def __init__(self) -> None:
        self._open = ExitStack()
        self._numbers = itertools.count(1)
        self._templates: set[str] = set()

    def __enter__(self) -> Self:
        with ExitStack() as starting:
            self._lay_out(starting)
            self.process.start()
            starting.callback(self.process.kill)
            self._open = starting.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def _lay_out(self, starting: ExitStack) -> None:
        binaries = _binaries()
        run_as = account(SUPERUSER, package=PACKAGE) if os.geteuid() == 0 else None
        self.root = new_folder("postgres", keep_open=starting)
        self.port = reserve_port(keep_open=starting)
        if run_as is not None:
            os.chown(self.root, run_as.pw_uid, run_as.pw_gid)
        _initdb(binaries / "initdb", self.root, run_as)
        settings = {"listen_addresses": HOST, "unix_socket_directories": str(self.root), "log_timezone": "UTC"}
        command = [str(binaries / "postgres"), "-D", str(self.root / "data"), "-p", str(self.port)]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        self.process = ServerProcess(
            command=command,
            folder=self.root,
            log=self.root / "postgres.log",
            answers=self._answers,
            stop_signal=signal.SIGINT,  # "fast": ends sessions, then writes a checkpoint
            run_as=run_as,
        )

    # ------------------------------------------------------------------------------------------------------ outages

    def stop(self) -> None:
        """Stop the server as an operator would; open sessions are ended."""
        self.process.stop()

    def kill(self) -> None:
        """Kill every process of the server; what was committed is found again by `start`."""
        self.process.kill()

    def start(self) -> None:
        """Start a stopped or killed server again on the same port."""
        self.process.start()

    @contextmanager
    def outage(self) -> Iterator[None]:
        """Have no server inside the block."""
        self.process.kill()
        try:
            yield
        finally:
            self.process.start()

    # ---------------------------------------------------------------------------------------------------- databases

    def url(self, database: str) -> str:
        """Return the SQLAlchemy address of a database."""
        return f"postgresql+psycopg://{SUPERUSER}@{HOST}:{self.port}/{database}"

    def new_database(self, template: str = "template0") -> str:
        """Make a database, a copy of `template`, and return its SQLAlchemy address."""
        name = f"test{next(self._numbers)}"
        self._create(name, template)
        return self.url(name)

    def new_template(self, name: str, fill: Callable[[str], None]) -> str:
        """Make a template once, filled by `fill(address)`, and return its name for `new_database`."""
        if name not in self._templates:
            self._create(name, "template0")
            fill(self.url(name))
            self._templates.add(name)
        return name

    def drop(self, url: str) -> None:
        """Drop a database made here, ending its sessions."""
        name = sql.Identifier(url.rpartition("/")[2])
        self._command(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))

    def _create(self, name: str, template: str) -> None:
        names = (sql.Identifier(name), sql.Identifier(template))
        self._command(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(*names))

    def _command(self, command: sql.Composed) -> None:
        with self._connect() as connection:
            connection.execute(command)

    def _connect(self) -> psycopg.Connection:
        return psycopg.connect(
            host=HOST, port=self.port, user=SUPERUSER, dbname="postgres", autocommit=True, connect_timeout=5
        )

    def _answers(self) -> bool:
        try:
            self._connect().close()
        except psycopg.OperationalError:
            return False
        return True


def _binaries() -> Path:
    """Return the folder of the newest installed server: Debian keeps each version apart, others have it on the path."""
    found = [path.parent for path in BINARIES.glob("*/bin/initdb")]
    if not found:
        return Path(program("initdb", package=PACKAGE)).parent
    return max(found, key=lambda path: int(re.sub(r"\D", "", path.parent.name)))


def _initdb(initdb: Path, root: Path, run_as: pwd.struct_passwd | None) -> None:
    options = ["-U", SUPERUSER, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "--no-instructions"]
    made = subprocess.run(
        [str(initdb), "-D", str(root / "data"), *options],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        user=run_as and run_as.pw_uid,
        group=run_as and run_as.pw_gid,
        extra_groups=run_as and [],
    )
    if made.returncode != 0:
        raise RuntimeError(f"initdb failed:\n{made.stdout}{made.stderr}")
