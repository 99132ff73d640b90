"""Makes docs/assets/neovim.png: Neovim in a terminal of tmux, with the server's findings and shapes, drawn by Chromium.

    python3 tests/editors/screenshot.py target/release/pytrope docs/assets/neovim.png
"""

import html
import pathlib
import re
import subprocess
import sys
import tempfile
import time

PROGRAM = """\
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(128, 64)
        self.second = nn.Linear(32, 10)

    def forward(self, x):
        h = self.first(x)
        h = torch.relu(h)
        return self.second(h)


images = torch.zeros(8, 3, 32, 32)
pooled = images.mean(dim=(2, 3))
features = torch.cat([pooled, torch.ones(8, 125)], dim=1)
scores = Head()(features)
"""

SETTINGS = """
local client = vim.lsp.start_client({{ name = "pytrope", cmd = {{ "{binary}", "server" }}, root_dir = vim.fn.getcwd() }})
vim.opt.number = true
vim.opt.signcolumn = "yes"
vim.opt.termguicolors = true
vim.cmd("syntax on")
vim.cmd("highlight SignColumn guibg=NONE")
vim.cmd("edit head.py")
vim.lsp.buf_attach_client(0, client)
"""

COLUMNS, ROWS = 124, 22
# The sixteen colours of a terminal.
PALETTE = "000000 cd3131 0dbc79 e5e510 2472c8 bc3fbc 11a8cd e5e5e5 666666 f14c4c 23d18b f5f543 3b8eea d670d6 29b8db ffffff"


def styled(codes, style):
    """What an escape sequence makes of the style before it."""
    style = dict(style)
    codes = [int(code or 0) for code in codes.split(";")]
    while codes:
        code = codes.pop(0)
        if code == 0:
            style = {}
        elif code == 1:
            style["font-weight"] = "bold"
        elif code == 4:
            style["text-decoration"] = "underline"
        elif code in (38, 48):
            place = "color" if code == 38 else "background"
            if codes.pop(0) == 2:
                style[place] = "#%02x%02x%02x" % tuple(codes[:3])
                del codes[:3]
            else:
                number = codes.pop(0)
                style[place] = "#" + PALETTE.split()[number % 16]
        elif 30 <= code <= 37 or 90 <= code <= 97:
            style["color"] = "#" + PALETTE.split()[code - 30 if code < 90 else code - 82]
        elif code == 39:
            style.pop("color", None)
        elif code == 49:
            style.pop("background", None)
    return style


def page(text):
    """The contents of a terminal as a page."""
    parts, style = [], {}
    for piece in re.split(r"(\x1b\[[0-9;]*m)", text):
        if piece.startswith("\x1b["):
            style = styled(piece[2:-1], style)
        elif piece:
            css = ";".join(f"{name}:{value}" for name, value in style.items())
            parts.append(f'<span style="{css}">{html.escape(piece)}</span>')
    body = "".join(parts)
    look = "background:#1e1e1e;color:#d4d4d4;font:15px/1.3 'DejaVu Sans Mono',monospace;margin:12px"
    return f'<!doctype html><meta charset="utf-8"><body style="{look}"><pre style="margin:0;font:inherit">{body}</pre>'


def main():
    binary, target = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    here = pathlib.Path(__file__).resolve().parent
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "head.py").write_text(PROGRAM)
        hints = (here / "hints_before_0_10.lua").read_text()
        (folder / "init.lua").write_text(hints + SETTINGS.format(binary=binary))
        tmux = ["tmux", "-L", f"pytrope-{target.stem}"]
        editor = f"cd {folder} && COLORTERM=truecolor nvim -u init.lua"
        subprocess.run([*tmux, "new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), editor], check=True)
        try:
            for _ in range(100):
                time.sleep(0.2)
                shown = subprocess.run([*tmux, "capture-pane", "-p"], capture_output=True, text=True, check=True).stdout
                if "RuntimeError" in shown and "[8, 128]" in shown:
                    break
            else:
                sys.exit(f"the editor shows no finding and no shape:\n{shown}")
            screen = subprocess.run([*tmux, "capture-pane", "-p", "-e"], capture_output=True, text=True, check=True).stdout
        finally:
            subprocess.run([*tmux, "kill-server"], check=False)
        (folder / "page.html").write_text(page(screen))
        size = f"--window-size={COLUMNS * 9 + 40},{ROWS * 20 + 24}"
        command = ["chromium", "--headless", "--no-sandbox", "--hide-scrollbars", size, f"--screenshot={target}"]
        subprocess.run([*command, f"file://{folder}/page.html"], check=True, capture_output=True)
    print(f"wrote {target}")


if __name__ == "__main__":
    main()
