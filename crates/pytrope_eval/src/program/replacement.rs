//! Taking modules out of a program after an edit, so that they are parsed or evaluated anew when they are next asked for.
//!
//! A module keeps its number. Invariant of the caller: whatever was evaluated with a module that is taken out is taken out too, so
//! that no address of its old heap is left anywhere. What the program remembers of calls of models stays: it mentions no object
//! of the program (`calls/summaries/describe.rs`).

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock, PoisonError};

use super::index::entries_of;
use super::{Code, EvaluatedModule, Program};

/// How many summaries are kept across an edit; symbols make many that are never met again.
const KEPT_SUMMARIES: usize = 1 << 15;

impl Program {
    /// Takes out a module's evaluation; its code stays.
    pub fn forget_evaluation(&mut self, key: &str) {
        let Some(number) = self.module_number(key) else { return };
        self.frozen[number as usize] = OnceLock::new();
        self.finished[number as usize] = AtomicBool::default();
    }

    /// Takes out a module whose text has changed, and parses the new one. Whether the module now says something else about
    /// the whole program. The index is open until [`Self::close_index`].
    pub fn replace_module(&mut self, key: &str) -> bool {
        let Some(number) = self.module_number(key) else { return false };
        self.forget_evaluation(key);
        let old = self.codes[number as usize].take();
        if let Some(old) = &old {
            self.knowledge.get_mut().unwrap_or_else(PoisonError::into_inner).remove_code(old);
        }
        *self.index_is_closed.get_mut() = false;
        let new = self.parse_module(key);
        let sorted = |code: &Arc<Code>| {
            let mut entries = entries_of(code);
            entries.sort_unstable();
            entries
        };
        old.as_ref().map(sorted).unwrap_or_default() != new.as_ref().map(sorted).unwrap_or_default()
    }

    /// Begins a new round of evaluations in the fixed order.
    pub fn restart_order(&mut self) {
        *self.evaluating.get_mut().unwrap_or_else(PoisonError::into_inner) = 0;
        self.summaries.trim(KEPT_SUMMARIES);
    }

    /// The code of a module that was parsed.
    pub fn parsed_module(&self, key: &str) -> Option<&Arc<Code>> {
        let index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        let number = (*index.numbers.get(key)?)?;
        drop(index);
        self.codes[number as usize].get()
    }

    /// The modules of the program that were parsed, models excepted, by key.
    pub fn parsed_modules(&self) -> Vec<(Arc<str>, &Arc<Code>)> {
        let index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
        let numbers = index.numbers.iter().filter_map(|(key, number)| Some((key, (*number)?)));
        let parsed = numbers.filter_map(|(key, number)| Some((Arc::clone(key), self.codes[number as usize].get()?)));
        let mut modules: Vec<_> = parsed.filter(|(_, code)| !code.is_model).collect();
        modules.sort_unstable_by_key(|(_, code)| code.module);
        modules
    }

    /// A module's evaluation, if it is over.
    pub fn evaluation_of(&self, key: &str) -> Option<&EvaluatedModule> {
        self.evaluated_module(self.parsed_module(key)?.module)
    }

    /// Whether an answer that a model was evaluated by has changed. Models ask what any code asks; few answers matter to them.
    pub fn models_see_changes(&self) -> bool {
        let models = self.frozen.iter().filter_map(OnceLock::get).filter(|module| module.code.is_model);
        let mut answers = models.flat_map(|module| &module.dependencies.answers);
        answers.any(|(question, answer)| self.answers_otherwise(*question, *answer))
    }
}
