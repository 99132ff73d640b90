"""PyTorch's tensors travel with their class, dtype and shape, or say why they do not."""

import os
import subprocess
import sys
import unittest
from pathlib import Path

import peers


class Tensors(unittest.TestCase):
    def test_tensors_arrive_as_they_were(self) -> None:
        """PyTorch is Debian's, so the Python is too."""
        environment = {**os.environ, "PYTHONPATH": str(peers.ROOT / "python")}
        script = Path(__file__).parent / "runner_cases" / "tensors.py"
        for python in (sys.executable, "/usr/bin/python3"):
            has_torch = subprocess.run([python, "-c", "import torch"], capture_output=True, check=False)
            if has_torch.returncode == 0:
                done = subprocess.run(
                    [python, str(script)], env=environment, capture_output=True, text=True, check=False
                )
                self.assertEqual((done.returncode, done.stdout), (0, "24 checked\n"), done.stderr)
                return
        peers.missing("torch")


if __name__ == "__main__":
    unittest.main()
