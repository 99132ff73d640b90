"""Brings released packages from PyPI: the source archive, or a wheel where there is none, unpacked under a cache."""

import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import time
import urllib.error
import urllib.parse
import urllib.request
import zipfile

# Archives over this size are mostly data.
LARGEST = 80 << 20
# Gigabytes each; their dependents are installed without them, and judged with stand-ins.
HEAVY = {"torch", "tensorflow", "jax", "jaxlib", "torchvision", "torchaudio", "pyspark", "tensorflow-cpu", "vllm", "triton", "cupy", "paddlepaddle",
         "ray", "pyqt5", "pyqt6", "pyside6", "pyside2", "vtk", "opencv-python", "nvidia-cublas-cu12", "apache-beam", "mlflow"}  # fmt: skip


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def metadata(name, cache):
    """What PyPI says of the newest release; kept, so that a seed means the same files tomorrow."""
    path = cache / "metadata" / f"{name}.json"
    if not path.exists():
        for attempt in range(3):
            try:
                with urllib.request.urlopen(f"https://pypi.org/pypi/{name}/json", timeout=60) as answer:
                    whole = json.load(answer)
                break
            except urllib.error.HTTPError:
                return None
            except OSError:
                time.sleep(attempt + 1)
        else:
            return None
        kept = {"version": whole["info"]["version"], "requires": whole["info"].get("requires_dist") or []}
        kept["files"] = [
            {"name": file["filename"], "url": absolute(file["url"], name), "size": file["size"], "sha256": file["digests"]["sha256"]} for file in whole["urls"]
        ]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(kept))
    return json.loads(path.read_text())


def absolute(url, name):
    """Mirrors of PyPI may give addresses relative to a package's page."""
    return urllib.parse.urljoin(f"https://pypi.org/simple/{name}/", url)


def choose(files):
    """The source archive if there is one, because it has tests and examples too; else a wheel."""
    archives = [file for file in files if file["name"].endswith((".tar.gz", ".zip", ".tgz", ".tar.bz2"))]
    wheels = [file for file in files if file["name"].endswith(".whl")]
    pure = [file for file in wheels if "-none-any" in file["name"]]
    linux = [file for file in wheels if "manylinux" in file["name"] and "x86_64" in file["name"]]
    small = [file for file in archives + pure + linux if file["size"] <= LARGEST]
    return small[0] if small else None


def unpacked(name, cache):
    """The folder of a package's files and its version, or None with a reason."""
    known = metadata(name, cache)
    if known is None:
        return None, "not on PyPI"
    file = choose(known["files"])
    if file is None:
        return None, "no archive of a sensible size"
    folder = cache / "trees" / name
    if (folder / ".version").exists():
        return folder, (folder / ".version").read_text()
    archive = cache / "archives" / file["name"]
    archive.parent.mkdir(parents=True, exist_ok=True)
    try:
        with urllib.request.urlopen(file["url"], timeout=180) as answer:
            content = answer.read()
    except (OSError, ValueError) as error:
        return None, f"not fetched: {error}"
    if hashlib.sha256(content).hexdigest() != file["sha256"]:
        return None, "not the file that PyPI describes"
    archive.write_bytes(content)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        if archive.suffix in (".whl", ".zip"):
            with zipfile.ZipFile(archive) as opened:
                opened.extractall(folder)
        else:
            with tarfile.open(archive) as opened:
                opened.extractall(folder, filter="data")
    except (OSError, tarfile.TarError, zipfile.BadZipFile, UnicodeError) as error:
        return None, f"not unpacked: {error}"
    finally:
        archive.unlink()
    (folder / ".version").write_text(known["version"])
    return folder, known["version"]


def installed(name, cache, python):
    """A folder with the package and what it needs, from wheels only: building runs code of strangers outside the sandbox."""
    known = metadata(name, cache)
    folder = cache / "sites" / name
    stamp = folder / ".done"
    if stamp.exists():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    needs = [re.split(r"[;\[ <>=!~(]", need)[0] for need in known["requires"] if "extra ==" not in need]
    heavy = any(normal(need) in HEAVY for need in needs)
    pip = [python, "-m", "pip", "install", "--quiet", "--target", str(folder), "--only-binary", ":all:", "--no-compile", "--no-warn-script-location"]
    attempts = [[*pip, f"{name}=={known['version']}"]]
    if heavy:
        light = [need for need in needs if normal(need) not in HEAVY]
        attempts = [[*pip, "--no-deps", f"{name}=={known['version']}", *light]]
    attempts.append([*pip, "--no-deps", f"{name}=={known['version']}"])
    for command in attempts:
        try:
            if subprocess.run(command, capture_output=True, timeout=240).returncode == 0:  # noqa: S603
                break
        except subprocess.TimeoutExpired:
            continue
    stamp.write_text("")
    return folder


# What tests and examples of everything import.
COMMON = ["numpy", "pytest", "attrs", "setuptools", "six", "hypothesis", "packaging", "docutils"]


def common(cache, python):
    """A folder with what many packages import without saying that they need it."""
    folder = cache / "sites" / "_common"
    if not (folder / ".done").exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--target", str(folder), "--only-binary", ":all:", *COMMON], check=True)  # noqa: S603
        (folder / ".done").write_text("")
    return folder


def python_for_judging():
    """The newest interpreter here that has instruction events, as the judge needs them."""
    for version in ("3.13", "3.12"):
        for candidate in [*pathlib.Path.home().glob(f".pyenv/versions/{version}*/bin/python3"), shutil.which(f"python{version}")]:
            if candidate:
                return str(candidate)
    if sys.version_info >= (3, 12):
        return sys.executable
    sys.exit("the judge needs Python 3.12 or newer")
