//! The summary that `--explain` prints: pattern, models, optimizers, datasets, checkpoints.

use pytrope_source::tree::ExprKind;

use crate::data::{is_dataset_source, is_loader};
use crate::identify::{Training, TrainingPattern, is_keras_model_class};
use crate::project::ModuleId;
use crate::trace::{ExprPlace, Trace};

/// A named thing and where it is made.
#[derive(Clone, Debug)]
pub struct Item {
    pub path: String,
    pub line: u32,
    pub text: String,
}

#[derive(Clone, Debug)]
pub struct Summary {
    pub pattern: TrainingPattern,
    pub home: ModuleId,
    pub path: String,
    pub line: u32,
    pub models: Vec<Item>,
    pub optimizers: Vec<Item>,
    pub datasets: Vec<Item>,
    pub checkpoints: Vec<Item>,
}

impl Summary {
    pub fn new(trace: &Trace, training: &Training) -> Self {
        let file = &trace.project.modules[training.home].parsed.file;
        let at = trace.tree(training.home)[training.at].range;
        let mut summary = Self {
            pattern: training.pattern,
            home: training.home,
            path: file.path().to_owned(),
            line: file.line_column(at.start).line,
            models: Vec::new(),
            optimizers: training.optimizers.iter().map(|&place| item_at(trace, place)).collect(),
            datasets: Vec::new(),
            checkpoints: Vec::new(),
        };
        for module in 0..trace.project.modules.len() {
            for expr in trace.tree(module).expr_ids() {
                let place = (module, expr);
                if !matches!(trace.tree(module)[expr].kind, ExprKind::Call { .. }) {
                    continue;
                }
                let api = trace.called_api(place).unwrap_or_default();
                let is_class = trace.project_callee(place).is_some_and(|def| {
                    trace.descends_from(def, &|api| {
                        is_keras_model_class(api) || matches!(api, "torch.nn.Module" | "tf.Module")
                    })
                });
                if is_class || is_keras_model_class(&api) || api == "torch.nn.Sequential" {
                    summary.models.push(item_at(trace, place));
                } else if is_dataset_source(&api) || is_loader(&api) {
                    summary.datasets.push(item_at(trace, place));
                } else if matches!(
                    api.as_str(),
                    "tf.train.Checkpoint"
                        | "tf.train.CheckpointManager"
                        | "tf.train.Saver"
                        | "tf.keras.callbacks.ModelCheckpoint"
                ) {
                    summary.checkpoints.push(item_at(trace, place));
                }
            }
        }
        summary
    }

    /// The lists with their headings, for people and for JSON.
    pub fn lists(&self) -> [(&'static str, &[Item]); 4] {
        [
            ("models", &self.models),
            ("optimizers", &self.optimizers),
            ("datasets", &self.datasets),
            ("checkpoints", &self.checkpoints),
        ]
    }
}

fn item_at(trace: &Trace, place: ExprPlace) -> Item {
    let file = &trace.project.modules[place.0].parsed.file;
    let range = trace.tree(place.0)[place.1].range;
    let text = trace.text(place);
    let text = text.lines().next().unwrap_or_default().to_owned();
    Item { path: file.path().to_owned(), line: file.line_column(range.start).line, text }
}
