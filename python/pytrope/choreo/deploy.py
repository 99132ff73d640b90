"""Templates for running each role where it belongs: Docker Compose and Kubernetes, one service or job per role.

Every role gets the same table of addresses (``--peers``) and so decides alike who listens and who connects.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .errors import ChoreoError

__all__ = ["Deployment"]

_FOLDER = "/choreography"


@dataclass(frozen=True)
class Deployment:
    """What is run: a method of a choreography, in an image that has Python and ``pytrope``."""

    source: Path
    target: str
    roles: Sequence[str]
    image: str
    port: int = 9000
    session: str = ""
    arguments: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """More arguments of the command, by role."""

    def __post_init__(self) -> None:
        names = {self.service_of(role) for role in self.roles}
        if len(names) != len(self.roles):
            raise ChoreoError("two roles would have the same service name: names are compared in lower case")

    def service_of(self, role: str) -> str:
        """The name under which a role is found: lower case, as the names of hosts are."""
        return re.sub(r"[^a-z0-9]+", "-", role.lower()).strip("-") or "role"

    def command_of(self, role: str) -> list[str]:
        """What a role's container runs."""
        peers = [f"{one}={self.service_of(one)}:{self.port}" for one in self.roles]
        return [
            *("python", "-m", "pytrope.choreo", "run", f"{_FOLDER}/{self.source.name}", self.target),
            *("--role", role, "--listen", f"0.0.0.0:{self.port}", "--peers", ",".join(peers)),
            *(("--session", self.session) if self.session else ()),
            *self.arguments.get(role, ()),
        ]

    def compose(self) -> str:
        """A file for ``docker compose up``; the folder of the choreography is mounted."""
        lines = [f"# {self.target} of {self.source.name}: one service per role.", "services:"]
        for role in self.roles:
            lines += [
                f"  {self.service_of(role)}:",
                f"    image: {json.dumps(self.image)}",
                f"    command: {json.dumps(self.command_of(role), ensure_ascii=False)}",
                f"    volumes: [{json.dumps(f'{self.source.resolve().parent}:{_FOLDER}:ro')}]",
                '    restart: "no"',
            ]
        return "\n".join(lines) + "\n"

    def kubernetes(self) -> str:
        """Manifests for ``kubectl apply``: the sources as a config map, a headless service and a job per role."""
        name = re.sub(r"[^a-z0-9]+", "-", self.source.stem.lower()).strip("-") or "choreography"
        files = {path.name: path.read_text(encoding="utf-8") for path in self._sources()}
        parts = [
            {
                "apiVersion": "v1",
                "kind": "ConfigMap",
                "metadata": {"name": name},
                "data": files,
            }
        ]
        for role in self.roles:
            service = self.service_of(role)
            labels = {"app.kubernetes.io/name": name, "app.kubernetes.io/component": service}
            parts += [
                {
                    "apiVersion": "v1",
                    "kind": "Service",
                    "metadata": {"name": service, "labels": labels},
                    # Roles look each other up while they start, before any of them is ready.
                    "spec": {
                        "clusterIP": "None",
                        "publishNotReadyAddresses": True,
                        "selector": labels,
                        "ports": [{"port": self.port}],
                    },
                },
                {
                    "apiVersion": "batch/v1",
                    "kind": "Job",
                    "metadata": {"name": f"{name}-{service}", "labels": labels},
                    "spec": {
                        "backoffLimit": 0,
                        "template": {
                            "metadata": {"labels": labels},
                            "spec": {
                                "restartPolicy": "Never",
                                "containers": [
                                    {
                                        "name": service,
                                        "image": self.image,
                                        "command": self.command_of(role),
                                        "ports": [{"containerPort": self.port}],
                                        "volumeMounts": [
                                            {"name": "choreography", "mountPath": _FOLDER, "readOnly": True}
                                        ],
                                    }
                                ],
                                "volumes": [{"name": "choreography", "configMap": {"name": name}}],
                            },
                        },
                    },
                },
            ]
        return "".join(f"---\n{json.dumps(part, indent=2, ensure_ascii=False)}\n" for part in parts)

    def _sources(self) -> list[Path]:
        """The choreography and the files beside it that it may import."""
        text = self.source.read_text(encoding="utf-8")
        names = set(re.findall(r"^\s*(?:from|import)\s+(\w+)", text, re.MULTILINE))
        beside = [self.source.with_name(f"{name}.py") for name in sorted(names)]
        return [self.source, *(path for path in beside if path.is_file() and path != self.source)]
