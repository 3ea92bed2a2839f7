"""Errors of the command line: one line on standard error that says what, which, and what to do."""

from __future__ import annotations

from typing import Any

import typer
from pydantic import ValidationError
from typer.core import TyperGroup

from memplane.cli.output import tell_error
from memplane.client import AuthenticationError, ClientError, PlatformUnreachableError, ProblemError
from memplane.settings import SettingsError

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_STOPPED = 3


class CliError(Exception):
    """A command cannot do its work. ``message`` includes what to do."""

    def __init__(self, message: str, *, exit_code: int = EXIT_FAILED) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def explain(error: ClientError) -> str:
    """An SDK error for a person, in one line."""
    if isinstance(error, PlatformUnreachableError):
        return f"cannot reach the platform ({error}); `memplane status` tells whether it runs, `memplane up` starts it"
    if isinstance(error, AuthenticationError):
        return f"{error}; name the key with --key-file (`memplane key show` prints the one in use)"
    if isinstance(error, ProblemError):
        told = str(error)
        issues = (f"{issue.get('path')}: {issue.get('message')}" for issue in error.errors[:5])
        fields = "; ".join(issue for issue in issues if issue not in told)  # the detail names the first one itself
        trace = f" (trace {error.trace_id})" if error.trace_id else ""
        return f"{told}{': ' + fields if fields else ''}{trace}"
    return str(error)


class ExplainingGroup(TyperGroup):
    """Turns known errors of any command into one line and an exit code; unknown ones keep their traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Runs the command."""
        try:
            return super().invoke(ctx)
        except CliError as error:
            tell_error(str(error))
            raise typer.Exit(error.exit_code) from error
        except ClientError as error:
            tell_error(explain(error))
            raise typer.Exit(EXIT_FAILED) from error
        except ValidationError as error:
            wrong = "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors())
            tell_error(f"the settings are wrong: {wrong}")
            raise typer.Exit(EXIT_USAGE) from error
        except SettingsError as error:
            tell_error(f"the settings are wrong: {error}")
            raise typer.Exit(EXIT_USAGE) from error
