//! How many tests passed and failed, read from what test runners print.

/// Counts of tests; a step that counts nothing itself is one test.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tally {
    pub passed: u64,
    pub failed: u64,
}

impl Tally {
    /// One test that passed or failed.
    pub fn one(passed: bool) -> Self {
        Self { passed: u64::from(passed), failed: u64::from(!passed) }
    }

    pub fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }

    /// Sums the `test result:` lines of libtest. A run that failed without a failed test (it did not build) is one failure.
    pub fn of_libtest(text: &str, success: bool) -> Self {
        let mut tally = Self::default();
        for line in text.lines().filter(|line| line.starts_with("test result: ")) {
            tally.passed += number_before(line, " passed");
            tally.failed += number_before(line, " failed");
        }
        tally.settled(success)
    }

    /// Reads the last line of pytest, or `N passed, N failed` of our own scripts.
    pub fn of_last_line(text: &str, success: bool) -> Self {
        let line = text.lines().rev().find(|line| line.contains(" passed") || line.contains(" failed"));
        let line = line.unwrap_or_default();
        let tally = Self {
            passed: number_before(line, " passed"),
            failed: number_before(line, " failed") + number_before(line, " error"),
        };
        tally.settled(success)
    }

    /// Makes counts agree with the exit code, and a run without counts one test.
    fn settled(self, success: bool) -> Self {
        match (success, self) {
            (false, Self { failed: 0, passed }) => Self { passed, failed: 1 },
            (true, Self { failed: 0, passed: 0 }) => Self::one(true),
            (_, counted) => counted,
        }
    }
}

/// The number that stands before a word in a line, or 0.
fn number_before(line: &str, word: &str) -> u64 {
    let Some(at) = line.find(word) else { return 0 };
    let digits = line[..at].rsplit(|character: char| !character.is_ascii_digit()).next();
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_libtest_are_summed() {
        let text = "test result: ok. 3 passed; 0 failed; 0 ignored\ntest result: FAILED. 1 passed; 2 failed;\n";
        assert_eq!(Tally::of_libtest(text, false), Tally { passed: 4, failed: 2 });
        assert_eq!(Tally::of_libtest("error: it does not build", false), Tally { passed: 0, failed: 1 });
    }

    #[test]
    fn the_last_line_of_pytest_is_read() {
        let text = "....\n== 1 failed, 12 passed, 1 error in 0.10s ==\n";
        assert_eq!(Tally::of_last_line(text, false), Tally { passed: 12, failed: 2 });
        assert_eq!(Tally::of_last_line("20 passed, 0 failed\n", true), Tally { passed: 20, failed: 0 });
        assert_eq!(Tally::of_last_line("done\n", true), Tally { passed: 1, failed: 0 });
    }
}
