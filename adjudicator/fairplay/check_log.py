"""Check a log by yourself, with the standard library alone: `python3 check_log.py log-1.jsonl log-2.jsonl`."""

from __future__ import annotations

import hmac
import json
import struct
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any


def _line(*fields: object) -> bytes:
    return "".join(f"{field}\n" for field in fields).encode()


def _canon(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _die(key: bytes, address: str, sides: int, attempt: int = 0) -> int:
    block = hmac.digest(key, _line("pbm-dice/1", "die", address, sides, attempt), "sha256")
    faces = [1 + word % sides for word in struct.unpack(">8I", block) if word < 2**32 - 2**32 % sides]
    return faces[0] if faces else _die(key, address, sides, attempt + 1)


def _key(where: tuple[str, str, int], rows: list[str], known: Any, seed: str) -> tuple[bytes, str, bool]:
    document = sha256(_line("pbm-dice/1", "entropy", *where, *rows))
    value, message = seed, _line("pbm-dice/1", "batch", *where) + document.digest()
    for i in range(where[2], known[0], -1):
        value = sha256(_line("pbm-dice/1", "chain", *where[:2], i) + bytes.fromhex(value)).hexdigest()
    return hmac.digest(bytes.fromhex(seed), message, "sha256"), document.hexdigest(), value == known[1]


def _check_dice(seq: int, event: Any, campaign: str, book: Any) -> list[str]:
    for stream, anchor in (event.get("anchors") or {event.get("stream"): event.get("anchor")}).items():
        book[stream] = (0, anchor)
    book |= {stream: (chain["after"], chain["anchor"]) for stream, chain in event.get("chains", {}).items()}
    book |= {f"{stream} {batch}": event for stream, batch in event.get("streams", {}).items()}
    book |= {event["lock"]: event["value"]} if event.get("value") else {}
    shown = {(name, row) for rows in event.get("rows", {}).values() for name, row in rows.items()}
    said = {(name, sha256(text.encode()).hexdigest()) for name, text in event.get("phrases", {}).items()}
    wrong = [f"#{seq}: the phrase of {name} is not in the entropy" for name, _ in sorted(said - shown)]
    for stream, batch, seed in [(s, int(b), v) for s, its in event.get("seeds", {}).items() for b, v in its.items()]:
        lock, name, known = book.get(f"{stream} {batch}", {}), f"{stream}/{batch}", book.get(stream, (0, ""))
        rows = [f"{seat}={row}" for seat, row in sorted(lock.get("rows", {}).get(stream, {}).items())]
        rows.append(f"beacon={book.get(lock.get('seq'), '-')}")
        book[name], entropy, proven = _key((campaign, stream, batch), rows, known, seed)
        if not proven or event.get("entropy", {}).get(stream, {}).get(str(batch), entropy) != entropy:
            wrong.append(f"#{seq}: seed or entropy of {name} is not what was promised")
        book[stream] = max(known, (batch, seed))
    for stream, batch, address, sides, face in event.get("dice", []) if event.get("type") == "result" else []:
        if _die(book.get(f"{stream}/{batch}", b""), address, sides) != face:
            wrong.append(f"#{seq}: the die {address} is not {face}")
    return wrong


def main(names: list[str]) -> int:
    """Print what is wrong with the log in these files, and its head; return 1 if anything is wrong."""
    entries = [json.loads(text) for name in names for text in Path(name).read_bytes().split(b"\n") if text.strip()]
    events = {entry["seq"]: entry for entry in entries if "seq" in entry}
    campaign, head, heads = str(events.get(1, {}).get("campaign")), "0" * 64, dict[int, str]()
    book, wrong = dict[str, Any](), list[str]()
    for seq in range(1, max(events, default=0) + 1):
        head = heads[seq] = sha256(_line("pbm-log/1", "event", head) + _canon(events.get(seq, {}))).hexdigest()
        wrong += _check_dice(seq, events[seq], campaign, book) if seq in events else [f"#{seq}: missing"]
    wrong += [f"#{e['pin']}: not the pin's head" for e in entries if "pin" in e and heads.get(e["pin"]) != e["head"]]
    for told in [entry for entry in entries if "open" in entry]:
        private = events.get(told["open"], {}).get("private", {})
        hidden = _line("pbm-log/1", "private") + bytes.fromhex(told["salt"]) + _canon(told["object"])
        if sha256(hidden).hexdigest() != (private.get(told["part"]) if "part" in told else private):
            wrong.append(f"#{told['open']}: an opening does not fit")
    sys.stdout.write("\n".join([*wrong, f"{'NOT RIGHT' if wrong else 'right'}, head {head}"]) + "\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
