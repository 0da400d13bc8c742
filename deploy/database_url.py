"""Print where a configuration keeps its games: the address as the databases' own tools take it, then the password.

Two lines, so that the scripts hand the password on in the environment: command lines can be read by every user.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

DEFAULT = "sqlite:///adjudicator.db"


def database_url(config: Path) -> tuple[str, str]:
    """Return address and password; a relative SQLite path is taken from the configuration's folder."""
    with config.open("rb") as file:
        url = urlsplit(str(tomllib.load(file).get("database", {}).get("url", DEFAULT)))
    scheme = url.scheme.partition("+")[0]
    if scheme == "sqlite":
        return f"sqlite:///{config.resolve().parent / url.path.removeprefix('/')}", ""
    user, _, host = url.netloc.rpartition("@")
    name, _, password = user.partition(":")
    place = f"{name}@{host}" if name else host
    return urlunsplit((scheme, place, url.path, url.query, "")), unquote(password)


if __name__ == "__main__":
    print(*database_url(Path(sys.argv[1])), sep="\n")
