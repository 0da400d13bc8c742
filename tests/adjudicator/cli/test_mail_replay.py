"""``mail replay``: the quarantine read again, each mail named; files and folders looked through without any house."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from adjudicator import bootstrap
from adjudicator.config import load
from adjudicator.services import games, ingest, intake, people, tokens
from mail import caps
from tests.adjudicator.cli.commands import adjudicator, write_config

ARRIVAL = datetime(2026, 1, 5, 12, tzinfo=UTC)
HEAD = "From: Анна <anna@example.org>\nSubject: ход\nMessage-ID: <1@example.org>\n"
TEXT = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"


def letter(text: str, to: str = "judge@example.org") -> bytes:
    return f"To: {to}\n{HEAD}{TEXT}{text}".encode().replace(b"\n", b"\r\n")


def replay(folder: Path, *args: object) -> dict[str, Any]:
    result = adjudicator(folder, "mail", "replay", *args, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    shown: dict[str, Any] = json.loads(result.stdout)
    return shown


def receive(folder: Path, *mails: bytes) -> None:
    """Let mails arrive in the judge's Maildir and get their verdicts."""
    for number, raw in enumerate(mails):
        (folder / "Maildir" / "new" / f"{int(ARRIVAL.timestamp())}.M{number}P1.test").write_bytes(raw)
    with bootstrap.opened(load(folder / "adjudicator.toml")) as house:
        desk = bootstrap.desk(house)
        for source in desk.sources:
            ingest.poll(house, source)
        intake.handle_all(house, desk.doorway)


@pytest.fixture
def service(tmp_path: Path) -> Path:
    """Give a service without any game."""
    for part in ("cur", "new", "tmp"):
        (tmp_path / "Maildir" / part).mkdir(parents=True)
    write_config(tmp_path, imap="", maildir='path = "Maildir"')
    adjudicator(tmp_path, "init")
    return tmp_path


def test_nothing_in_quarantine_is_said(service: Path) -> None:
    assert replay(service) == {"mails": []}
    assert adjudicator(service, "mail", "replay", language="ru").stdout == "В карантине пусто: перечитывать нечего.\n"


def test_mail_without_any_game_is_read_again_and_named(service: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    receive(service, letter("готов\n" * 2_500))
    monkeypatch.setattr(caps, "OWN_LINES_LIMIT", 10_000)

    assert replay(service) == {
        "mails": [
            {
                "number": 1,
                "sender": "anna@example.org",
                "arrival": "2026-01-05T12:00:00Z",
                "was": "too-many-lines",
                "did": "read",
                "verdict": "held",
                "why": "unknown-sender",
            }
        ]
    }
    assert replay(service) == {"mails": []}


def test_player_whose_mail_is_read_again_gets_his_orders(service: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with bootstrap.opened(load(service / "adjudicator.toml")) as house, house.unit("test") as work:
        game = games.create(work, "pirates", 2)
        for name, seat in (("anna", "spain-1"), ("boris", "pirates-1")):
            games.join(work, game, games.invite(work, game, f"{name}@example.org", seat=seat), arrival=work.now)
        if game.status == "created":
            games.start(work, game)
        tenure = people.tenures(work, game)[0]
        to = tokens.reply_address("judge@example.org", tokens.of_tenure(work.vault, game, tenure))
    receive(service, letter("золото 2\n" + "привет\n" * 2_500, to))
    monkeypatch.setattr(caps, "OWN_LINES_LIMIT", 10_000)

    result = adjudicator(service, "mail", "replay", "--mail", 1, language="ru")

    assert (result.exit_code, result.stderr) == (0, "")
    assert [" ".join(line.split()) for line in result.stdout.splitlines() if line.strip()][2:] == [
        "1 anna@example.org пн 5 января 12:00 (UTC) слишком много строк прочитано: исполнено",
        "Перечитано 1; осталось в карантине 0.",
    ]


def test_mail_that_stays_in_quarantine_is_named(service: Path) -> None:
    receive(service, letter("готов\n" * 2_500))

    [one] = replay(service)["mails"]

    assert (one["did"], one["verdict"], one["was"], one["why"]) == (
        "still",
        "quarantined",
        "too-many-lines",
        "too-many-lines",
    )


def test_number_that_is_not_in_quarantine_is_refused(service: Path) -> None:
    result = adjudicator(service, "mail", "replay", "--mail", 7)

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "✗ Mail 7 is not in quarantine. See: adjudicator inbox --verdict quarantined.\n"


def test_files_and_numbers_do_not_go_together(service: Path) -> None:
    result = adjudicator(service, "mail", "replay", "--mail", 7, service)

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "✗ Either files or mails of the quarantine: --mail and files do not go together.\n"


def test_without_a_configuration_there_is_no_quarantine_and_that_is_said(tmp_path: Path) -> None:
    assert replay(tmp_path) == {"mails": [], "why": "no-configuration"}
    told = adjudicator(tmp_path, "mail", "replay", language="ru").stdout
    assert told.startswith("Здесь нет настроек, а значит, и карантина: ")


def test_folder_of_mails_is_looked_through_without_a_configuration(tmp_path: Path) -> None:
    (tmp_path / "deep" / "new").mkdir(parents=True)
    (tmp_path / "b.eml").write_bytes(letter("спасибо за отчёт!\n"))
    (tmp_path / "a.EML").write_bytes(letter("пират 1: A5 - B6\n"))
    (tmp_path / "deep" / "new" / "1736.M1P1.host").write_bytes(letter("готов\n" * 2_500))
    (tmp_path / "notes.txt").write_text("no mail", encoding="utf-8")

    found = replay(tmp_path, tmp_path)["mails"]

    assert [(Path(one["file"]).name, one["verdict"], one["why"]) for one in found] == [
        ("a.EML", "orders", ""),
        ("b.eml", "empty", "no-intent"),
        ("1736.M1P1.host", "quarantined", "too-many-lines"),
    ]


def test_files_are_shown_in_a_table_and_nothing_is_changed(service: Path) -> None:
    file = service / "a.eml"
    file.write_bytes(letter("готов\n"))
    before = (service / "adjudicator.db").read_bytes()

    result = adjudicator(service, "mail", "replay", file)

    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == "Read 1 letter; nothing was changed."
    assert (service / "adjudicator.db").read_bytes() == before


def test_empty_folder_is_said_and_a_missing_file_is_named(tmp_path: Path) -> None:
    assert adjudicator(tmp_path, "mail", "replay", tmp_path).stdout.startswith(
        "There are no letters in these folders: "
    )
    assert adjudicator(tmp_path, "mail", "replay", tmp_path / "none.eml").exit_code == 1
