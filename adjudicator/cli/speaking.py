"""A command group that speaks the reader's language: help, and every error as one sentence and an exit code."""

from __future__ import annotations

import locale
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import typer
from typer.core import TyperGroup

from adjudicator.cli.invalid import explained
from adjudicator.cli.phrases import LANGUAGES, Language, Phrases, phrases
from adjudicator.cli.terminal import terminal
from adjudicator.config import load
from adjudicator.errors import AdjudicatorError, ConfigError
from engine.core.registry import UnknownRuleset

UsageError: Final[Any] = typer.BadParameter.__mro__[1]
"""The common base of everything that is wrong with the arguments themselves; typer gives it no name of its own."""

_QUOTED: Final = re.compile(r"'([^']*)'")
_EVERYWHERE: Final = ("--config", "--language")
"""Options of the whole program, which people write wherever they think of them."""


class SpeakingGroup(TyperGroup):
    """The whole command line."""

    language: Language = "ru"
    """What the command in hand speaks."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command; exit code 0 done, 1 it could not be done, 2 the arguments are wrong."""
        given = fronted(sys.argv[1:] if args is None else args) or ["--help"]
        self.language = self._language(given)
        say = phrases(self.language)
        localise(self, say, typer.Context(self, info_name="adjudicator"))
        code = self._run(given, say, extra)
        if standalone_mode:
            sys.exit(code)
        return code

    def _run(self, given: Sequence[str], say: Phrases, extra: dict[str, Any]) -> int:
        try:
            result = super().main(given, "adjudicator", standalone_mode=False, **extra)
            return result if isinstance(result, int) else 0
        except typer.Abort:
            return 130
        except UnknownRuleset as error:
            complain(say, "error.unknown-ruleset", name=error.name, known=error.known)
            return 1
        except AdjudicatorError as error:
            complain_of(say, error)
            return 1
        except UsageError as error:
            return _usage(error, say)

    def _language(self, given: Sequence[str]) -> Language:
        """Return the language asked for, else the configuration's, else that of the terminal's locale."""
        context = self.make_context("adjudicator", list(given), resilient_parsing=True)
        asked = context.params.get("language")
        if asked in LANGUAGES:
            return "ru" if asked == "ru" else "en"
        try:
            return load(Path(context.params.get("config") or "adjudicator.toml")).service.language
        except ConfigError:
            return "ru" if (locale.getlocale()[0] or "").startswith(("ru", "Russian")) else "en"


def fronted(args: Sequence[str]) -> list[str]:
    """Return the arguments with the options of the whole program in front, wherever they stood."""
    front: list[str] = []
    rest: list[str] = []
    waiting = list(args)
    while waiting:
        word = waiting.pop(0)
        if word == "--":
            return [*front, *rest, word, *waiting]
        if word in _EVERYWHERE and waiting:
            front += [word, waiting.pop(0)]
        elif word.startswith(tuple(f"{name}=" for name in _EVERYWHERE)):
            front.append(word)
        else:
            rest.append(word)
    return front + rest


def complain(say: Phrases, key: str, /, **facts: Any) -> None:
    """Print what is wrong where troubles are told."""
    terminal(Path(), say.language).warn("trouble", sentence=say(key, **facts))


def complain_of(say: Phrases, error: AdjudicatorError) -> None:
    """Print what an error of ours says: what is wrong and what to do."""
    key, facts = explained(error.key, error.facts)
    if "status" in facts:
        status = facts["status"]
        facts["status"] = say(say.first(f"turn-status.{status}", f"game-status.{status}"))
    name = say.first(f"error.{key}", "error.other")
    complain(say, name, **({"key": key, "facts": facts} if name == "error.other" else facts))


def _usage(error: Any, say: Phrases) -> int:
    """Say what is wrong with the arguments, by the kind of mistake."""
    context = error.ctx
    path = context.command_path if context is not None else "adjudicator"
    match type(error).__name__:
        case "NoArgsIsHelpError":
            pass  # its making has printed the help
        case "MissingParameter":
            complain(say, "usage.missing", path=path, name=_name(error.param))
        case "NoSuchOption":
            like = error.possibilities
            key = "usage.no-option-like" if like else "usage.no-option"
            complain(say, key, path=path, name=error.option_name, like=like)
        case "UsageError" if error.message.startswith("No such command"):
            name, *like = _QUOTED.findall(error.message)
            complain(say, "usage.no-command-like" if like else "usage.no-command", path=path, name=name, like=like)
        case "BadParameter":
            complain(say, "usage.bad-value", path=path, name=_name(error.param), message=error.message)
        case _:
            complain(say, "usage.other", path=path, message=error.format_message().rstrip("."))
    return 2


def _name(parameter: Any) -> str:
    if parameter is None:
        return "?"
    first = str(parameter.opts[0])
    return first if first.startswith("-") else str(parameter.metavar or parameter.name).upper()


def localise(command: Any, say: Phrases, context: typer.Context, path: str = "") -> None:
    """Give a command, its options and its subcommands their help in the reader's language."""
    command.help = say(f"help.{path or 'adjudicator'}")
    command.short_help = None
    command.rich_help_panel = say("panel.commands")
    for parameter in (*command.params, command.get_help_option(context)):
        option = str(parameter.opts[0]).startswith("-")
        parameter.help = say(say.first(f"option.{path}.{parameter.name}", f"option.{parameter.name}"))
        parameter.rich_help_panel = say("panel.options" if option else "panel.arguments")
    for name, inner in getattr(command, "commands", {}).items():
        localise(inner, say, typer.Context(inner, info_name=name, parent=context), f"{path} {name}".strip())
