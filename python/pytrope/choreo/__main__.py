"""The command line of the runtime: ``python -m pytrope.choreo run FILE Class.method …``."""

from __future__ import annotations

import argparse
import json
import ssl
import sys
from pathlib import Path
from typing import Any

from .endpoint import DEADLINE
from .errors import ChoreoError, RoleFailed
from .runner import NotProjected, Run, projected
from .session import Session, parse_address
from .values import show

_EXAMPLES = """examples:
  python -m pytrope.choreo run hello.py Hello.greet --at Alice name='"Ada"'
  python -m pytrope.choreo run hello.py Hello.greet --role Bob --listen 127.0.0.1:9001
  python -m pytrope.choreo run hello.py Hello.greet --role Alice --at Alice name='"Ada"' --connect Bob=127.0.0.1:9001
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the command; 0 when every role ended well, 1 when not, 2 for a wrong command."""
    options = _parser().parse_args(arguments)
    source = Path(options.file)
    if not source.is_file():
        print(f"error: there is no file {source}", file=sys.stderr)
        return 2
    try:
        given = _given(options.at or [])
        shared = dict(_pair(text, "NAME=VALUE") for text in options.shared or [])
        addresses = dict(_pair(text, "ROLE=HOST:PORT") for text in options.connect or [])
        for address in [*addresses.values(), *([options.listen] if options.listen else [])]:
            parse_address(address)
        session = _session(options)
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    # Helpers beside the choreography are imported by its projections.
    sys.path.insert(0, str(source.resolve().parent))
    try:
        with projected(source, Path(options.generated) if options.generated else None) as folder:
            run = Run(source, options.target, folder)
            for role in run.roles if shared else ():
                given[role] = shared | given.get(role, {})
            if options.role is None:
                results = run.simulate(given, tcp=options.tcp, deadline=options.deadline)
            else:
                results = {options.role: run.perform(options.role, given, session, options.listen, addresses)}
    except RoleFailed as failed:
        for role, failure in failed.failures.items():
            print(f"{role}: {type(failure).__name__}: {failure}", file=sys.stderr)
        return 1
    except NotProjected as error:
        print(error, file=sys.stderr)
        return 1
    except ChoreoError as error:
        kind = "" if type(error) is ChoreoError else f"{type(error).__name__}: "
        print(f"error: {kind}{error}", file=sys.stderr)
        return 1
    _print_results(results, as_json=options.json)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pytrope.choreo",
        description="Run choreographies.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    run = commands.add_parser(
        "run",
        help="project a choreography and play all its roles, or one of them",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    run.add_argument("file", metavar="FILE", help="the choreography")
    run.add_argument("target", metavar="Class.method", help="what to run")
    run.add_argument(
        "--at",
        nargs="+",
        action="append",
        metavar=("ROLE", "NAME=VALUE"),
        help="arguments that live at a role, as Python values",
    )
    run.add_argument(
        "--shared",
        nargs="+",
        metavar="NAME=VALUE",
        help="arguments that every role knows: parameters without a role",
    )
    run.add_argument(
        "--deadline",
        type=float,
        default=DEADLINE,
        metavar="S",
        help="seconds a role waits for another (default %(default)g)",
    )
    run.add_argument("--generated", metavar="DIR", help="use the modules in DIR instead of projecting FILE")
    run.add_argument("--json", action="store_true", help="print the results as one JSON object")
    run.add_argument("--tcp", action="store_true", help="simulate over loopback TCP instead of in memory")
    one = run.add_argument_group("one role per process")
    one.add_argument("--role", metavar="ROLE", help="play only this role")
    one.add_argument("--listen", metavar="HOST:PORT", help="where to await the peers without an address")
    one.add_argument("--connect", action="append", metavar="ROLE=HOST:PORT", help="where to reach a peer")
    one.add_argument("--session", default="", metavar="NAME", help="what all processes of one run call it")
    one.add_argument("--tls-cert", metavar="FILE", help="this role's certificate (PEM); turns TLS on")
    one.add_argument("--tls-key", metavar="FILE", help="its key, unless in the same file")
    one.add_argument("--tls-ca", metavar="FILE", help="the authority that the peers' certificates must come from")
    return parser


def _given(groups: list[list[str]]) -> dict[str, dict[str, str]]:
    given: dict[str, dict[str, str]] = {}
    for role, *pairs in groups:
        given.setdefault(role, {}).update(_pair(text, "NAME=VALUE") for text in pairs)
    return given


def _pair(text: str, form: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise ValueError(f"{text!r} is not {form}")
    return name, value


def _session(options: argparse.Namespace) -> Session:
    client = server = None
    if options.tls_cert or options.tls_ca:
        client = ssl.create_default_context(ssl.Purpose.SERVER_AUTH, cafile=options.tls_ca)
        server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=options.tls_ca)
        if options.tls_ca:
            server.verify_mode = ssl.CERT_REQUIRED
        if options.tls_cert:
            client.load_cert_chain(options.tls_cert, options.tls_key)
            server.load_cert_chain(options.tls_cert, options.tls_key)
    return Session(name=options.session, deadline=options.deadline, client_tls=client, server_tls=server)


def _print_results(results: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(results, default=show, ensure_ascii=False))
        return
    for role, value in results.items():
        print(f"{role}: {show(value)}")


if __name__ == "__main__":
    sys.exit(main())
