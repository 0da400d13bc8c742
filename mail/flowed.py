"""``format=flowed`` text (RFC 3676) back to the lines its writer saw."""

from __future__ import annotations

from collections.abc import Iterable


def unflow(lines: Iterable[str], *, delsp: bool) -> list[str]:
    """Join soft-broken lines of equal quote depth and undo space-stuffing; quoted lines come back with ``> ``.

    The signature separator ``-- `` is never joined (RFC 3676 4.3). ``delsp`` drops the space of a soft break.
    """
    out: list[str] = []
    open_depth = -1
    pending: list[str] = []

    def flush() -> None:
        nonlocal open_depth
        if open_depth >= 0:
            out.append((">" * open_depth + " " if open_depth else "") + "".join(pending))
        pending.clear()
        open_depth = -1

    for line in lines:
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        if open_depth != depth or content == "-- ":
            flush()
        soft = content.endswith(" ") and content != "-- "
        pending.append(content[:-1] if soft and delsp else content)
        open_depth = depth
        if not soft:
            flush()
    flush()
    return out
