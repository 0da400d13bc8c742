"""Mails of the corpus broken in every way, read in a process of their own that is watched for time and memory.

``python -m tests.mail.fuzz --mails 10000 --seed 1`` prints one JSON object; a mail that breaks a promise ends it with
its number, and ``--first NUMBER --mails 1`` with the same seed makes that very mail again.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable

import msgspec

from mail.read import MailReading, Verdict, read
from tests.mail.corpus import OWN_IDS, samples
from tests.mail.mails import OURS
from tests.mail.test_replies import SPEECH

CHARSETS = (
    b"utf-8",
    b"koi8-r",
    b"windows-1251",
    b"iso-8859-5",
    b"x-nope",
    b"utf-16",
    b"utf-7",
    b"gb18030",
    b"\xff",
    b"",
)
NASTY = (
    b"\x00", b"\r", b"\n", b"\r\n\r\n", b"\xff\xfe", b"\xd0", b"=?utf-8?B?", b"?=", b'"', b"<", b">", b"(", b"--", b"=",
    b"=\r\n", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xe2\x80\xae", b"begin 644 x\r\n", b"name*0*=x''%", b'From: "',
    b"Content-Type: multipart/mixed; boundary=b\r\n", b"Content-Type: message/rfc822\r\n\r\n", b"To: (c):\r\n",
    b"Content-Transfer-Encoding: x-uuencode\r\n",
)  # fmt: skip
SECONDS = 1.0
"""Processor time one mail may take."""
MEBIBYTES = 64
"""Memory that the process may grow by, whichever mail it was."""

Way = Callable[[random.Random, bytes, tuple[bytes, ...]], bytes]


def mutated(seed: str, number: int, corpus: tuple[bytes, ...]) -> bytes:
    """Make the mail of that number: one of the corpus, broken in one to three ways."""
    chance = random.Random(f"{seed}:{number}")
    raw = chance.choice(corpus)
    for _ in range(chance.choice((1, 1, 2, 3))):
        raw = chance.choice(WAYS)(chance, raw, corpus)
    return raw


def flipped(chance: random.Random, raw: bytes, _: tuple[bytes, ...]) -> bytes:
    """Change some bytes, by chance or to something nasty."""
    data = bytearray(raw)
    for _time in range(chance.randint(1, 40)):
        at = chance.randrange(len(data) + 1)
        data[at : at + chance.choice((0, 1, 1, 3))] = chance.choice(
            (bytes([chance.randrange(256)]), chance.choice(NASTY))
        )
    return bytes(data)


def cut(chance: random.Random, raw: bytes, _: tuple[bytes, ...]) -> bytes:
    """Drop the end, the beginning, or a stretch in between."""
    first, second = sorted((chance.randrange(len(raw) + 1), chance.randrange(len(raw) + 1)))
    return chance.choice((raw[:first], raw[second:], raw[:first] + raw[second:]))


def spliced(chance: random.Random, raw: bytes, corpus: tuple[bytes, ...]) -> bytes:
    """Go on in the middle of one mail with the rest of another."""
    other = chance.choice(corpus)
    return raw[: chance.randrange(len(raw) + 1)] + other[chance.randrange(len(other) + 1) :]


def headers_doubled(chance: random.Random, raw: bytes, corpus: tuple[bytes, ...]) -> bytes:
    """Write header lines twice, up to many times, of this mail or another."""
    head, blank, body = raw.partition(b"\r\n\r\n")
    lines = head.split(b"\r\n") + chance.choice(corpus).partition(b"\r\n\r\n")[0].split(b"\r\n")
    for _ in range(chance.choice((1, 1, 3, 3, 30, 30, 30, 900))):
        lines.insert(chance.randrange(len(lines) + 1), chance.choice(lines))
    return b"\r\n".join(lines) + blank + body


def headers_swapped(chance: random.Random, raw: bytes, _: tuple[bytes, ...]) -> bytes:
    """Give the values of headers to others, or shuffle the lines."""
    head, blank, body = raw.partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    if chance.random() < 0.5:
        chance.shuffle(lines)
    else:
        names, values = [line.partition(b":")[0] for line in lines], [line.partition(b":")[2] for line in lines]
        chance.shuffle(values)
        lines = [name + b":" + value for name, value in zip(names, values, strict=True)]
    return b"\r\n".join(lines) + blank + body


def relabelled(chance: random.Random, raw: bytes, _: tuple[bytes, ...]) -> bytes:
    """Change the names of charsets and of transfer encodings."""
    for charset in CHARSETS[:4]:
        raw = raw.replace(b"charset=" + charset, b"charset=" + chance.choice(CHARSETS))
    for coding in (b"base64", b"quoted-printable", b"8bit"):
        if chance.random() < 0.4:
            raw = raw.replace(coding, chance.choice((b"base64", b"quoted-printable", b"x-uuencode", b"8bit", b"junk")))
    return raw


def boundaries_broken(chance: random.Random, raw: bytes, _: tuple[bytes, ...]) -> bytes:
    """Change some of the lines that part the parts, or their names."""
    lines = raw.split(b"\r\n")
    for at, line in enumerate(lines):
        if (line.startswith(b"--") or b"boundary=" in line) and chance.random() < 0.4:
            lines[at] = chance.choice(
                (b"", line[:-2], line + b"x", b"--" + line, line + b"--", b" " + line, line.upper())
            )
    return b"\r\n".join(lines)


def nested(chance: random.Random, raw: bytes, _: tuple[bytes, ...]) -> bytes:
    """Put the mail into many others, or into many multiparts, of different or equal boundaries."""
    depth = chance.choice((3, 15, 25, 300, 4_000))
    if chance.random() < 0.4:
        return b"From: a@example.ru\r\nContent-Type: message/rfc822\r\n\r\n" * depth + raw
    name = chance.choice(("b{}", "b"))
    layers = [
        f'Content-Type: multipart/mixed; boundary="{name.format(n)}"\r\n\r\n--{name.format(n)}\r\n'
        for n in range(depth)
    ]
    return b"From: a@example.ru\r\n" + "".join(layers).encode() + raw


def stretched(chance: random.Random, raw: bytes, _: tuple[bytes, ...]) -> bytes:
    """Repeat a short stretch until it is a giant line, header or body."""
    at = chance.randrange(len(raw) + 1)
    piece = raw[at : at + chance.choice((1, 1, 2, 7, 60, 400))] or b"x"
    return (
        raw[:at]
        + piece * (chance.choice((2_000, 2_000, 2_000, 20_000, 20_000, 60_000, 60_000, 300_000)) // len(piece))
        + raw[at:]
    )


def lines_shuffled(chance: random.Random, raw: bytes, _: tuple[bytes, ...]) -> bytes:
    """Put lines where they do not belong, or change how they end."""
    end = chance.choice((b"\r\n", b"\n", b"\r", b"\n\r", b"\r\r\n"))
    lines = raw.split(b"\r\n")
    for _time in range(chance.randint(0, 6)):
        lines.insert(chance.randrange(len(lines) + 1), lines.pop(chance.randrange(len(lines))))
    return end.join(lines)


WAYS: tuple[Way, ...] = (
    flipped, flipped, flipped, cut, cut, spliced, spliced, headers_doubled, headers_swapped, relabelled, relabelled,
    boundaries_broken, boundaries_broken, nested, stretched, lines_shuffled,
)  # fmt: skip


def look(raw: bytes) -> MailReading:
    """Read a mail as the service does, and make of it what the service would store and print."""
    reading = read(
        raw,
        own_addresses=[OURS],
        own_message_ids=OWN_IDS.__contains__,
        authserv="mx.games.example",
        speech=SPEECH,
    )
    msgspec.json.encode((reading.verdict, reading.incoming, reading.text, reading.sender, reading.bounces))
    assert isinstance(reading.verdict, Verdict)
    return reading


def main() -> None:
    """Read so many broken mails; end with the number of the first that breaks a promise."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--mails", type=int, default=10_000)
    options.add_argument("--seed", default="1")
    options.add_argument("--first", type=int, default=0)
    given = options.parse_args()
    corpus = tuple(sample.raw for sample in samples())
    for raw in corpus:
        look(raw)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    verdicts: Counter[str] = Counter()
    slowest = grown = 0.0
    for number in range(given.first, given.first + given.mails):
        raw = mutated(given.seed, number, corpus)
        began = time.process_time()
        try:
            verdicts[look(raw).verdict] += 1
        except BaseException:  # whatever it is, it must be said which mail did it
            sys.stderr.write(f"mail {number} of seed {given.seed!r}, {len(raw)} bytes" + "\n")
            raise
        took = time.process_time() - began
        if took > SECONDS:  # once more, for a busy machine is no fault of the reader
            began = time.process_time()
            look(raw)
            took = min(took, time.process_time() - began)
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        if took > SECONDS or grown > MEBIBYTES:
            sys.exit(f"mail {number} of seed {given.seed!r}, {len(raw)} bytes: {took:.2f} s, {grown:.0f} MiB")
        slowest = max(slowest, took)
    found = {"verdicts": dict(sorted(verdicts.items())), "slowest": round(slowest, 3), "grown": round(grown, 1)}
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
