"""The command line of the runtime: ``python -m pytrope.choreo run FILE Class.method …``."""

from __future__ import annotations

import argparse
import json
import os
import ssl
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .deploy import Deployment
from .diagram import draw_sequence, read_events, write_events
from .endpoint import DEADLINE, Endpoint
from .errors import ChoreoError, RoleFailed
from .mpi import role_of_rank
from .observed import Recorder
from .runner import NotProjected, Run, find_target, projected
from .session import Session, parse_address
from .telemetry import trace_endpoint
from .values import show

_EXAMPLES = """examples:
  python -m pytrope.choreo run hello.py Hello.greet --at Alice name='"Ada"'
  python -m pytrope.choreo run hello.py Hello.greet --role Bob --listen 127.0.0.1:9001
  python -m pytrope.choreo run hello.py Hello.greet --role Alice --at Alice name='"Ada"' --connect Bob=127.0.0.1:9001
  python -m pytrope.choreo run hello.py --role Bob --peers Alice=10.0.0.1:9000,Bob=10.0.0.2:9000
  python -m pytrope.choreo compose hello.py --image registry.example/hello:1 > compose.yaml
"""


class _WrongCommand(Exception):
    """What was asked for makes no sense."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command; 0 when every role ended well, 1 when not, 2 for a wrong command."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.command(options))
    except _WrongCommand as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
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


def _run(options: argparse.Namespace) -> int:
    source = _source(options)
    try:
        given = _given(options.at or [])
        shared = dict(_pair(text, "NAME=VALUE") for text in options.shared or [])
        addresses = dict(_pair(text, "ROLE=HOST:PORT") for text in options.connect or [])
        peers = _peers(options)
        families = _families(options)
        for address in [*addresses.values(), *peers.values(), *([options.listen] if options.listen else [])]:
            parse_address(address)
        session = _session(options)
    except (ValueError, OSError) as error:
        raise _WrongCommand(error) from None
    watched = options.events or options.diagram or options.otel
    if options.asynchronous and (options.transport not in (None, "tcp") or watched):
        raise _WrongCommand("--async runs over TCP, without --events, --diagram and --otel")
    if options.role is None and options.transport != "mpi":
        _refuse_alone(options)
    # Helpers beside the choreography are imported by its projections.
    sys.path.insert(0, str(source.resolve().parent))
    generated = Path(options.generated) if options.generated else None
    recorder = Recorder() if options.events or options.diagram else None
    with projected(source, generated, asynchronous=options.asynchronous) as folder:
        run = Run(source, options.target, folder, families=families)
        if options.transport == "mpi" and options.role is None:
            options.role = role_of_rank(run.roles)
        for role in run.roles if shared else ():
            given[role] = shared | given.get(role, {})
        try:
            if options.role is None:
                results = _simulate(run, given, options, recorder)
            else:
                if options.listen:
                    peers.setdefault(options.role, options.listen)
                listen = options.listen or peers.get(options.role)
                others = {role: address for role, address in peers.items() if role not in addresses}
                addresses = run.peers_to_reach(options.role, others) | addresses
                results = {options.role: _perform(run, given, options, session, listen, addresses, recorder)}
        finally:
            if recorder is not None:
                _write_recorded(run, recorder, options)
    _print_results(results, as_json=options.json)
    return 0


def _simulate(
    run: Run, given: dict[str, dict[str, str]], options: argparse.Namespace, recorder: Recorder | None
) -> dict[str, Any]:
    if options.asynchronous:
        return run.simulate_async(given, deadline=options.deadline)
    transport = "tcp" if options.tcp else options.transport or "local"
    watch = _watch(options, recorder, "simulation")
    return run.simulate(given, transport=transport, deadline=options.deadline, watch=watch)


# What says how one role reaches the others.
_OF_ONE_ROLE = ("listen", "connect", "peers", "heartbeat", "tls_cert", "tls_key", "tls_ca", "tls_name")


def _refuse_alone(options: argparse.Namespace) -> None:
    for name in _OF_ONE_ROLE:
        if getattr(options, name):
            raise _WrongCommand(f"--{name.replace('_', '-')} is for one role per process: add --role ROLE")


def _watch(
    options: argparse.Namespace, recorder: Recorder | None, session: str
) -> Callable[[Endpoint, str], Endpoint] | None:
    """What is put around each end: a recorder of what was sent, spans, both or nothing."""
    watch: Callable[[Endpoint, str], Endpoint] | None = recorder.watch if recorder else None
    if not options.otel:
        return watch

    def watch_and_trace(end: Endpoint, channel: str) -> Endpoint:
        traced = trace_endpoint(end, channel, session=session)
        return watch(traced, channel) if watch else traced

    return watch_and_trace


def _perform(
    run: Run,
    given: dict[str, dict[str, str]],
    options: argparse.Namespace,
    session: Session,
    listen: str | None,
    addresses: dict[str, str],
    recorder: Recorder | None,
) -> Any:
    if options.asynchronous:
        return run.perform_async(options.role, given, session, listen, addresses)
    watch = _watch(options, recorder, session.name)
    return run.perform(
        options.role, given, session, listen, addresses, transport=options.transport or "tcp", watch=watch
    )


def _write_recorded(run: Run, recorder: Recorder, options: argparse.Namespace) -> None:
    try:
        if options.events:
            write_events(recorder.events, Path(options.events))
        if options.diagram:
            Path(options.diagram).write_text(draw_sequence(recorder.events, run.roles), encoding="utf-8")
    except OSError as error:
        raise ChoreoError(f"cannot write what was recorded: {error}") from None


def _draw(options: argparse.Namespace) -> int:
    try:
        events, _ = read_events([Path(name) for name in options.events])
    except OSError as error:
        raise _WrongCommand(error) from None
    print(draw_sequence(events), end="")
    return 0


def _deploy(options: argparse.Namespace) -> int:
    source = _source(options)
    target = options.target or find_target(source)
    try:
        families = _families(options)
    except ValueError as error:
        raise _WrongCommand(error) from None
    run = Run(source, target, Path(), families=families)
    run.check_arguments({})
    roles = run.roles
    counts = [f"{name}={count}" for name, count in families.items()]
    arguments: dict[str, list[str]] = {role: ["--family", *counts] if counts else [] for role in roles}
    for role, *pairs in options.at or []:
        members = [member for member in roles if role in (member, run.cast.role_in_text(member))]
        if not members:
            raise ChoreoError(f"{role} is not a role of {target}; the roles are {', '.join(roles)}")
        for member in members:
            arguments[member] += ["--at", role, *pairs]
    for role in roles if options.shared else ():
        arguments[role] += ["--shared", *options.shared]
    deployment = Deployment(source, target, roles, options.image, options.port, options.session, arguments)
    print(deployment.compose() if options.form == "compose" else deployment.kubernetes(), end="")
    return 0


def _source(options: argparse.Namespace) -> Path:
    source = Path(options.file)
    if not source.is_file():
        raise _WrongCommand(f"there is no file {source}")
    return source


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
    run.set_defaults(command=_run)
    _add_target(run)
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
    run.add_argument(
        "--transport", metavar="NAME", help="tcp, zmq, grpc, mpi (one role per rank), or one that a package adds"
    )
    run.add_argument("--async", dest="asynchronous", action="store_true", help="use the asyncio projection")
    run.add_argument("--diagram", metavar="FILE", help="write a sequence diagram (Mermaid) of what was sent")
    run.add_argument("--events", metavar="FILE", help="write what was sent and received, one JSON object per line")
    run.add_argument("--otel", action="store_true", help="an OpenTelemetry span for each message")
    one = run.add_argument_group("one role per process")
    one.add_argument("--role", metavar="ROLE", help="play only this role")
    one.add_argument("--listen", metavar="HOST:PORT", help="where to await the peers without an address")
    one.add_argument("--connect", action="append", metavar="ROLE=HOST:PORT", help="where to reach a peer")
    one.add_argument(
        "--peers",
        action="append",
        metavar="ROLE=HOST:PORT,…",
        help="where every role is, the same at all of them (also from PYTROPE_PEERS)",
    )
    one.add_argument("--session", default="", metavar="NAME", help="what all processes of one run call it")
    one.add_argument("--heartbeat", type=float, metavar="S", help="say every S seconds that this role lives")
    one.add_argument("--tls-cert", metavar="FILE", help="this role's certificate (PEM); turns TLS on")
    one.add_argument("--tls-key", metavar="FILE", help="its key, unless in the same file")
    one.add_argument("--tls-ca", metavar="FILE", help="the authority that the peers' certificates must come from")
    one.add_argument(
        "--tls-name", action="append", metavar="ROLE=NAME", help="the name that the certificate of a role must bear"
    )
    diagram = commands.add_parser("diagram", help="draw what the roles of a run wrote with --events")
    diagram.set_defaults(command=_draw)
    diagram.add_argument("events", nargs="+", metavar="EVENTS", help="the files, one per role")
    for form, what in (("compose", "a Docker Compose file"), ("kubernetes", "Kubernetes manifests")):
        deploy = commands.add_parser(form, help=f"print {what} with one role per container")
        deploy.set_defaults(command=_deploy, form=form)
        _add_target(deploy)
        deploy.add_argument("--image", required=True, help="an image with Python and pytrope")
        deploy.add_argument("--port", type=int, default=9000, help="where every role listens (default %(default)s)")
        deploy.add_argument("--session", default="", metavar="NAME", help="what all containers of one run call it")
    return parser


def _add_target(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the choreography")
    parser.add_argument(
        "target",
        nargs="?",
        metavar="Class.method",
        help="what to run, or a function over roles, unless there is only one",
    )
    parser.add_argument(
        "--at",
        nargs="+",
        action="append",
        metavar=("ROLE", "NAME=VALUE"),
        help="arguments that live at a role, as Python values",
    )
    parser.add_argument(
        "--shared",
        nargs="+",
        metavar="NAME=VALUE",
        help="arguments that every role knows: parameters without a role",
    )
    parser.add_argument(
        "--family", nargs="+", metavar="FAMILY=NUMBER", help="how many members a family has: FAMILY[0], FAMILY[1], …"
    )


def _families(options: argparse.Namespace) -> dict[str, int]:
    families = {}
    for name, count in (_pair(text, "FAMILY=NUMBER") for text in options.family or []):
        if not count.isdigit():
            raise ValueError(f"{name}={count} is not FAMILY=NUMBER")
        families[name] = int(count)
    return families


def _given(groups: list[list[str]]) -> dict[str, dict[str, str]]:
    given: dict[str, dict[str, str]] = {}
    for role, *pairs in groups:
        given.setdefault(role, {}).update(_pair(text, "NAME=VALUE") for text in pairs)
    return given


def _peers(options: argparse.Namespace) -> dict[str, str]:
    told = options.peers or ([os.environ["PYTROPE_PEERS"]] if options.role and "PYTROPE_PEERS" in os.environ else [])
    return dict(_pair(text, "ROLE=HOST:PORT") for group in told for text in group.split(",") if text)


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
    return Session(
        name=options.session,
        deadline=options.deadline,
        heartbeat=options.heartbeat,
        client_tls=client,
        server_tls=server,
        identities=dict(_pair(text, "ROLE=NAME") for text in options.tls_name or []),
    )


def _print_results(results: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(results, default=show, ensure_ascii=False))
        return
    for role, value in results.items():
        # One write a line: ranks of MPI share a standard output, which may be unbuffered.
        sys.stdout.write(f"{role}: {show(value)}\n")


if __name__ == "__main__":
    sys.exit(main())
