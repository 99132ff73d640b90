"""Makes the virtual environment with TensorFlow and Horovod, target/venvs/horovod, unless it is current.

Horovod has no wheels on the package index: a wheel in the folder that PYTROPE_WHEELS names (by default ../shared/wheels) is
used if it fits, else it is built from source, which takes about two minutes.
"""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HOROVOD = "0.28.1"


def main():
    requirements = ROOT / "tests" / "peers" / "requirements" / "horovod.txt"
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    folder = target / "venvs" / "horovod"
    stamp = folder / "requirements.stamp"
    wanted = hashlib.sha256(requirements.read_bytes() + HOROVOD.encode()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return 0
    python = shutil.which("python3.11") or "/usr/bin/python3.11"
    if not pathlib.Path(python).exists():
        print("TensorFlow 2.13.1 needs Python 3.11", file=sys.stderr)
        return 1
    print(f"making {folder}", flush=True)
    run([python, "-m", "venv", "--clear", str(folder)])
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run([*pip, "--requirement", str(requirements)])
    wheels = pathlib.Path(os.environ.get("PYTROPE_WHEELS", ROOT.parent / "shared" / "wheels"))
    cached = sorted(wheels.glob(f"horovod-{HOROVOD}-cp311-*.whl")) if wheels.is_dir() else []
    if not cached or subprocess.run([*pip, "--no-deps", str(cached[0])]).returncode != 0:
        print("building Horovod from source", flush=True)
        run([*pip, "cmake<3.28"])
        options = {
            "HOROVOD_WITH_TENSORFLOW": "1", "HOROVOD_WITH_GLOO": "1", "HOROVOD_WITHOUT_MPI": "1",
            "HOROVOD_WITHOUT_PYTORCH": "1", "HOROVOD_WITHOUT_MXNET": "1",
            "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        }
        run([*pip, "--no-build-isolation", "--no-deps", f"horovod=={HOROVOD}"], env={**os.environ, **options})
    run([str(folder / "bin" / "python"), "-c", "import horovod.tensorflow"], env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"})
    stamp.write_text(wanted)
    return 0


def run(command, **options):
    subprocess.run(command, check=True, **options)


if __name__ == "__main__":
    sys.exit(main())
