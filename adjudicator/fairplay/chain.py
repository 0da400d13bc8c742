"""Seed chains, entropy documents and batch keys: where the dice of ``pbm-dice/1`` come from (fair-play 3)."""

from __future__ import annotations

import hmac
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NamedTuple

from engine.core.dice import TAG, check_id, line

SEED_LENGTH: Final = 32
"""Bytes of a seed; the last of a chain is drawn by the operating system, the others follow from it."""
CHAIN_LENGTH: Final = 4096
"""The usual N: enough batches for any game."""
NOTHING: Final = "-"
"""An empty row, or no beacon."""

BEACON_CHAIN: Final = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
BEACON_GENESIS: Final = 1692803367
"""Unix time of round 1."""
BEACON_PERIOD: Final = 3
BEACON_LEAD: Final = 60
"""Seconds from a deadline to the first round that may serve it."""

_SPACE: Final = re.compile(r"[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
"""Unicode White_Space; ``str.split`` would also split at U+001C…U+001F, which have not that property."""
_HEX: Final = re.compile(r"[0-9a-f]{64}")
_BEACON: Final = re.compile(
    r"drand:[0-9a-f]{64}:[1-9][0-9]*:[0-9a-f]{64}|text:[!-9;-~]+:\d{4}-\d\d-\d\d:[0-9]+", re.ASCII
)


class Seed(NamedTuple):
    """A seed and its place in the chain: s_number."""

    number: int
    value: bytes


def earlier_seed(campaign: str, stream: str, number: int, seed: bytes) -> bytes:
    """Return s_{i−1} from s_i, i = ``number``."""
    return sha256(line(TAG, "chain", campaign, stream, number) + seed).digest()


def chain(campaign: str, stream: str, last: bytes, n: int = CHAIN_LENGTH, first: int = 0) -> tuple[bytes, ...]:
    """Return the seeds s_first … s_n that end in ``last``; the first of them is the anchor.

    A chain begins at 0; one that follows a lost one begins at the number of the last batch used (``rekey``).
    Raises ValueError if the ids, the length of ``last`` or the numbers cannot be.
    """
    check_id(campaign)
    check_id(stream)
    if len(last) != SEED_LENGTH or not 0 <= first < n:
        raise ValueError(f"no chain from {first} to {n} with a seed of {len(last)} bytes")
    seeds = [last]
    for number in range(n, first, -1):
        seeds.append(earlier_seed(campaign, stream, number, seeds[-1]))
    return tuple(reversed(seeds))


def leads_to(campaign: str, stream: str, seed: Seed, known: Seed) -> bool:
    """Say whether a seed is the one its chain has there, given an earlier one that is known (fair-play 3.7)."""
    value = seed.value
    for number in range(seed.number, known.number, -1):
        value = earlier_seed(campaign, stream, number, value)
    return seed.number >= known.number and value == known.value


# Phrases --------------------------------------------------------------------------------------------------------------


def normalised(phrase: str) -> str:
    """Return ``norm(phrase)``: Unicode NFC, runs of white space made one space, none at the ends."""
    return _SPACE.sub(" ", unicodedata.normalize("NFC", phrase)).strip(" ")


def automatic_phrase(message_id: str | None, raw: bytes) -> str:
    """Return the phrase of a seat that sent none, from the first mail of its batch that was accepted (fair-play 3.2).

    ``message_id`` is taken as it stands, angle brackets included; a mail without one gives the hash of its bytes.
    """
    text = _SPACE.sub("", message_id or "")
    return normalised(f"mid:{text or sha256(raw).hexdigest()}")


def row(phrase: str | None) -> str:
    """Return what the entropy document says of a normalised phrase: the hex of its hash, ``-`` for none."""
    return sha256(phrase.encode()).hexdigest() if phrase else NOTHING


def entropy_document(campaign: str, stream: str, batch: int, rows: Mapping[str, str], beacon: str = NOTHING) -> bytes:
    """Return D_t, from the rows of the roster (id to `row`) and the beacon's text.

    Raises ValueError for an id, row or beacon that cannot be, and where rows and beacon are both filled: a late phrase
    could else be chosen after the beacon.
    """
    for seat, value in rows.items():
        check_id(seat)
        if value != NOTHING and not _HEX.fullmatch(value):
            raise ValueError(f"{value!r} is not a row")
    if beacon != NOTHING and any(value != NOTHING for value in rows.values()):
        raise ValueError(f"phrases and the beacon {beacon!r} exclude each other")
    entries = [f"{seat}={rows[seat]}" for seat in sorted(rows)]
    return line(TAG, "entropy", campaign, stream, batch, *entries, f"beacon={check_beacon(beacon)}")


def batch_key(campaign: str, stream: str, batch: int, seed: bytes, document: bytes) -> bytes:
    """Return K_t from s_t and D_t (fair-play 3.3)."""
    return hmac.digest(seed, line(TAG, "batch", campaign, stream, batch) + sha256(document).digest(), "sha256")


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch whose entropy is fixed: its rows, and the beacon once its value is known."""

    campaign: str
    stream: str
    number: int
    rows: Mapping[str, str]
    beacon: str = NOTHING

    @property
    def document(self) -> bytes:
        """D_t."""
        return entropy_document(self.campaign, self.stream, self.number, self.rows, self.beacon)

    @property
    def entropy(self) -> str:
        """Hex of H(D_t), as a result publishes it."""
        return sha256(self.document).hexdigest()

    @property
    def weak(self) -> bool:
        """Whether nobody but the service has added to it: «слабая случайность»."""
        return self.beacon == NOTHING and all(value == NOTHING for value in self.rows.values())

    def key(self, seed: bytes) -> bytes:
        """Return K_t."""
        return batch_key(self.campaign, self.stream, self.number, seed, self.document)


# Beacon ---------------------------------------------------------------------------------------------------------------


def beacon_round(deadline: int) -> int:
    """Return the first round that comes out 60 s or more after a deadline in Unix seconds (fair-play 3.2)."""
    return -((BEACON_GENESIS - deadline - BEACON_LEAD) // BEACON_PERIOD) + 1


def round_time(number: int) -> int:
    """Return the Unix second at which a round comes out."""
    return BEACON_GENESIS + (number - 1) * BEACON_PERIOD


def beacon_value(number: int, signature: bytes) -> str:
    """Return the beacon's text for a round, from the signature that the network published."""
    return f"drand:{BEACON_CHAIN}:{number}:{sha256(signature).hexdigest()}"


def check_beacon(text: str) -> str:
    """Return a beacon's text as it is: ``-``, ``drand:<chain>:<round>:<hex>`` or ``text:<source>:<date>:<digits>``.

    Raises ValueError for anything else.
    """
    if text != NOTHING and not _BEACON.fullmatch(text):
        raise ValueError(f"{text!r} is not a beacon")
    return text
