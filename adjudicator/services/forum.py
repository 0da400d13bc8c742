"""The forum edition of a public report: the same words as posts for each kind of board (play-by-mail 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

import msgspec

from adjudicator.errors import NotFound
from adjudicator.letters import Reader, Rendered, Report
from adjudicator.services.render import MAP, Unfolded, unfolded
from adjudicator.words import forum
from adjudicator.words.forum import Fold, Piece, Profile
from adjudicator.words.text import Markdown, bare

FOLDED: Final = ("journal", "table", "dice")
"""Sections that a board folds away where it can; the map in text is folded too, beside the picture."""

File: TypeAlias = tuple[str, str, bytes]
"""Name, media type, content."""


def boards() -> tuple[str, ...]:
    """Return the names of all boards."""
    return tuple(forum.profiles())


def profile(name: str) -> Profile:
    """Return a board's profile. Raises `NotFound`, which lists those there are."""
    found = forum.profiles().get(name)
    if found is None:
        raise NotFound("board", board=name, known=list(forum.profiles()))
    return found


def anybody(letter: Report) -> Report:
    """Return a public report as anybody may read it: nothing of its reader stands in it, his answer address least.

    Raises ValueError for a report that was made for a seat.
    """
    if letter.reader.seat:
        raise ValueError(f"the report for {letter.reader.seat!r} is not public")
    reader = Reader(name="", language=letter.reader.language, zone=letter.reader.zone)
    return msgspec.structs.replace(letter, reader=reader, forum=())


def posts(letter: Report, name: str, *, map_url: str = "") -> tuple[str, ...]:
    """Return the posts of a public report for a board, in order; ``map_url`` is where the map was uploaded, if it was.

    Raises `NotFound` for an unknown board.
    """
    return _posts(unfolded(anybody(letter)), profile(name), map_url)


def _posts(words: Unfolded, board: Profile, map_url: str) -> tuple[str, ...]:
    def continued(part: int, parts: int) -> str:
        said = words.voice("forum", "continued", {"part": part, "parts": parts})
        return "\n".join(piece.text for piece in forum.pieces(said, board))

    return forum.posts(list(_folds(words, board, map_url)), board, continued)


def _folds(words: Unfolded, board: Profile, map_url: str) -> Iterator[Fold]:
    """Yield the sections of a report; those of interest to some are folded away where the board can do that."""
    quiet = [_title(words, key) for key in FOLDED]
    for section in forum.sections(words.markdown):
        if words.shown in section.blocks:
            yield Fold((forum.heading(section.heading, 2, board), _picture(words, board, map_url)))
            rest = tuple(block for block in section.blocks if block != words.shown)
            yield _fold(section.heading if "spoiler" in board.tags else "", rest, board, folded=True)
        elif any(section.heading.startswith(title) for title in quiet):
            yield _fold(section.heading, section.blocks, board, folded=True)
        else:
            yield _fold(section.heading, section.blocks, board, folded=False)


def _title(words: Unfolded, key: str) -> str:
    return str(words.voice("heading", key))


def _fold(heading: str, blocks: Sequence[str], board: Profile, *, folded: bool) -> Fold:
    pieces = [piece for block in blocks for piece in forum.pieces(block, board)]
    if folded and "spoiler" in board.tags:
        return Fold(tuple(pieces), heading)
    if heading:
        pieces.insert(0, forum.heading(heading, 2, board))
    return Fold(tuple(pieces))


def _picture(words: Unfolded, board: Profile, map_url: str) -> Piece:
    file = f"{MAP}.png"
    shown = board.picture(map_url, bare(words.alt), file)
    if shown:
        return Piece((shown,))
    said: Markdown = words.voice("forum", "map", {"file": file})
    return forum.pieces(said, board)[0]


def editions(letter: Report, names: Sequence[str], *, map_url: str = "") -> tuple[File, ...]:
    """Return the forum editions of a public report as files, and the map to attach to them."""
    words = unfolded(anybody(letter))
    found: list[File] = [(f"{MAP}.png", "image/png", words.picture.png())]
    turn = "start" if letter.turn < 0 else f"turn-{letter.turn}"
    for name in names:
        board = profile(name)
        made = _posts(words, board, map_url)
        for part, text in enumerate(made, 1):
            number = f"-{part}" if len(made) > 1 else ""
            kind = "text/markdown" if board.markup == "markdown" else "text/plain"
            found.append((f"{turn}.{name}{number}.{board.extension}", kind, f"{text}\n".encode()))
    return tuple(found)


def with_editions(letter: Report, rendered: Rendered) -> Rendered:
    """Return the moderator's copy of a public report with the forum editions attached to it."""
    if not letter.forum:
        return rendered
    return msgspec.structs.replace(rendered, files=(*rendered.files, *editions(letter, letter.forum)))
