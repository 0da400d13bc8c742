"""A case file in words: Markdown with all of its parts side by side, and the text of every rule it cites (6)."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Any

import msgspec

from adjudicator.letters import Reader
from adjudicator.services.casefile import Case, MailCase
from adjudicator.services.render import SHARED, UNFOLDED, Room, Voice, dice_table, line_of, voice_of
from adjudicator.words.environment import render as fill
from adjudicator.words.layout import fold
from adjudicator.words.text import Markdown, as_markdown
from engine.core.story import Step


def markdown(case: Case, *, width: int = UNFOLDED) -> str:
    """Return a case file as Markdown that can be read as it stands, pasted or attached."""
    room = Room(case.head.ruleset)
    view = room.view(case.view)
    voice = voice_of(case.reader, case.head, view, room)
    steps = _steps(case, room, view)
    verdict = {"replayed": "replayed", "dice checked": "checked", "broken": "broken"}.get(case.verdict, "unchecked")
    titled = {seat: voice.title(titles) for seat, titles in case.titles.items()}
    text = fill(
        f"{SHARED}/case.md.j2",
        voice.reader.language,
        voice.say.ruleset,
        c=voice.cast,
        head=case.head,
        f={**msgspec.structs.asdict(case), "viewer_title": titled.get(case.viewer, "")},
        mails=[_mail(one, place, titled, voice) for place, one in enumerate(case.mails, 1)],
        orders=[{**msgspec.structs.asdict(one), "title": titled[one.seat]} for one in case.orders],
        dice=dice_table(case.dice, voice),
        verdict=verdict,
        proofs=case.proofs,
        steps=[_told(step, voice) for step in steps],
        rules=_rules(steps, case.head.ruleset, case.reader),
        report=case.report,
        report_lines=[line.rstrip() for line in case.report_text.splitlines()],
    )
    return as_markdown(fold(text, width))


def _mail(one: MailCase, place: int, titled: dict[str, str], voice: Voice) -> dict[str, Any]:
    return {
        **msgspec.structs.asdict(one),
        "grounds": msgspec.structs.asdict(one.grounds) if one.grounds is not None else {},
        "title": titled.get(one.seat, one.seat),
        "place": place,
        "read": [line_of(line, voice, one.answer) for line in one.answer.lines] if one.answer else [],
        "sealed": one.orders is None,
    }


def _steps(case: Case, room: Room, view: Any) -> tuple[Step, ...]:
    """Return the steps that have to do with what the case is about."""
    steps = room.steps(view, room.events(case.events))
    return tuple(step for step in steps if not case.pieces or set(case.pieces) & set(step.pieces))


def _told(step: Step, voice: Voice) -> dict[str, Markdown | str]:
    said = voice("journal", step.scene.key, step.scene.facts)
    teller = f"{voice('journal', 'piece', step.piece)}: " if step.piece else ""
    return {"text": Markdown(f"{teller}{said}"), "rule": step.rule}


def _rules(steps: Sequence[Step], ruleset: str, reader: Reader) -> list[Markdown]:
    """Return the text of every rule that a step cites, as played here, in the order of the rulebook."""
    cited = {step.rule for step in steps}
    file = files(f"engine.{ruleset}").joinpath(f"rules.{reader.language}.md").read_text(encoding="utf-8")
    blocks = [block.strip() for block in file.split("\n\n")]
    return [Markdown(block) for block in blocks if block.startswith("**") and block[2:].partition(".**")[0] in cited]
