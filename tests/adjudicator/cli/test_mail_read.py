"""``mail read``: how a letter would be read, with a house and without, changing nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from adjudicator import bootstrap
from adjudicator.config import load
from adjudicator.services import games, people, tokens
from tests.adjudicator.cli.commands import adjudicator, write_config

HEAD = "From: Анна <anna@example.org>\nTo: judge@example.org\nSubject: ход\nMessage-ID: <1@example.org>\n"
TEXT = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"


def written(folder: Path, text: str, head: str = HEAD) -> Path:
    file = folder / "letter.eml"
    file.write_bytes((head + TEXT + text).encode().replace(b"\n", b"\r\n"))
    return file


def read(folder: Path, file: Path) -> dict[str, Any]:
    result = adjudicator(folder, "mail", "read", file, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    shown: dict[str, Any] = json.loads(result.stdout)
    return shown


def test_a_letter_is_read_without_a_configuration(tmp_path: Path) -> None:
    attribution = "пн, 3 нояб. 2025 г. в 10:00, Судья <judge@example.org>:"
    own = "Привет!\nкорабль 4: курс ЮВ 3; огонь до 1\n"

    file = written(tmp_path, f"{own}\n{attribution}\n> корабль 5: стоять\n")

    assert read(tmp_path, file) == {
        "verdict": "orders",
        "why": "",
        "sender": {"address": "anna@example.org", "proven": False, "why": "no-configuration"},
        "subject": "ход",
        "own": ["Привет!", "корабль 4: курс ЮВ 3; огонь до 1"],
        "set_aside": [
            {"line": attribution, "why": "attribution"},
            {"line": "> корабль 5: стоять", "why": "quote"},
        ],
        "charset": "utf-8",
        "repairs": [],
    }


@pytest.mark.parametrize(
    ("text", "head", "verdict", "why"),
    [
        ("ship 4: course SE 3\n", "", "orders", ""),
        ("золото 2\n", "", "orders", ""),
        ("готов\n", "", "orders", ""),
        ("письмо всем: где вы?\n", "", "orders", ""),
        ("пират 1: A5 - B6\n", "", "orders", ""),
        ("Спасибо за игру, до встречи!\n", "", "empty", "no-intent"),
        ("\n", "", "empty", "no-own-text"),
        ("> корабль 4: стоять\n", "", "empty", "no-own-text"),
        ("корабль 4: стоять\n", "Auto-Submitted: auto-replied\n", "automatic", "auto-submitted"),
        ("корабль 4: стоять\n", "Subject: Автоответ: ход\n", "held", "weak-automatic"),
    ],
)
def test_verdicts(tmp_path: Path, text: str, head: str, verdict: str, why: str) -> None:
    whole = HEAD.replace("Subject: ход\n", "") + head if "Subject" in head else HEAD + head

    shown = read(tmp_path, written(tmp_path, text, whole))

    assert (shown["verdict"], shown["why"]) == (verdict, why)


def test_a_bounce_is_known(tmp_path: Path) -> None:
    head = "From: MAILER-DAEMON@example.org\nTo: judge@example.org\nSubject: Undelivered\nReturn-Path: <>\n"

    assert read(tmp_path, written(tmp_path, "550 no such user\n", head))["verdict"] == "bounce"


def test_a_bomb_is_set_aside_in_one_object(tmp_path: Path) -> None:
    file = tmp_path / "bomb.eml"
    part = b"--x\r\nContent-Type: text/plain\r\n\r\nhi\r\n"
    file.write_bytes(b"From: a@example.org\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n" + part * 50_000)

    shown = read(tmp_path, file)

    assert (shown["verdict"], shown["why"], shown["own"]) == ("quarantined", "too-many-parts", [])


def test_bytes_that_are_no_mail_are_answered_too(tmp_path: Path) -> None:
    file = tmp_path / "noise.eml"
    file.write_bytes(bytes(range(256)) * 40)

    assert read(tmp_path, file)["sender"]["proven"] is False


@pytest.fixture
def playing(tmp_path: Path) -> tuple[Path, str]:
    """Give a house where Anna plays Spain, and the address that her answers go to."""
    write_config(tmp_path)
    adjudicator(tmp_path, "init")
    with bootstrap.opened(load(tmp_path / "adjudicator.toml")) as house, house.unit("test") as work:
        game = games.create(work, "pirates", 2)
        for name, seat in (("anna", "spain-1"), ("boris", "pirates-1")):
            invitation = games.invite(work, game, f"{name}@example.org", seat=seat)
            games.join(work, game, invitation, arrival=work.now)
        if game.status == "created":
            games.start(work, game)
        tenure = people.tenures(work, game)[0]
        return tmp_path, tokens.reply_address("judge@example.org", tokens.of_tenure(work.vault, game, tenure))


def test_a_house_proves_the_sender_by_the_secret(playing: tuple[Path, str]) -> None:
    folder, address = playing

    shown = read(folder, written(folder, "золото 2\n", HEAD.replace("judge@example.org", address)))

    assert shown["sender"] == {"address": "anna@example.org", "proven": True, "why": "token"}
    assert shown["verdict"] == "orders"


def test_a_house_holds_what_nobody_vouches_for(playing: tuple[Path, str]) -> None:
    folder, _ = playing

    shown = read(folder, written(folder, "золото 2\n"))

    assert (shown["verdict"], shown["why"]) == ("held", "unproven")
    assert shown["sender"] == {"address": "anna@example.org", "proven": False, "why": "unproven"}


def test_reading_changes_nothing(playing: tuple[Path, str]) -> None:
    folder, address = playing
    database = folder / "adjudicator.db"
    before = database.read_bytes()

    read(folder, written(folder, "золото 2\n", HEAD.replace("judge@example.org", address)))

    assert database.read_bytes() == before


def test_a_person_is_told_in_words_and_hostile_text_is_shown_harmless(tmp_path: Path) -> None:
    file = written(tmp_path, "корабль 4: стоять \x1b[31m\n", HEAD.replace("ход", "\x1b]0;pwned\x07"))

    result = adjudicator(tmp_path, "mail", "read", file, language="ru")

    assert result.exit_code == 0
    assert "\x1b" not in result.stdout
    assert result.stdout.splitlines()[:2] == [
        "Решение: есть что исполнить; исполнится, когда отправитель доказан",
        "Отправитель anna@example.org: не доказан (нет настроек: сверить не с чем)",
    ]


def test_json_escapes_what_could_drive_a_terminal(tmp_path: Path) -> None:
    file = written(tmp_path, "готов\n", HEAD.replace("ход", "a\x9bb\u202ec"))

    result = adjudicator(tmp_path, "mail", "read", file, "--json")

    assert json.loads(result.stdout)["subject"] == "a\x9bb\u202ec"
    assert "\\u202e" in result.stdout
    assert not {"\x9b", "\u202e"} & set(result.stdout)


def test_a_configuration_that_cannot_be_used_is_only_said(tmp_path: Path) -> None:
    (tmp_path / "adjudicator.toml").write_text("[service\n", encoding="utf-8")

    shown = read(tmp_path, written(tmp_path, "готов\n"))

    assert (shown["verdict"], shown["sender"]["why"]) == ("orders", "not-toml")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    result = adjudicator(tmp_path, "mail", "read", tmp_path / "none.eml", "--json")

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"✗ There is no file {tmp_path / 'none.eml'}. Check the path.\n"


def test_a_folder_is_no_letter(tmp_path: Path) -> None:
    result = adjudicator(tmp_path, "mail", "read", tmp_path, language="ru")

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        f"✗ {tmp_path} — папка, а не письмо. Назовите файл; папку целиком читает adjudicator mail replay.\n"
    )


def test_a_letter_comes_by_standard_input(tmp_path: Path) -> None:
    raw = written(tmp_path, "готов\n").read_bytes()

    result = adjudicator(tmp_path, "mail", "read", "-", "--json", stdin=raw)

    assert (result.exit_code, result.stderr) == (0, "")
    assert (json.loads(result.stdout)["verdict"], json.loads(result.stdout)["own"]) == ("orders", ["готов"])


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("first", [b"", b"From anna@example.org Mon Nov  3 10:00:00 2025\n"])
def test_line_ends_and_the_first_line_of_an_mbox_change_nothing(tmp_path: Path, end: bytes, first: bytes) -> None:
    file = tmp_path / "letter.eml"
    file.write_bytes((first + (HEAD + TEXT + "готов\nпират 1: A5 - B6\n").encode()).replace(b"\n", end))

    shown = read(tmp_path, file)

    assert (shown["verdict"], shown["subject"], shown["own"]) == ("orders", "ход", ["готов", "пират 1: A5 - B6"])


def test_a_letter_over_the_limit_is_set_aside_and_still_named(tmp_path: Path) -> None:
    shown = read(tmp_path, written(tmp_path, "готов\n" * 3_000_000))

    assert (shown["verdict"], shown["why"]) == ("quarantined", "too-large")
    assert (shown["sender"]["address"], shown["subject"], shown["own"]) == ("anna@example.org", "ход", [])


def test_a_sender_whom_a_provider_calls_forged_is_held(tmp_path: Path) -> None:
    said = "Authentication-Results: mx.example.net; dmarc=fail header.from=example.org\n"

    shown = read(tmp_path, written(tmp_path, "готов\n", said + HEAD))

    assert (shown["verdict"], shown["why"], shown["sender"]["why"]) == ("held", "auth-fail", "auth-fail")


def test_a_failure_of_another_domain_says_nothing_of_the_sender(tmp_path: Path) -> None:
    said = "Authentication-Results: mx.example.net; dmarc=fail header.from=example.net\n"

    assert read(tmp_path, written(tmp_path, "готов\n", said + HEAD))["verdict"] == "orders"


def test_lost_letters_hold_the_letter(tmp_path: Path) -> None:
    shown = read(tmp_path, written(tmp_path, "корабль 4: сто\ufffdть\n"))

    assert (shown["verdict"], shown["why"], shown["repairs"]) == ("held", "letters-damaged", ["letters-damaged"])


def test_a_letter_forwarded_without_a_word_is_held(tmp_path: Path) -> None:
    text = "-------- Пересылаемое сообщение --------\nОт: Судья <judge@example.org>\nТема: ход\n\nкорабль 4: стоять\n"

    shown = read(tmp_path, written(tmp_path, text))

    assert (shown["verdict"], shown["why"], shown["own"]) == ("held", "forwarded", [])


@pytest.mark.parametrize(
    ("code", "repair"), [("charset-mislabelled", "названа не та кодировка, верная узнана по буквам")]
)
def test_what_was_mended_is_told_in_words(tmp_path: Path, code: str, repair: str) -> None:
    file = tmp_path / "letter.eml"
    head = HEAD + "Content-Type: text/plain; charset=windows-1251\nContent-Transfer-Encoding: 8bit\n\n"
    file.write_bytes(head.encode() + "корабль 4: стоять и ждать ветра\n".encode("koi8-r"))

    assert read(tmp_path, file)["repairs"] == ["charset-mislabelled"]
    told = adjudicator(tmp_path, "mail", "read", file, language="ru").stdout.splitlines()
    repair = "Исправлено при чтении: названа не та кодировка, верная узнана по буквам."
    assert told[3:5] == ["Кодировка: koi8-r", repair]


def test_a_house_holds_a_robots_mail_that_gives_orders_by_the_secret(playing: tuple[Path, str]) -> None:
    folder, address = playing
    head = HEAD.replace("judge@example.org", address) + "Auto-Submitted: auto-generated\n"

    shown = read(folder, written(folder, "золото 2\n", head))

    assert (shown["verdict"], shown["why"]) == ("held", "robot")
