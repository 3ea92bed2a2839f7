"""``memplane remember``, ``recall`` and ``context``."""

from __future__ import annotations

from typing import Annotated

import typer

from memplane.cli.context import DataDirOption, JsonOption, KeyFileOption, UrlOption, client_of, connection_of
from memplane.cli.output import err, out, print_json
from memplane.cli.recall_view import print_context, print_recall
from memplane.cli.receipts import tell_receipt
from memplane.domain.queries import DEFAULT_TOP_K, MAX_TOP_K

UserOption = Annotated[str, typer.Option("--user", "-u", help="Whose memory it is.", metavar="ID")]
ProfileOption = Annotated[
    str | None, typer.Option(help="How parts of the score weigh: balanced, fresh, stepped or relevance.")
]
PlanOption = Annotated[str | None, typer.Option(help="Where arms run: auto, exact (ClickHouse) or index (Milvus).")]
TopKOption = Annotated[
    int | None, typer.Option("--top-k", "-k", min=1, max=MAX_TOP_K, help=f"Most memories. Default: {DEFAULT_TOP_K}.")
]


def remember(
    ctx: typer.Context,
    *,
    content: Annotated[str, typer.Argument(help="The statement to keep.")],
    user: UserOption,
    kind: Annotated[str | None, typer.Option(help="episodic or semantic.")] = None,
    session: Annotated[str | None, typer.Option("--session", help="Session that it came from.")] = None,
    agent: Annotated[str | None, typer.Option("--agent", help="Agent that it came from.")] = None,
    url: UrlOption = None,
    key_file: KeyFileOption = None,
    data_dir: DataDirOption = None,
    as_json: JsonOption = False,
) -> None:
    """Keep one statement.

    Examples: memplane remember "I drink oolong tea" --user mei · memplane remember "我住在杭州" --user mei
    """
    connection = connection_of(ctx, url=url, key_file=key_file, data_dir=data_dir)
    with client_of(connection) as client:
        receipt = client.remember(user, content, kind=kind, session_id=session, agent_id=agent)
    tell_receipt(receipt, as_json=as_json)


def recall(
    ctx: typer.Context,
    *,
    question: Annotated[str, typer.Argument(help="What to look for.")],
    user: UserOption,
    profile: ProfileOption = None,
    top_k: TopKOption = None,
    plan: PlanOption = None,
    url: UrlOption = None,
    key_file: KeyFileOption = None,
    data_dir: DataDirOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the memories that matter for a question.

    Examples: memplane recall "what does she drink?" --user mei · memplane recall "喝什么茶" -u mei --top-k 3 --json
    """
    connection = connection_of(ctx, url=url, key_file=key_file, data_dir=data_dir)
    with client_of(connection) as client:
        found = client.recall(user, question, profile=profile, top_k=top_k, plan=plan)
    if as_json:
        print_json(found)
    else:
        print_recall(out(), found)


def context(
    ctx: typer.Context,
    *,
    question: Annotated[str, typer.Argument(help="What the next prompt is about.")],
    user: UserOption,
    profile: ProfileOption = None,
    top_k: TopKOption = None,
    plan: PlanOption = None,
    budget: Annotated[int | None, typer.Option("--budget-tokens", min=1, help="Most tokens of the block.")] = None,
    language: Annotated[str | None, typer.Option(help="en or zh. Default: the tenant's.")] = None,
    url: UrlOption = None,
    key_file: KeyFileOption = None,
    data_dir: DataDirOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the block of memories that a prompt would get.

    Example: memplane context "plan her birthday" --user mei > block.txt
    """
    connection = connection_of(ctx, url=url, key_file=key_file, data_dir=data_dir)
    with client_of(connection) as client:
        block = client.context(
            user, question, profile=profile, top_k=top_k, plan=plan, budget_tokens=budget, language=language
        )
    if as_json:
        print_json(block)
    else:
        print_context(out(), err(), block)
