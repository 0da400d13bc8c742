"""Who is who: players, their addresses, who holds which seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlmodel import col, select

from adjudicator.letters import Reader
from adjudicator.services import tokens
from adjudicator.services.work import Work
from adjudicator.storage.tables import Address, Game, Observer, Player, Seat, Tenure
from engine.core import codec
from engine.core.contract import MODERATOR
from mail.addresses import canonical


def holders_of(work: Work, address: str) -> Sequence[Player]:
    """Return the players that have registered an address, in the order of their coming."""
    found: Sequence[Player] = work.known("holders", canonical(address), look_up_holders)
    return found


def look_up_holders(work: Work, addresses: Iterable[str]) -> None:
    """Find the holders of some addresses, all at once."""
    found: dict[str, list[Player]] = {canonical(address): [] for address in addresses}
    query = (
        select(Address.address, Player)
        .join(Player, col(Address.player_id) == col(Player.id))
        .where(col(Address.address).in_(list(found)))
        .order_by(col(Player.id))
    )
    for address, player in work.session.exec(query):
        found[address].append(player)
    work.know("holders", found)


def register(work: Work, address: str, *, name: str, language: str, zone: str, another: bool = False) -> Player:
    """Return the player of an address, made if it is new.

    An address may belong to several people; ``another`` makes one more of them if none there has this name.
    """
    known = holders_of(work, address)
    same = [person for person in known if person.name.casefold() == name.casefold()]
    if known and not (another and not same):
        return next(iter(same), known[0])
    player = work.add(Player(name=name, language=language, zone=zone, created=work.now))
    work.add(Address(player_id=player.id or 0, address=canonical(address), confirmed=work.now))
    work.forget("holders", canonical(address))
    return player


def add_address(work: Work, person: Player, address: str, *, main: bool) -> None:
    """Register one more address of a player, or make one that he has his main one."""
    folded = canonical(address)
    rows = work.session.exec(select(Address).where(Address.player_id == person.id).order_by(col(Address.id))).all()
    if folded not in [row.address for row in rows]:
        fresh = Address(player_id=person.id or 0, address=folded, main=False, confirmed=work.now)
        rows = [*rows, work.add(fresh)]
    for row in rows:
        row.main = row.address == folded if main else row.main
        work.session.add(row)
    work.forget("holders", folded)
    work.forget("main-address", person.id)


def main_address(work: Work, player: Player) -> str:
    """Return the address that a player's reports go to."""
    return work.once(("main-address", player.id), lambda: _main_address(work, player))


def _main_address(work: Work, player: Player) -> str:
    query = select(Address).where(Address.player_id == player.id).order_by(col(Address.main).desc(), col(Address.id))
    return work.session.exec(query.limit(1)).one().address


def _look_up_main_addresses(work: Work, game: Game) -> None:
    """Find the main addresses of all who hold a seat in a game, at once."""
    query = (
        select(Address.player_id, Address.address)
        .join(Tenure, col(Tenure.player_id) == col(Address.player_id))
        .where(Tenure.game_id == game.id, col(Tenure.until).is_(None))
        .order_by(col(Address.main), col(Address.id).desc())
    )
    work.know("main-address", dict(work.session.exec(query).all()))


def addresses(work: Work, player_id: int) -> Sequence[str]:
    """Return the registered addresses of a player, in the order of their coming."""
    return work.session.exec(
        select(Address.address).where(Address.player_id == player_id).order_by(col(Address.id))
    ).all()


def operates(work: Work, found: Sequence[str]) -> bool:
    """Say whether one of these addresses is an operator's: he holds the machine."""
    return not {canonical(address) for address in work.config.service.operators}.isdisjoint(map(canonical, found))


def tenures(work: Work, game: Game) -> Sequence[Tenure]:
    """Return who holds the seats of a game now, in roster order."""
    return work.once(("tenures", game.id), lambda: _tenures(work, game))


def by_seat(work: Work, game: Game) -> Mapping[str, Tenure]:
    """Return who holds each seat of a game now, in roster order; a free seat is not there."""
    return work.once(("tenures", game.id, "by seat"), lambda: {one.seat: one for one in tenures(work, game)})


def _tenures(work: Work, game: Game) -> Sequence[Tenure]:
    query = (
        select(Tenure, Player)
        .join(Seat, (col(Seat.game_id) == col(Tenure.game_id)) & (col(Seat.seat) == col(Tenure.seat)))
        .join(Player, col(Player.id) == col(Tenure.player_id))
        .where(Tenure.game_id == game.id, col(Tenure.until).is_(None))
        .order_by(col(Seat.place))
    )
    found = work.session.exec(query).all()
    work.know("player", {player.id: player for _, player in found})
    return [tenure for tenure, _ in found]


