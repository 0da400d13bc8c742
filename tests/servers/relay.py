"""A relay of the drand beacon on loopback: it gives made-up rounds, or fails in a way that is asked for."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from adjudicator.fairplay.chain import BEACON_CHAIN


def signature(number: int) -> bytes:
    """Return the made-up signature of a round, 48 bytes like a real one."""
    return (sha256(b"%d" % number).digest() * 2)[:48]


@dataclass(slots=True)
class Relay:
    """A running relay: ``mode`` says how it answers (``good``, ``missing``, ``lying``, ``huge``, ``other-round``)."""

    address: str = ""
    mode: str = "good"
    asked: list[int] = field(default_factory=list)

    def answer(self, path: str) -> tuple[int, bytes]:
        """Return status and body for a request."""
        prefix = f"/{BEACON_CHAIN}/public/"
        if not path.startswith(prefix) or self.mode == "missing":
            return 404, b"{}"
        number = int(path.removeprefix(prefix))
        self.asked.append(number)
        shown = signature(number)
        document = {"round": number, "signature": shown.hex(), "randomness": sha256(shown).hexdigest()}
        if self.mode == "lying":
            document["randomness"] = "0" * 64
        if self.mode == "other-round":
            document["round"] = number + 1
        return 200, b"{" * 9000 if self.mode == "huge" else json.dumps(document).encode()


@contextmanager
def relay() -> Iterator[Relay]:
    """Give a relay that runs inside the block."""
    found = Relay()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = found.answer(self.path)
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing on the screen of the tests."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    found.address = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
