//! Runs of one entry do not influence each other: what a run comes to does not depend on what ran before it.

use std::sync::Arc;

use pytrope_shapes::entry::{EntrySession, EntryTarget, Expression, Mentions, PackageReading};
use pytrope_shapes::migrate::entry_program::{EntryAxis, EntryEnding, EntryProgram, EntryRun, Presented, RunOptions};
use pytrope_shapes::migrate::interpreted::{InputCounts, Interpreted};
use pytrope_shapes::migrate::report::shown_result;
use pytrope_source::{ModuleResolver, SourceFile};

/// Unknown code is given things on some ranks and runs on all; sizes get names, classes are registered, loops are widened.
const PROGRAMS: [&str; 5] = [
    "
import journal
def entry(x):
    if x.dim() == 0:
        notes = [1, 2]
        journal.keep(notes)
        raise ValueError('a scalar')
    sizes = [2, 8]
    journal.flush()
    return x.reshape(sizes)
",
    "
import journal
class Notes:
    def __init__(self, size):
        self.size = size
def entry(x):
    if x.dim() == 1:
        first = Notes(3)
        journal.keep(first)
        return x
    second = Notes(x.shape[-1])
    journal.flush()
    return x.reshape(-1, second.size)
",
    "
import journal
def entry(x):
    count = [0]
    def hook():
        count[0] = count[0] + 1
    if x.dim() == 2:
        journal.register(hook)
    journal.flush()
    return x.sum(count[0])
",
    "
def entry(x):
    parts = []
    for i in range(x.dim()):
        parts.append(x.shape[i])
    n = parts[0]
    return x.reshape(n, -1) if x.dim() > 1 else x.reshape(n)
",
    "
import journal
TABLE = {'rows': 4}
def entry(x):
    if x.dim() == 0:
        journal.keep(TABLE)
        raise ValueError('a scalar')
    journal.flush()
    return x.reshape(TABLE['rows'], -1)
",
];

fn open(target: &EntryTarget) -> Interpreted<'_> {
    let entry = Expression::parse("entry").expect("a name");
    let session = EntrySession::open_entry(&target.program, &target.module, &entry, &[]).expect("the entry is there");
    Interpreted::new(session, &Mentions::default(), InputCounts { spread: 0, listed: 1, optional: 0 })
}

/// What a run came to, without the numbers of its symbols, which are never used twice.
fn shown(run: &EntryRun) -> String {
    let required: Vec<String> = run
        .requirements
        .iter()
        .chain(&run.separate)
        .map(|requirement| format!("{}: {}", requirement.span.range.start, requirement.message))
        .collect();
    let ending = match &run.ending {
        EntryEnding::Returned(returned) => shown_result(returned),
        EntryEnding::Raised { message, .. } => format!("raises: {message}"),
        EntryEnding::Lost { reason } => format!("lost: {reason}"),
    };
    format!("{ending}; facts: {}; required: {required:?}", run.facts.len())
}

/// Tensors of the ranks that are tried, with open sizes and with sizes left `Dyn`, and one of which nothing is said.
fn presentations() -> Vec<Presented> {
    let ranked = |axis: EntryAxis| (0..=3).map(move |rank| Presented::Ranked(vec![axis; rank]));
    ranked(EntryAxis::Open).chain(ranked(EntryAxis::Dyn)).chain([Presented::Dyn]).collect()
}

fn compare(program: &str) {
    let file = SourceFile::from_text("entry.py", program);
    let target = || {
        EntryTarget::from_file(&Arc::clone(&file), ModuleResolver::with_roots(Vec::new()), PackageReading::default())
    };
    let alone: Vec<String> = presentations()
        .iter()
        .map(|one| shown(&open(&target()).run(std::slice::from_ref(one), &RunOptions::default())))
        .collect();
    let together = target();
    let mut session = open(&together);
    // Forth, and then back: every run comes after every other one.
    let order: Vec<usize> = (0..alone.len()).chain((0..alone.len()).rev()).collect();
    for at in order {
        let run = session.run(&presentations()[at..=at], &RunOptions::default());
        assert_eq!(shown(&run), alone[at], "{program}\npresented as {:?}", presentations()[at]);
    }
}

#[test]
fn runs_do_not_influence_each_other() {
    let work = || PROGRAMS.iter().for_each(|program| compare(program));
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(256 << 20);
        let thread = builder.spawn_scoped(scope, work).expect("the system gives a thread");
        if let Err(panic) = thread.join() {
            std::panic::resume_unwind(panic);
        }
    });
}
