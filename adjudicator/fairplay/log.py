"""The tamper-evident log ``pbm-log/1``: canonical bytes, heads, commitments, pins and the file (fair-play 7)."""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, NoReturn, TypeAlias

from engine.core.dice import check_id, line

TAG: Final = "pbm-log/1"
NO_HEAD: Final = "0" * 64
"""The head before the first event."""
ONE_PART: Final = "-"
"""Part name in the nonce of an event that has a single private part."""
NONCE_LENGTH: Final = 16

LARGEST: Final = (1 << 53) - 1
DEEPEST: Final = 32
LONGEST_LINE: Final = 8 << 20
"""Characters; a line of more is refused before it is parsed."""

Object: TypeAlias = Mapping[str, Any]

_HEX: Final = re.compile(r"[0-9a-f]{64}")
_JSON: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


class NotCanonical(ValueError):
    """A value that has no canonical bytes, or a line that is not canonical; the text says why, by a key."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event line; ``object`` holds ``seq``, ``type``, ``at`` and the fields of its type."""

    seq: int
    object: Object


@dataclass(frozen=True, slots=True)
class Opening:
    """What a private part holds: the object, its nonce in hex, and the part's name where the event has several."""

    seq: int
    salt: str
    object: Object
    part: str | None = None


@dataclass(frozen=True, slots=True)
class Pin:
    """The head of the log at an event; ``campaign`` is unknown where the line that gave it does not name it."""

    seq: int
    head: str
    campaign: str | None = None


Line: TypeAlias = Event | Opening | Pin


# Canonical bytes ------------------------------------------------------------------------------------------------------


def canon(value: Any) -> bytes:
    """Return the canonical bytes of a value, the same as RFC 8785 gives within the limits of this format.

    Only strings, integers below 2⁵³, booleans, null, lists (tuples too) and dicts with ASCII keys.
    Raises NotCanonical for anything else.
    """
    _check(value, 0)
    try:
        return _JSON.encode(value).encode()
    except UnicodeEncodeError:
        raise NotCanonical("lone-surrogate") from None


def _check(value: Any, depth: int) -> None:
    kind = type(value)
    if kind is str or value is None or kind is bool:
        return
    if kind is int:
        if not -LARGEST <= value <= LARGEST:
            raise NotCanonical("large-integer")
    elif depth > DEEPEST:
        raise NotCanonical("too-deep")
    elif kind is dict:
        for key, inner in value.items():
            if type(key) is not str or not key.isascii():
                raise NotCanonical("key")
            _check(inner, depth + 1)
    elif isinstance(value, list | tuple):
        for inner in value:
            _check(inner, depth + 1)
    else:
        raise NotCanonical("float" if kind is float else "type")


def link(head: str, event: Object) -> str:
    """Return the head after an event, from the head before it."""
    return link_text(head, canon(event))


def link_text(head: str, text: bytes) -> str:
    """Return the head after an event, given by its canonical bytes."""
    return sha256(line(TAG, "event", head) + text).hexdigest()


# Private parts --------------------------------------------------------------------------------------------------------


def nonce(game_key: bytes, campaign: str, seq: int, part: str = ONE_PART) -> bytes:
    """Return the 16 bytes that hide a private part: random to all but the service, the same again after a restore."""
    return hmac.digest(game_key, line(TAG, "nonce", campaign, seq, part), "sha256")[:NONCE_LENGTH]


def commitment(salt: bytes, value: Object) -> str:
    """Return the hash that stands in the event for a private part."""
    return sha256(line(TAG, "private") + salt + canon(value)).hexdigest()


def seal(game_key: bytes, campaign: str, seq: int, value: Object, part: str | None = None) -> tuple[str, Opening]:
    """Return the commitment to a private part of an event, and its opening, to be kept or told to those entitled."""
    salt = nonce(game_key, campaign, seq, part or ONE_PART)
    return commitment(salt, value), Opening(seq, salt.hex(), value, part)


def fits(opening: Opening, committed: str) -> bool:
    """Say whether an opening is that of a commitment."""
    try:
        return hmac.compare_digest(commitment(bytes.fromhex(opening.salt), opening.object), committed)
    except ValueError:
        return False


