"""What the training scripts and their injected errors do under the real libraries: `python run_scripts.py [--write]`.

Each line of `errors.tsv` is a script, a text in it, and what replaces the text. `outcomes.tsv` says for each script and each error
what happens: `runs`, or the class and the last line of the script that the exception passes. Data sets of torchvision are
replaced by few random images of the documented sizes, and pictures are not drawn: the scripts see the same shapes.
"""

import argparse
import contextlib
import io
import sys
import traceback
import types
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent


def install_stand_ins():
    """Small data of the real sizes instead of downloads; plots that draw nothing; OmegaConf without the package."""
    import torch
    import torchvision
    from PIL import Image

    torch.set_num_threads(1)

    def images(mode, size, count):
        class Images(torch.utils.data.Dataset):
            def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
                self.transform = train if callable(train) else transform

            def __len__(self):
                return count

            def __getitem__(self, index):
                image = Image.new(mode, size)
                return (self.transform(image) if self.transform else image), index % 10

        return Images

    torchvision.datasets.CIFAR10 = images("RGB", (32, 32), 150)
    torchvision.datasets.MNIST = images("L", (28, 28), 256)
    torchvision.datasets.FashionMNIST = images("L", (28, 28), 200)
    torchvision.datasets.ImageFolder = images("RGB", (150, 120), 10)

    class Silent:
        def __getattr__(self, name):
            return lambda *args, **kwargs: Silent()

        def __iter__(self):
            return iter((Silent(), Silent()))

    pyplot = types.ModuleType("matplotlib.pyplot")
    pyplot.__getattr__ = lambda name: lambda *args, **kwargs: Silent()
    sys.modules["matplotlib"] = types.ModuleType("matplotlib")
    sys.modules["matplotlib.pyplot"] = pyplot

    class Node(dict):
        __getattr__ = dict.__getitem__

    omegaconf = types.ModuleType("omegaconf")
    create = lambda tree: Node({key: create(value) if isinstance(value, dict) else value for key, value in tree.items()})
    omegaconf.OmegaConf = types.SimpleNamespace(create=create)
    sys.modules["omegaconf"] = omegaconf
    torch.save = lambda *args, **kwargs: None


def outcome(text, path):
    """`runs`, or the exception's class and the line of the script that it left last."""
    space = {"__name__": "__main__", "__file__": path}
    argv, sys.argv = sys.argv, [path]
    # Data classes look their module up by name.
    module = types.ModuleType("__main__")
    module.__dict__.update(space)
    kept, sys.modules["__main__"] = sys.modules["__main__"], module
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            exec(compile(text, path, "exec"), module.__dict__)
        return "runs"
    except Exception as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
        return f"{type(error).__name__} {lines[-1]}"
    finally:
        sys.argv, sys.modules["__main__"] = argv, kept


def variants():
    """`(name, text)` of each script and of each script with an error."""
    for script in sorted((HERE / "scripts").glob("*.py")):
        yield script.stem, script.read_text(encoding="utf-8")
    for number, line in enumerate((HERE / "errors.tsv").read_text(encoding="utf-8").splitlines(), 1):
        script, old, new = [part.replace("\\n", "\n") for part in line.split("\t")]
        text = (HERE / "scripts" / f"{script}.py").read_text(encoding="utf-8")
        if old not in text:
            raise SystemExit(f"errors.tsv:{number}: the text is not in {script}")
        yield f"{script}#{number}", text.replace(old, new)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write outcomes.tsv")
    parser.add_argument("--texts", type=Path, help="only write the texts of all variants into this folder")
    options = parser.parse_args()
    if options.texts:
        options.texts.mkdir(parents=True, exist_ok=True)
        for name, text in variants():
            (options.texts / f"{name.replace('#', '_')}.py").write_text(text, encoding="utf-8")
        return
    warnings.simplefilter("ignore")
    install_stand_ins()
    lines = [f"{name}\t{outcome(text, name)}\n" for name, text in variants()]
    path = HERE / "outcomes.tsv"
    if options.write:
        path.write_text("".join(lines), encoding="utf-8")
        print(f"{len(lines)} outcomes")
    elif path.read_text(encoding="utf-8") != "".join(lines):
        sys.stdout.writelines(lines)
        raise SystemExit("outcomes.tsv differs")
    else:
        print(f"{len(lines)} outcomes as recorded")


if __name__ == "__main__":
    main()
