"""Runs the Python tests and ends with `N passed, N failed`: `python tests/python/run.py [NAME…]`.

A missing peer is a failure with PYTROPE_REQUIRE_PEERS=1 and is printed loudly otherwise.
"""

import faulthandler
import sys
import unittest
from pathlib import Path


class Watched(unittest.TextTestResult):
    """Nothing in these tests may hang; if one does, say where and stop."""

    def startTest(self, test: unittest.TestCase) -> None:  # noqa: N802 - the name that unittest calls
        faulthandler.dump_traceback_later(600, exit=True)
        super().startTest(test)


def main(names: list[str]) -> int:
    here = Path(__file__).parent
    sys.path.insert(0, str(here))
    loader = unittest.TestLoader()
    suite = loader.loadTestsFromNames(names) if names else loader.discover(str(here), top_level_dir=str(here))
    result = unittest.TextTestRunner(verbosity=1, buffer=False, resultclass=Watched).run(suite)
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    print(f"{max(result.testsRun - failed - len(result.skipped), 0)} passed, {failed} failed")
    return 0 if result.wasSuccessful() and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
