"""Every sentence exists in both languages, asks for the same facts, and cannot drive a terminal."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from adjudicator.cli.app import app
from adjudicator.cli.phrases import LANGUAGES, Language, phrases, printable

ROOT = Path(__file__).parents[3]
ERRORS = ("ConfigError", "RefusedByRules", "NotFound")


def wanted(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def forms(text: str) -> list[int]:
    return [len(spec.split("|")) - 1 for _, _, spec, _ in string.Formatter().parse(text) if spec and spec[0] == "|"]


def test_both_languages_have_the_same_phrases_in_the_same_order() -> None:
    assert phrases("ru").keys == phrases("en").keys


def test_both_languages_ask_for_the_same_facts() -> None:
    russian, english = phrases("ru")._table, phrases("en")._table

    assert {key: wanted(text) for key, text in russian.items()} == {key: wanted(text) for key, text in english.items()}


@pytest.mark.parametrize(("language", "number"), [("ru", 3), ("en", 2)])
def test_plurals_have_as_many_forms_as_the_language(language: Language, number: int) -> None:
    assert {count for text in phrases(language)._table.values() for count in forms(text)} == {number}


@pytest.mark.parametrize(
    ("count", "russian", "english"),
    [
        (0, "0 писем", "0 letters"),
        (1, "1 письмо", "1 letter"),
        (2, "2 письма", "2 letters"),
        (5, "5 писем", "5 letters"),
        (11, "11 писем", "11 letters"),
        (21, "21 письмо", "21 letters"),
    ],
)
def test_numbers_take_their_form(count: int, russian: str, english: str) -> None:
    assert phrases("ru")("send.sent", count=count) == f"Отправлено: {russian}."
    assert phrases("en")("send.sent", count=count) == f"Sent: {english}."


def keys_raised() -> Iterator[str]:
    for path in sorted((ROOT / "adjudicator").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            raised = node.exc if isinstance(node, ast.Raise) else None
            if isinstance(raised, ast.Call) and getattr(raised.func, "id", "") in ERRORS:
                key = raised.args[0]
                if isinstance(key, ast.Constant):
                    yield str(key.value)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_error_of_the_service_has_a_sentence(language: Language) -> None:
    told_apart = {"invalid", "not-toml"}

    missing = sorted(key for key in set(keys_raised()) - told_apart if f"error.{key}" not in phrases(language))

    assert missing == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_fault_has_a_sentence(language: Language) -> None:
    verify = (ROOT / "adjudicator/fairplay/verify.py").read_text(encoding="utf-8")
    kinds = re.findall(r"``([a-z-]+)``", verify.partition("Kinds of fault")[2].partition('"""')[0])

    assert len(kinds) > 25
    assert [kind for kind in kinds if f"fault.{kind}" not in phrases(language)] == []


def test_every_finding_of_check_has_a_sentence() -> None:
    tree = ast.parse((ROOT / "adjudicator/check.py").read_text(encoding="utf-8"))
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    named = {key.removeprefix("check.") for key in phrases("en").keys if key.startswith("check.")}
    reached = {key for key in named if key in texts or (key.startswith("imap-") and f"{key[5:]}" in SOURCE_CODES)}

    assert sorted(named - reached - {"ok", "wrong", "all-good", "some-wrong"}) == []
    assert [code for code in SOURCE_CODES if f"check.imap-{code}" not in phrases("en")] == []


SOURCE_CODES = (
    "connect-failed", "timeout", "tls-failed", "connection-lost", "protocol-error", "login-refused",
    "certificate-refused", "plaintext-refused", "starttls-missing", "login-put-off",
)  # fmt: skip


def walked(command: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from walked(inner, f"{path} {name}".strip())


def test_every_command_and_option_has_help_and_no_phrase_is_idle() -> None:
    say = phrases("ru")
    used = {"option.help"}
    for path, command in walked(typer.main.get_command(app)):
        used.add(f"help.{path or 'adjudicator'}")
        for parameter in command.params:
            used.add(say.first(f"option.{path}.{parameter.name}", f"option.{parameter.name}"))

    assert {key for key in say.keys if key.startswith(("help.", "option."))} == used


def test_a_missing_phrase_or_fact_is_a_mistake_of_ours() -> None:
    with pytest.raises(LookupError, match=r"no phrase 'error\.nonsense' in ru"):
        phrases("ru")("error.nonsense")
    with pytest.raises(LookupError, match=r"'error\.game' in en wants the fact 'tag'"):
        phrases("en")("error.game")


def test_texts_of_others_cannot_drive_the_terminal() -> None:
    hostile = "\x1b]0;title\x07 \u202eevil\x00 ‎\u2028"

    assert printable(hostile) == "�]0;title� �evil� ��"
    assert phrases("en")("read.subject", subject=hostile) == f"Subject: {printable(hostile)}"
    assert printable("Анна — «Морской Волк», 3\t") == "Анна — «Морской Волк», 3\t"
