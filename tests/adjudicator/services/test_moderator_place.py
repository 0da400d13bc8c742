"""The moderator's place: a tenure of its own, with a token that no seat's token replaces (play-by-mail 4, 6)."""

from __future__ import annotations

from adjudicator.services import games, people, tokens
from adjudicator.services.header import Header
from adjudicator.storage.tables import Tenure
from engine.core.contract import MODERATOR
from tests.adjudicator.services.stage import ANNA, CAST, VERA, Stage


def hosted(stage: Stage, host: str, *, header: Header | None = None) -> str:
    """Make a game with a moderator and let its players join."""
    with stage.house.unit("test") as work:
        judge = people.register(work, host, name="Вера", language="ru", zone="Europe/Moscow")
        game = games.create(work, "pirates", 2, header=header, moderator=judge)
        for address, name, language, seat in CAST:
            invitation = games.invite(work, game, address, name=name, language=language, seat=seat)
            games.join(work, game, invitation, arrival=work.now)
        games.start(work, game)
    return game.tag


def moderator(stage: Stage, tag: str) -> Tenure | None:
    with stage.house.look() as work:
        return people.moderator(work, work.game(tag, lock=False))


def test_moderator_holds_a_place_beside_the_roster(both: Stage) -> None:
    tag = hosted(both, VERA)

    with both.house.look() as work:
        game = work.game(tag, lock=False)
        judge = people.moderator(work, game)
        assert judge is not None
        assert (judge.seat, people.main_address(work, people.player(work, judge.player_id))) == (MODERATOR, VERA)
        assert MODERATOR not in [tenure.seat for tenure in people.tenures(work, game)]


def test_moderators_token_is_another_than_that_of_his_seat(both: Stage) -> None:
    tag = hosted(both, ANNA, header=Header(moderator="plays"))

    with both.house.look() as work:
        game = work.game(tag, lock=False)
        judge = people.moderator(work, game)
        assert judge is not None
        seat = next(one for one in people.tenures(work, game) if one.player_id == judge.player_id)
        assert tokens.of_tenure(work.vault, game, judge) != tokens.of_tenure(work.vault, game, seat)


def test_game_made_without_a_moderator_is_the_operators(empty: Stage) -> None:
    assert moderator(empty, empty.game()) is None


def test_host_of_a_game_without_moderator_has_his_place_until_the_start(empty: Stage) -> None:
    tag = hosted(empty, VERA, header=Header(moderator="none"))

    assert moderator(empty, tag) is None


def test_second_moderator_takes_the_place_of_the_first(empty: Stage) -> None:
    tag = hosted(empty, VERA)
    with empty.house.unit("test") as work:
        anna = people.holders_of(work, ANNA)[0]
        people.appoint(work, work.game(tag), anna)

    judge = moderator(empty, tag)
    assert judge is not None
    assert judge.player_id == anna.id
