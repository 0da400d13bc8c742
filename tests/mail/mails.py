"""Raw mails for tests, with everything that is not said left ordinary."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import settings

from mail.text import Line, split_lines

FIXED = settings(derandomize=True, max_examples=300, deadline=None)
"""The same examples at every run."""

OURS = "judge@games.example"
ORDERS = "пират 1: A5 - B6\nпират 2: копать C4"
OLD = "пират 1: A1 - A2\nпират 3: стоять"


def raw_mail(
    body: str | bytes = ORDERS,
    *headers: tuple[str, str],
    sender: str = "Igor <igor@example.ru>",
    subject: str = "Re: [jackal-12] 5",
    kind: str = "text/plain; charset=utf-8",
    charset: str = "utf-8",
) -> bytes:
    """Build a mail; `headers` stand at the top, as a server puts them."""
    fields = [
        *headers,
        ("From", sender),
        ("To", "judge+g12@games.example"),
        ("Subject", subject),
        ("Date", "Mon, 3 Nov 2025 10:00:00 +0300"),
        ("Message-ID", "<1@example.ru>"),
        ("MIME-Version", "1.0"),
        ("Content-Type", kind),
    ]
    head = "".join(f"{name}: {value}\r\n" for name, value in fields if value).encode("utf-8", "surrogateescape")
    data = body if isinstance(body, bytes) else body.replace("\n", "\r\n").encode(charset)
    return head + b"\r\n" + data


def parts(boundary: str, *bodies: tuple[str, bytes]) -> bytes:
    """Build the body of a multipart from (header lines, content)."""
    mark = f"--{boundary}\r\n".encode()
    made = b"".join(
        mark + head.replace("\n", "\r\n").encode() + b"\r\n\r\n" + content + b"\r\n" for head, content in bodies
    )
    return made + f"--{boundary}--\r\n".encode()


def numbered(text: str) -> tuple[Line, ...]:
    """Give the lines of a text as the decoder numbers them."""
    return tuple(Line(number, raw) for number, raw in enumerate(split_lines(text), 1))


def texts(lines: Iterable[Line]) -> list[str]:
    """Give the plain text of lines, blank ones left out."""
    return [line.text for line in lines if line.raw.strip()]
