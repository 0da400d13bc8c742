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
from mail.text import plain

_CARRIER: Final = re.compile(r"([a-z0-9-]{1,32})\.([sio])(\d{1,12})\.([a-z2-7]{26})")
"""``pirates-7.s12.<token>``: game, kind and number of the tenure or invitation, token."""


_IN_TEXT: Final = re.compile(r"(?<![a-z0-9-])[a-z0-9-]{1,32}\.[sio]\d{1,12}\.[a-z2-7]{26}(?![a-z0-9])", re.IGNORECASE)
_IN_TEXT_LIMIT: Final = 16
_LONGEST: Final = 400
_SHORTEST: Final = len("x.s1.") + 26
_MARKS: Final = " \t>|│"
"""What mail programs put before quoted lines, if anything."""


_ID_LENGTH: Final = 33
"""Characters before the @ of a Message-ID of ours: the bracket, and twenty bytes in base 32."""


_SHOWN_OF_ID: Final = 9
"""Of a Message-ID of ours 40 bits: 120 stay secret."""

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
    """Yield the carriers in lines of text, up to a limit; in quoted ones too: a reply address there is enough.

    One that a mail program cut over two lines is found as well, whatever marks the quote and whether the cut shows as
    ``=``; invisible characters that were let into it go.
    """
    yield from islice(dict.fromkeys("".join(parts) for _, parts in _carriers(lines)), _IN_TEXT_LIMIT)


def blotted(lines: Iterable[str]) -> tuple[str, ...]:
    """Return lines with every token blotted out, one cut over two lines too: it speaks for a seat, whoever shows it."""
    shown = [plain(line) if not line.isascii() and _IN_TEXT.search(plain(line)) else line for line in lines]
    for place, parts in list(_carriers(shown)):
        for number, part in enumerate(parts, place):
            kept = part[: part.rfind(".") + 1] if number == place else ""
            shown[number] = shown[number].replace(part, f"{kept}…")
    return tuple(shown)


def _carriers(lines: Iterable[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield each carrier with the place of its line, in one part or, cut by a line's end, in two."""
    begun = ""
    for place, raw in enumerate(lines):
        if not begun and "." not in raw and "+" not in raw:
            continue
        line = raw if raw.isascii() else plain(raw)
        if begun:
            rest = line.lstrip(_MARKS).partition(" ")[0]
            seam = len(begun)
            if seam + len(rest) >= _SHORTEST:
                for hit in _IN_TEXT.finditer(begun + rest):
                    if hit.start() < seam < hit.end():
                        yield place - 1, (begun[hit.start() :], rest[: hit.end() - seam])
        if "." in line:
            yield from ((place, (hit[0],)) for hit in _IN_TEXT.finditer(line))
        last = line.rstrip().rstrip("=").rpartition(" ")[2] if "." in line or "+" in line else ""
        begun = last[-_LONGEST:] if "." in last or "+" in last else ""


def reply_address(address: str, carrier: str) -> str:
    """Return our address with a carrier in it: ``judge+pirates-7.s12.…@example.org`` (RFC 5233)."""
    local, _, domain = address.rpartition("@")
    return f"{local}+{carrier}@{domain}"


def may_be_ours(address: str, message_id: str) -> bool:
    """Say whether a Message-ID has the form of ours, so that it is worth looking up."""
    return message_id.endswith(f"@{address.rpartition('@')[2]}>") and len(message_id.partition("@")[0]) == _ID_LENGTH


def shortened(message_id: str) -> str:
    """Return a Message-ID as it may be shown around: enough to find the letter by, too little to answer it with.

    Whose mail carries one of ours in its thread speaks with the token of that letter's seat (play-by-mail 4).
    """
    name, at, domain = message_id.partition("@")
    return f"{name[:_SHOWN_OF_ID]}…{at}{domain}" if at and len(name) > _SHOWN_OF_ID else message_id


def message_id(vault: Vault, address: str, key: str) -> str:
    """Return the Message-ID of the letter with this key: the same on every retry, foreseeable by nobody."""
    return f"<{_base32(vault.mark('message-id', key)[:20])}@{address.rpartition('@')[2]}>"
