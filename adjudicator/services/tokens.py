"""Tokens: 128 bits and more, derived from the service key by tenure or invitation, never stored (play-by-mail 4)."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Final, Literal, TypeAlias

from adjudicator.storage.tables import Game, Invitation, Observer, Tenure
from adjudicator.storage.vault import Vault
from engine.core.contract import Value

_CARRIER: Final = re.compile(r"([a-z0-9-]{1,32})\.([sio])(\d{1,12})\.([a-z2-7]{26})")
"""``pirates-7.s12.<token>``: game, kind and number of the tenure or invitation, token."""


_IN_TEXT: Final = re.compile(r"(?<![a-z0-9-])[a-z0-9-]{1,32}\.[sio]\d{1,12}\.[a-z2-7]{26}(?![a-z0-9])", re.IGNORECASE)
_IN_TEXT_LIMIT: Final = 16


_ID_LENGTH: Final = 33
"""Characters before the @ of a Message-ID of ours: the bracket, and twenty bytes in base 32."""


Kind: TypeAlias = Literal["s", "i", "o"]
_KINDS: Final[dict[str, Kind]] = {"s": "s", "i": "i", "o": "o"}


class Carried(Value, frozen=True):
    """What a token in a mail claims: the game, whose it is and its number.

    ``s`` is a tenure, ``i`` an invitation, ``o`` an observer.
    """

    tag: str
    kind: Kind
    number: int
    token: str


def _base32(data: bytes) -> str:
    return base64.b32encode(data).decode("ascii").rstrip("=").lower()


@lru_cache(maxsize=1024)
def _token(vault: Vault, *names: str) -> str:
    return _base32(vault.mark("token", *names)[:16])


def of_tenure(vault: Vault, game: Game, tenure: Tenure) -> str:
    """Return the carrier of a seat's token, as it stands in plus-addresses and letters."""
    return f"{game.tag}.s{tenure.id}." + _token(vault, game.campaign, "tenure", str(tenure.id), str(tenure.key_version))


def of_invitation(vault: Vault, game: Game, invitation: Invitation) -> str:
    """Return the carrier of an invitation's token."""
    return f"{game.tag}.i{invitation.id}." + _token(vault, game.campaign, "invitation", str(invitation.id))


def of_observer(vault: Vault, game: Game, observer: Observer) -> str:
    """Return the carrier of an observer's token: it proves who wants no more letters, and nothing else."""
    return f"{game.tag}.o{observer.id}." + _token(vault, game.campaign, "observer", str(observer.id))


def read(carrier: str) -> Carried | None:
    """Return what a carrier claims, or None if it is not one."""
    found = _CARRIER.fullmatch(carrier.strip().casefold())
    return Carried(tag=found[1], kind=_KINDS[found[2]], number=int(found[3]), token=found[4]) if found else None


def found_in(lines: Iterable[str]) -> Iterator[str]:
    """Yield the carriers in lines of text, up to a limit; in quoted ones too: a reply address there is enough."""
    found = (hit[0] for line in lines if "." in line for hit in _IN_TEXT.finditer(line))
    yield from islice(dict.fromkeys(found), _IN_TEXT_LIMIT)


def reply_address(address: str, carrier: str) -> str:
    """Return our address with a carrier in it: ``judge+pirates-7.s12.…@example.org`` (RFC 5233)."""
    local, _, domain = address.rpartition("@")
    return f"{local}+{carrier}@{domain}"


def may_be_ours(address: str, message_id: str) -> bool:
    """Say whether a Message-ID has the form of ours, so that it is worth looking up."""
    return message_id.endswith(f"@{address.rpartition('@')[2]}>") and len(message_id.partition("@")[0]) == _ID_LENGTH


def message_id(vault: Vault, address: str, key: str) -> str:
    """Return the Message-ID of the letter with this key: the same on every retry, foreseeable by nobody."""
    return f"<{_base32(vault.mark('message-id', key)[:20])}@{address.rpartition('@')[2]}>"
