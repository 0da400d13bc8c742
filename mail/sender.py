"""Which tokens a mail shows."""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable
from typing import Final, Literal

from msgspec import Struct

from mail.addresses import canonical, split_plus
from mail.message import Incoming


class Carried(Struct, frozen=True, gc=False):
    """A word that may be a token, and where it was found: ``plus``, ``thread`` or ``text``."""

    value: str
    carrier: Literal["plus", "thread", "text"]


_TOKEN_MARK: Final = re.compile(r"(?:token|ключ|жетон)[ \t]{0,3}[:=][ \t]{0,3}([A-Za-z0-9_-]{16,128})", re.IGNORECASE)
"""How a token stands in the body of our letters."""

_CARRIERS_LIMIT: Final = 64


def carried_tokens(incoming: Incoming, *, own_addresses: Iterable[str] = ()) -> tuple[Carried, ...]:
    """Give what may be a token, in order of carrier: plus-addresses of ours, ids of the thread, marks in the text.

    Nothing here is proof: the caller looks the values up and compares with ``same_secret``. With no
    ``own_addresses`` the plus-tag of any recipient counts. Ids come whole, brackets included.
    """
    own = frozenset(map(canonical, own_addresses))
    found: list[Carried] = []
    for address in (*incoming.to, *incoming.cc, *incoming.delivered_to):
        base, tag = split_plus(address)
        if tag and (not own or canonical(base) in own):
            found.append(Carried(tag, "plus"))
    found += [Carried(name, "thread") for name in (*incoming.in_reply_to, *reversed(incoming.references))]
    marked = (line.raw for line in incoming.lines if ":" in line.raw or "=" in line.raw)
    found += [Carried(hit[1], "text") for line in marked for hit in _TOKEN_MARK.finditer(line)]
    return tuple(dict.fromkeys(found))[:_CARRIERS_LIMIT]


def same_secret(one: str, other: str) -> bool:
    """Compare two secrets in a time that does not tell where they differ; an empty one equals nothing."""
    if not one or not other:
        return False
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))
