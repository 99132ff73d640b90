"""Opens what `pytrope draw` and `pytrope report` write in a headless browser: `check.py PYTROPE BROWSER FOLDER`.

The browser has no network. A script that only the copy under test has looks at the page as it is laid out: links lead
somewhere, text can be read against its background (WCAG's 4.5 to 1), nothing runs out of the window, containers close.
Screenshots, light and dark, stay in FOLDER. Prints `N passed, N failed` last.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCHEMES = {"dark": 0, "light": 1}
PROBE = """
<script>
function numbers(colour) { return colour.match(/[\\d.]+/g).map(Number); }
function luminance([r, g, b]) {
  const part = v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
  return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
}
function background(element) {
  for (let at = element; at; at = at.parentElement) {
    const colour = numbers(getComputedStyle(at).backgroundColor);
    if (colour.length < 4 || colour[3] > 0) return colour;
  }
  return [255, 255, 255];
}
function contrast(a, b) {
  const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
}
window.addEventListener("load", () => {
  const faint = [];
  for (const element of document.querySelectorAll("body *:not(svg *)")) {
    const own = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
    if (!own || element.tagName === "SCRIPT") continue;
    const ratio = contrast(numbers(getComputedStyle(element).color), background(element));
    if (ratio < 4.5) faint.push(element.className + " " + element.textContent.slice(0, 20) + " " + ratio.toFixed(2));
  }
  const dead = [...document.querySelectorAll('a[href^="#"]')].filter(a => !document.getElementById(a.getAttribute("href").slice(1)));
  const detail = document.querySelector("details");
  let closes = null;
  if (detail) {
    const inside = detail.lastElementChild;
    detail.open = true;
    const open = inside.checkVisibility();
    detail.open = false;
    closes = open && !inside.checkVisibility();
    detail.open = true;
  }
  const result = {
    faint, dead: dead.map(a => a.href), closes,
    overflow: document.documentElement.scrollWidth > window.innerWidth,
    loaded: performance.getEntriesByType("resource").map(entry => entry.name),
    paper: getComputedStyle(document.body).backgroundColor, text: document.body.innerText,
  };
  const out = document.createElement("pre");
  out.id = "probe";
  out.textContent = btoa(unescape(encodeURIComponent(JSON.stringify(result))));
  document.body.append(out);
});
</script>
"""
NET = """import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x):
        return torch.relu(self.norm(self.conv(x)) + x)


class Net(nn.Module):
    def __init__(self, features=2048):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(4))
        self.blocks = nn.ModuleList([Block(32), Block(32)])
        self.head = nn.Linear(features, 10)

    def forward(self, images):
        x = self.stem(images)
        for block in self.blocks:
            x = block(x)
        return self.head(torch.flatten(x, 1))
"""


class Browser:
    """A browser without a network."""

    def __init__(self, program: str, profile: str) -> None:
        self.command = [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        self.command += [
            "--host-resolver-rules=MAP * ~NOTFOUND",
            f"--user-data-dir={profile}",
            "--window-size=1000,1400",
        ]

    def run(self, scheme: str, *arguments: str) -> str:
        command = [*self.command, f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120).stdout

    def probe(self, page: Path, scheme: str) -> dict[str, object]:
        copy = page.with_suffix(".probe.html")
        copy.write_text(page.read_text("utf-8").replace("</body>", PROBE + "</body>"), encoding="utf-8")
        found = re.search(r'<pre id="probe">([^<]+)</pre>', self.run(scheme, "--dump-dom", copy.as_uri()))
        copy.unlink()
        return json.loads(base64.b64decode(found[1])) if found else {}


def main(program: str, browser: str, folder: str) -> int:
    target = Path(folder).resolve()
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    (target / "net.py").write_text(NET, encoding="utf-8")
    (target / "shop.py").write_text((ROOT / "examples/attention.py").read_text("utf-8"), encoding="utf-8")
    (target / "hello.py").write_text((ROOT / "examples/choreo/hello_roles.py").read_text("utf-8"), encoding="utf-8")
    passed = failed = 0

    def expect(name: str, holds: bool, detail: object = "") -> None:
        nonlocal passed, failed
        passed += holds
        failed += not holds
        print(f"{'ok' if holds else 'FAILED'}: {name}" + ("" if holds else f": {detail}"))

    draw = [program, "draw", "net.py", "--input", "images=n,3,32,32", "--entry"]
    for command in (
        [*draw, "Net()", "-o", "flow.html"],
        [*draw, "Net()", "-o", "flow.svg"],
        [*draw, "Net(1568)", "-o", "fails.html"],
        [*draw, "Net(1568)", "-o", "fails.svg"],
        [program, "report", "-o", "report.html", "net.py", "shop.py", "hello.py"],
    ):
        subprocess.run(command, cwd=target, capture_output=True, check=False)
    with tempfile.TemporaryDirectory() as profile:
        chromium = Browser(browser, profile)
        wanted = {
            "flow.html": ["(n, 32, 8, 8)", "blocks.0", "stem"],
            "fails.html": ["1568 features", "fails, given", "net.py:26"],
            "report.html": ["PT202", "ndarray[8, 10, 64]", "HelloRoles"],
        }
        for name, texts in wanted.items():
            papers = set()
            for scheme in SCHEMES:
                seen = chromium.probe(target / name, scheme)
                label = f"{name}, {scheme}"
                missing = [text for text in texts if text not in str(seen.get("text"))]
                expect(f"{label}: shows what it should", bool(seen) and not missing, missing)
                expect(f"{label}: can be read", seen.get("faint") == [], seen.get("faint"))
                expect(f"{label}: fits its window", seen.get("overflow") is False)
                expect(f"{label}: loads nothing", seen.get("loaded") == [], seen.get("loaded"))
                expect(f"{label}: links lead somewhere", seen.get("dead") == [], seen.get("dead"))
                expect(f"{label}: containers close", seen.get("closes") is True, seen.get("closes"))
                papers.add(seen.get("paper"))
                shot = target / f"{Path(name).stem}-{scheme}.png"
                chromium.run(scheme, f"--screenshot={shot}", (target / name).as_uri())
            expect(f"{name}: light and dark differ", len(papers) == 2, papers)
        for name in ("flow.svg", "fails.svg"):
            for scheme in SCHEMES:
                shot = target / f"{Path(name).stem}-svg-{scheme}.png"
                chromium.run(scheme, f"--screenshot={shot}", (target / name).as_uri())
                expect(f"{name}, {scheme}: is drawn", shot.is_file() and shot.stat().st_size > 5_000)
    print(f"screenshots are in {target}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
