"""A game made by mail: from a host's address, with switches, seats and a letter to pass on (play-by-mail 0)."""

from __future__ import annotations

from typing import Any

import pytest
from sqlmodel import col, select

from adjudicator.errors import RefusedByRules
from adjudicator.services import hosting, people, positions
from adjudicator.services.header import Header
from adjudicator.storage.tables import Game
from tests.adjudicator.services.stage import ANNA, BORIS, OPERATOR, SPAIN, VERA, Stage
from tests.adjudicator.services.test_doorstep import FAILED, answer, write
from tests.adjudicator.services.test_parts import vouch

ZONE = "Europe/Moscow"


def games_of(stage: Stage) -> list[str]:
    with stage.house.look() as work:
        return list(work.session.exec(select(Game.tag).order_by(col(Game.id))))


def header(stage: Stage, tag: str) -> Header:
    with stage.house.look() as work:
        return positions.table(work.game(tag, lock=False)).header


def test_host_makes_a_game_by_mail_and_is_its_moderator(both: Stage) -> None:
    vouch(both)
    write(both, OPERATOR, "создать пираты 3\nрасписание = 24h\nвход = открытый")

    facts = both.notices("created", OPERATOR)[0]
    tag = games_of(both)[-1]
    assert (facts["players"], len(facts["seats"]), facts["entry"]) == (3, 3, "open")
    assert facts["anchors"] == both.events(tag, "genesis")[0]["anchors"]
    assert (header(both, tag).schedule, header(both, tag).entry) == ("24h", "open")
    with both.house.look() as work:
        judge = people.moderator(work, work.game(tag, lock=False))
        assert judge is not None
        assert people.main_address(work, people.player(work, judge.player_id)) == OPERATOR


def test_host_makes_a_game_in_english_with_options_and_invitations(empty: Stage) -> None:
    vouch(empty)
    write(
        empty,
        OPERATOR,
        'create pirates golitsyn players=2 limit=50 schedule="every mon 21:00 Europe/London"\n'
        f"names: hidden\nauto start: no\ninvite Anna <{ANNA}> Spain-1\ninvite {BORIS}\ninvite nobody",
    )

    tag = games_of(empty)[0]
    assert [(row.address, value.reader.seat) for row, value in empty.letters("invitation")] == [
        (ANNA, SPAIN),
        (BORIS, ""),
    ]
    assert [one["why"] for one in empty.notices("created")[0]["invited"]] == ["", "", "bad-address"]
    assert (header(empty, tag).names, header(empty, tag).auto_start) == ("hidden", False)
    assert empty.events(tag, "genesis")[0]["options"]["limit"] == 50


def test_only_a_host_makes_games_by_mail(empty: Stage) -> None:
    vouch(empty)
    write(empty, VERA, "создать пираты")

    assert (games_of(empty), empty.kinds()) == ([], [])


def test_unproven_host_is_asked_whether_it_was_he(empty: Stage) -> None:
    write(empty, OPERATOR, "создать пираты 2", headers=())
    assert (games_of(empty), empty.verdicts()) == ([], [("held", "unproven")])

    answer(empty, "confirm", OPERATOR, "да")

    assert games_of(empty) == ["pirates-1"]
    assert len(empty.letters("created", OPERATOR)) == 1


def test_forged_host_makes_nothing_and_nobody_is_told(empty: Stage) -> None:
    vouch(empty)
    write(empty, OPERATOR, "создать пираты 2", headers=FAILED)

    assert (games_of(empty), empty.kinds()) == ([], [])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("создать шахматы", "unknown-ruleset"),
        ("создать", "unknown-ruleset"),
        ("создать пираты голицын", "unknown-edition"),
        ("создать пираты 40", "bad-players"),
        ("создать пираты\nкости = игральные", "bad-value"),
        ("создать пираты\nцвет = синий", "unknown-option"),
        ("создать пираты\nрасписание = по луне", "bad-schedule"),
        ("создать пираты\nпривет, это я", "create-unread"),
        ("создать пираты\nсудья = играет\nкости = слова игроков", "plays-salts"),
    ],
)
def test_game_that_cannot_be_is_refused_with_a_way_out(empty: Stage, text: str, why: str) -> None:
    vouch(empty)
    write(empty, OPERATOR, text)

    assert [fact["why"] for fact in empty.notices("create-refused", OPERATOR)] == [why]
    assert games_of(empty) == []


@pytest.mark.parametrize(
    ("lines", "switches"),
    [
        (["create pirates", "early: never", "cool off = 40min"], {"early": "never", "cool_off": 2400}),
        (["создать пираты", "имена: скрыты", "кто прислал: числом"], {"names": "hidden", "who_in": "count"}),
        (["создать пираты", "зона = Омск", "судья = играет"], {"zone": "Asia/Omsk", "moderator": "plays"}),
        (["создать пираты", "переписка = нет", "опоздавшие: ждать"], {"press": "none", "missed": "wait"}),
        (["создать пираты", "судья читает переписку: да", "дней отпуска: 7"], {"press_read": True, "absence_days": 7}),
    ],
)
def test_switches_are_read_in_both_languages(lines: list[str], switches: dict[str, Any]) -> None:
    assert hosting.read(lines, ZONE).switches == {"zone": ZONE} | switches


def test_dice_are_by_the_beacon_where_the_moderator_plays(empty: Stage) -> None:
    vouch(empty)
    write(empty, OPERATOR, "создать пираты 2\nсудья = играет")

    assert header(empty, games_of(empty)[0]).dice == "beacon"
    assert empty.events("pirates-1", "genesis")[0]["mode"] == "beacon"


def test_switch_with_a_value_there_is_not_names_those_there_are() -> None:
    with pytest.raises(RefusedByRules) as refused:
        hosting.read(["create pirates", "early = sometimes"], ZONE)

    assert refused.value.facts["values"] == ["ready", "in", "never"]


def test_every_switch_of_the_header_that_a_host_sets_has_its_words() -> None:
    by_command_line_only = {"phases", "extend_cap", "remind"}

    assert set(hosting.words().switches) == set(Header.__struct_fields__) - by_command_line_only


def test_host_invites_with_name_and_seat_and_starts_by_answering_his_letter(empty: Stage) -> None:
    vouch(empty)
    write(empty, OPERATOR, "создать пираты 2\nначать самому = нет")
    tag = games_of(empty)[0]
    answer(
        empty, "created", OPERATOR, f"пригласить Анна <{ANNA}> Испания-1\nпригласить {BORIS}\nпригласить кого-нибудь"
    )
    assert [(value.reader.name, row.address, value.reader.seat) for row, value in empty.letters("invitation")] == [
        ("Анна", ANNA, SPAIN),
        ("", BORIS, ""),
    ]
    for address in (ANNA, BORIS):
        answer(empty, "invitation", address, "вступаю")
    assert empty.letters("report") == []

    answer(empty, "created", OPERATOR, "начать")

    assert empty.turn(tag).number == 0
