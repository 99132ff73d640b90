"""What `pytrope distribute --recipe` prints is well formed: shell scripts for bash, manifests for a YAML reader."""

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TORCH, KERAS = HERE / "scripts" / "torch" / "mlp.py", HERE / "scripts" / "fit" / "error_3_optimizer.py"
ENGINES = {"ddp": (TORCH, "PyTorchJob"), "fsdp2": (TORCH, "PyTorchJob"), "accelerate": (TORCH, "PyTorchJob"),
           "horovod": (KERAS, "MPIJob"), "tf-distribute": (KERAS, "TFJob")}
READER = """
import sys, yaml
job = yaml.safe_load(sys.stdin)
(specs,) = [value for name, value in job["spec"].items() if name.endswith("ReplicaSpecs")]
for role, replica in specs.items():
    (container,) = replica["template"]["spec"]["containers"]
    assert container["image"] == "IMAGE" and replica["replicas"] >= 1, role
print(job["kind"], job["metadata"]["name"])
"""


def run(pytrope, python):
    """How many recipes are right and wrong; `python` can read YAML."""
    passed = failed = 0
    for engine, (script, kind) in ENGINES.items():
        def recipe(name):
            command = [str(pytrope), "distribute", str(script), "--to", engine, "--recipe", name]
            return subprocess.run(command, capture_output=True, text=True, check=True).stdout

        checks = {}
        for name in ("launcher", "slurm"):
            text = recipe(name)
            checked = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True)
            checks[name] = checked.returncode == 0 and script.name in text
        read = subprocess.run([str(python), "-c", READER], input=recipe("kubernetes"), capture_output=True, text=True)
        checks["kubernetes"] = read.stdout.strip() == f"{kind} {script.stem.replace('_', '-')}"
        for name, good in checks.items():
            passed += good
            failed += not good
            print(f"{'ok  ' if good else 'FAIL'} recipe: {engine} {name}" + ("" if good else f" {read.stderr}"), flush=True)
    return passed, failed


if __name__ == "__main__":
    passed, failed = run(*sys.argv[1:3])
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
