"""``python distribute_verify JOB.json``, by the folder's path or as ``python -m pytrope.distribute_verify``."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from distribute_verify.session import main  # type: ignore[import-not-found]

sys.exit(main(sys.argv[1:]))
