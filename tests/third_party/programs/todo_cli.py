"""A command-line tool: tasks in a JSON file, argparse sub-commands, dataclasses and pathlib."""
import argparse
import json
import sys
import tempfile
from dataclasses import asdict, dataclass, field, fields
from datetime import date, timedelta
from pathlib import Path


@dataclass(order=True)
class Task:
    due: str
    title: str = field(compare=False)
    done: bool = field(default=False, compare=False)
    tags: list[str] = field(default_factory=list, compare=False)

    @property
    def overdue(self) -> bool:
        return not self.done and date.fromisoformat(self.due) < date.today()

    @classmethod
    def from_dict(cls, raw):
        names = {f.name for f in fields(cls)}
        unknown = set(raw) - names
        if unknown:
            raise KeyError(f"unknown fields: {', '.join(sorted(unknown))}")
        return cls(**raw)


class Store:
    def __init__(self, path):
        self.path = Path(path)
        self.tasks = []

    def __enter__(self):
        if self.path.exists():
            data = json.loads(self.path.read_text(encoding="utf-8"))
            self.tasks = [Task.from_dict(d) for d in data["tasks"]]
        return self

    def __exit__(self, kind, value, tb):
        if kind is None:
            payload = {"version": 1, "tasks": [asdict(t) for t in self.tasks]}
            tmp = self.path.with_suffix(".tmp")
            tmp.write_text(json.dumps(payload, indent=2), encoding="utf-8")
            tmp.replace(self.path)
        return False

    def find(self, number):
        try:
            return self.tasks[number - 1]
        except IndexError:
            sys.exit(f"no task {number}")


def cmd_add(args):
    with Store(args.file) as store:
        due = date.today() + timedelta(days=args.days)
        store.tasks.append(Task(due.isoformat(), " ".join(args.title), tags=args.tag or []))
        store.tasks.sort()
    return f"added, {len(store.tasks)} tasks"


def cmd_list(args):
    lines = []
    with Store(args.file) as store:
        for n, task in enumerate(store.tasks, 1):
            if task.done and not args.all:
                continue
            box = "[x]" if task.done else "[ ]"
            flag = " !" if task.overdue else ""
            tags = "".join(f" #{t}" for t in task.tags)
            lines.append(f"{n:>2} {box} {task.title}{tags}{flag}")
    return "\n".join(lines) or "nothing to do"


def cmd_done(args):
    with Store(args.file) as store:
        for n in args.numbers:
            store.find(n).done = True
        left = sum(not t.done for t in store.tasks)
    return f"{left} left"


def build_parser():
    parser = argparse.ArgumentParser(prog="todo", description=__doc__)
    parser.add_argument("--file", type=Path, default=Path.home() / ".todo.json")
    sub = parser.add_subparsers(dest="command", required=True)
    add = sub.add_parser("add", help="add a task")
    add.add_argument("title", nargs="+")
    add.add_argument("-d", "--days", type=int, default=7)
    add.add_argument("-t", "--tag", action="append")
    add.set_defaults(run=cmd_add)
    ls = sub.add_parser("list")
    ls.add_argument("-a", "--all", action="store_true")
    ls.set_defaults(run=cmd_list)
    done = sub.add_parser("done")
    done.add_argument("numbers", type=int, nargs="+")
    done.set_defaults(run=cmd_done)
    return parser


def main(argv=None):
    args = build_parser().parse_args(argv)
    try:
        print(args.run(args))
    except (KeyError, json.JSONDecodeError) as error:
        print(f"todo: {args.file} is damaged: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        where = str(Path(folder) / "tasks.json")
        codes = [
            main(["--file", where, *rest])
            for rest in (
                ["add", "write", "report", "-t", "work"],
                ["add", "buy milk", "--days", "1"],
                ["done", "1"],
                ["list", "--all"],
            )
        ]
        Path(where).write_text('{"tasks": [{"due": "2024-01-01", "title": "x", "colour": 1}]}')
        codes.append(main(["--file", where, "list"]))
    assert codes == [0, 0, 0, 0, 2], codes
