"""The drand beacon: the value of a public round, fetched from relays anybody can ask (fair-play 3.2)."""

from __future__ import annotations

import http.client
import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final
from urllib.parse import SplitResult, urlsplit

import msgspec

from adjudicator.fairplay import chain

TIMEOUT: Final = 10.0
"""Seconds for a step of the talk with a relay."""
LIMIT: Final = 4096
"""Bytes of an answer; one of the network's is about 250."""
_LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
_HEX: Final = re.compile(r"(?:[0-9a-f]{2}){32,256}")


class BeaconMissing(Exception):
    """No relay gave the value of a round; the message says what each of them did."""


class _Answer(msgspec.Struct, frozen=True):
    """What a relay answers; fields we do not use are let pass."""

    round: int
    signature: str
    randomness: str = ""


@dataclass(frozen=True, slots=True)
class Relays:
    """Relays of the network by their base addresses, asked in this order.

    What a relay says is not proof: the signature would have to be checked against the network's public key, which
    anybody can do who has the log. Where several relays answer they must agree.
    """

    addresses: tuple[str, ...] = ()

    def value(self, number: int) -> str:
        """Return the beacon's text of a round. Raises `BeaconMissing` if nobody has it or two relays disagree."""
        found: dict[str, str] = {}
        troubles = []
        for address in self.addresses:
            try:
                found[address] = _ask(address, number)
            except (OSError, http.client.HTTPException, ValueError) as trouble:
                troubles.append(f"{address}: {type(trouble).__name__} {trouble}"[:200])
        if len(set(found.values())) > 1:
            raise BeaconMissing(f"the relays disagree about round {number}: {found!r}")
        if not found:
            raise BeaconMissing("; ".join(troubles) or "no relay is configured")
        return next(iter(found.values()))


def check_address(address: str) -> SplitResult:
    """Return the parts of a relay's address; ValueError unless it is https (http on this machine alone)."""
    parts = urlsplit(address)
    if not parts.hostname or parts.scheme not in ("https", "http"):
        raise ValueError(f"{address!r} is not the address of a relay")
    if parts.scheme == "http" and parts.hostname not in _LOOPBACK:
        raise ValueError(f"{address!r} is not https")
    return parts


def _ask(address: str, number: int) -> str:
    """Return the beacon's text of a round as one relay gives it; ValueError for an answer that cannot be."""
    parts = check_address(address)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=TIMEOUT)
    try:
        connection.request("GET", f"{parts.path.rstrip('/')}/{chain.BEACON_CHAIN}/public/{number}")
        response = connection.getresponse()
        body = response.read(LIMIT + 1)
        if response.status != http.client.OK:
            raise ValueError(f"status {response.status}")
    finally:
        connection.close()
    return _value(body, number)


def _value(body: bytes, number: int) -> str:
    if len(body) > LIMIT:
        raise ValueError(f"an answer of more than {LIMIT} bytes")
    try:
        answer = msgspec.json.decode(body, type=_Answer)
    except msgspec.DecodeError as cause:
        raise ValueError(f"not an answer of a relay: {cause}") from cause
    if answer.round != number or not _HEX.fullmatch(answer.signature):
        raise ValueError(f"an answer about round {answer.round}")
    signature = bytes.fromhex(answer.signature)
    if answer.randomness and answer.randomness != sha256(signature).hexdigest():
        raise ValueError("the randomness is not the hash of the signature")
    return chain.beacon_value(number, signature)


def relays(addresses: Sequence[str]) -> Relays:
    """Return relays whose addresses are checked. Raises ValueError for one that cannot be."""
    for address in addresses:
        check_address(address)
    return Relays(tuple(addresses))