# Lines and files ------------------------------------------------------------------------------------------------------


def write_line(entry: Line) -> str:
    """Return a line of the file, without its newline."""
    return canon(_written(entry)).decode()


def _written(entry: Line) -> Object:
    match entry:
        case Event():
            return entry.object
        case Opening():
            part = {} if entry.part is None else {"part": entry.part}
            return {"object": entry.object, "open": entry.seq, "salt": entry.salt, **part}
        case Pin():
            return {"head": entry.head, "pin": entry.seq}


def read_line(text: str) -> Line:
    """Return what a line of the file holds. Raises NotCanonical for anything `write_line` would not have written."""
    if len(text) > LONGEST_LINE:
        raise NotCanonical("too-long")
    value = _parse(text)
    if not isinstance(value, dict) or canon(value) != text.encode("utf-8", "surrogatepass"):
        raise NotCanonical("not-canonical")
    match value:
        case {"open": int(seq), "object": dict(opened), "salt": str(salt), **rest} if set(rest) <= {"part"}:
            return Opening(_whole(seq), salt, opened, _part(rest))
        case {"pin": int(seq), "head": str(head), **rest} if not rest and _HEX.fullmatch(head):
            return Pin(_whole(seq), head)
        case {"seq": int(seq), "type": str()}:
            return Event(_whole(seq), value)
    raise NotCanonical("unknown-line")


def _parse(text: str) -> Any:
    try:
        return json.loads(text, parse_float=_refuse, parse_constant=_refuse)
    except NotCanonical:
        raise
    except (ValueError, RecursionError):
        raise NotCanonical("not-json") from None


def _refuse(_text: str) -> NoReturn:
    raise NotCanonical("float")


def _whole(seq: int) -> int:
    if isinstance(seq, bool) or seq < 0:
        raise NotCanonical("seq")
    return seq


def _part(rest: Object) -> str | None:
    part = rest.get("part")
    if part is not None and not isinstance(part, str):
        raise NotCanonical("part")
    return part


def write_log(events: Iterable[Object], openings: Iterable[Opening], pin: Pin) -> bytes:
    """Return a log file or a part of one: event lines, then the openings its reader is entitled to, then the pin."""
    lines: list[Line] = [*(Event(event["seq"], event) for event in events), *openings, pin]
    return "".join(f"{write_line(entry)}\n" for entry in lines).encode()


# Pins -----------------------------------------------------------------------------------------------------------------

RULE: Final = "--- pin ---------------------------------------------------------"
_LABEL: Final = re.compile(
    r"(?<![\w-])(?P<name>[a-z0-9_-]{1,32})[ \t\xa0]+#(?P<seq>[1-9][0-9]{0,15})"
    r"[\s\xa0>|]+(?P<head>[0-9a-f]{64})(?!\w)",
    re.ASCII,
)
PREVIOUS: Final = "prev"


def write_pin(pin: Pin, previous: Pin | None = None, width: int = 76) -> str:
    """Return the block that ends a mail or post; a hash that would pass ``width`` columns has a line of its own.

    Raises ValueError for a pin without its campaign.
    """
    if pin.campaign is None:
        raise ValueError(f"the pin of #{pin.seq} names no campaign")
    labels = [(check_id(pin.campaign), pin)]
    if previous is not None:
        labels.append((PREVIOUS, previous))
    first = max(len(name) for name, _ in labels)
    second = max(len(f"#{one.seq}") for _, one in labels)
    wide = first + 1 + second + 2 + 64 <= width
    lines = [RULE]
    for name, one in labels:
        seq = f"#{one.seq}"
        lines += [f"{name:<{first}} {seq:<{second}}  {one.head}"] if wide else [f"{name} {seq}", one.head]
    return "\n".join(lines) + "\n"


def read_pins(text: str) -> Iterator[Pin]:
    """Yield the pins that stand in a mail or post, quoted and rewrapped ones too; ``prev`` belongs to the one above."""
    campaign: str | None = None
    for found in _LABEL.finditer(text):
        if found["name"] != PREVIOUS:
            campaign = found["name"]
        if campaign is not None:
            yield Pin(int(found["seq"]), found["head"], campaign)