def tenures_of(work: Work, player: Player) -> Sequence[tuple[Tenure, Game]]:
    """Return the seats that a player holds in games that are not over, a moderator's place among them."""
    query = (
        select(Tenure, Game)
        .join(Game, col(Game.id) == col(Tenure.game_id))
        .where(Tenure.player_id == player.id, col(Tenure.until).is_(None), Game.status != "finished")
        .order_by(col(Tenure.id))
    )
    return work.session.exec(query).all()


def moderator(work: Work, game: Game) -> Tenure | None:
    """Return who moderates a game; None where the operator does, from the command line (play-by-mail 6)."""
    return work.once(("moderator", game.id), lambda: _moderator(work, game))


def _moderator(work: Work, game: Game) -> Tenure | None:
    query = select(Tenure).where(Tenure.game_id == game.id, Tenure.seat == MODERATOR, col(Tenure.until).is_(None))
    return work.session.exec(query.order_by(col(Tenure.id))).first()


def holder(work: Work, game: Game, seat: str) -> Tenure | None:
    """Return who holds a seat of a game now, or moderates it; None for a place that is free."""
    return moderator(work, game) if seat == MODERATOR else by_seat(work, game).get(seat)


def appoint(work: Work, game: Game, player: Player) -> Tenure:
    """Make a player the moderator of a game; whoever was it before is it no more.

    His token is another than that of a seat he holds: a token belongs to a tenure (play-by-mail 4).
    """
    earlier = moderator(work, game)
    if earlier is not None:
        dismiss(work, game, earlier)
    work.forget("moderator", game.id)
    return work.add(Tenure(game_id=game.id or 0, seat=MODERATOR, player_id=player.id or 0, since=work.now))


def dismiss(work: Work, game: Game, tenure: Tenure) -> None:
    """End a tenure: its token proves nothing from now on."""
    tenure.until = work.now
    work.session.add(tenure)
    work.forget("tenures", game.id)
    work.forget("moderator", game.id)


def seats(work: Work, game: Game) -> Sequence[Seat]:
    """Return the seats of a game in roster order."""
    return work.session.exec(select(Seat).where(Seat.game_id == game.id).order_by(col(Seat.place))).all()


def titles(seat: Seat) -> dict[str, str]:
    """Return a seat's titles by language."""
    found: dict[str, str] = codec.decode(seat.titles, dict[str, str])
    return found


def seat_titles(work: Work, game: Game) -> dict[str, dict[str, str]]:
    """Return the titles of all seats of a game."""
    return work.once(("titles", game.id), lambda: {seat.seat: titles(seat) for seat in seats(work, game)})


def player(work: Work, player_id: int) -> Player:
    """Return a player by id."""
    return work.once(("player", player_id), lambda: work.session.get_one(Player, player_id))


def reader_of(work: Work, game: Game, tenure: Tenure, all_titles: dict[str, dict[str, str]]) -> Reader:
    """Return the holder of a seat as the reader of a letter, with the address that answers should go to."""
    person = player(work, tenure.player_id)
    work.once(("main-addresses", game.id), lambda: _look_up_main_addresses(work, game))
    return Reader(
        name=person.name,
        language="en" if person.language == "en" else "ru",
        zone=person.zone,
        seat=tenure.seat,
        titles=all_titles.get(tenure.seat, {}),  # the moderator is no seat of the roster
        address=main_address(work, person),
        reply_to=tokens.reply_address(work.config.service.address, tokens.of_tenure(work.vault, game, tenure)),
    )


# Those without a seat -------------------------------------------------------------------------------------------------


def moderator_reader(work: Work, game: Game, tenure: Tenure) -> Reader:
    """Return the moderator as the reader of a letter that tells him no more than everybody."""
    person = player(work, tenure.player_id)
    return Reader(
        name=person.name,
        language="en" if person.language == "en" else "ru",
        zone=person.zone,
        address=main_address(work, person),
        reply_to=tokens.reply_address(work.config.service.address, tokens.of_tenure(work.vault, game, tenure)),
    )


def observers(work: Work, game: Game) -> Sequence[Observer]:
    """Return who watches a game, in the order of their coming."""
    query = select(Observer).where(Observer.game_id == game.id, col(Observer.until).is_(None))
    return work.session.exec(query.order_by(col(Observer.id))).all()


def observer_reader(work: Work, game: Game, observer: Observer) -> Reader:
    """Return an observer as the reader of a letter; the key in his reply address ends his letters, no more."""
    return Reader(
        name=observer.name,
        language="en" if observer.language == "en" else "ru",
        zone=observer.zone,
        address=observer.address,
        reply_to=tokens.reply_address(work.config.service.address, tokens.of_observer(work.vault, game, observer)),
    )
