//! What calls show or write: the places where people and later runs read the numbers of a script.

use pytrope_source::tree::ExprKind;

use crate::identify::{is_keras_model, roots_call};
use crate::trace::{ExprPlace, Trace, argument_of};

/// Functions that write a file.
const WRITERS: &[&str] = &[
    "np.save",
    "np.savez",
    "np.savez_compressed",
    "np.savetxt",
    "torch.save",
    "pickle.dump",
    "joblib.dump",
    "tf.saved_model.save",
    "tf.keras.models.save_model",
    "tf.io.write_file",
    "imageio.mimsave",
    "imageio.imwrite",
    "cv2.imwrite",
    "torchvision.utils.save_image",
    "shutil.rmtree",
    "shutil.copy",
    "shutil.copy2",
    "shutil.copyfile",
    "shutil.move",
    "os.mkdir",
    "os.remove",
    "os.rename",
    "os.replace",
    "os.unlink",
    "os.symlink",
    "tf.io.gfile.rmtree",
    "tf.gfile.DeleteRecursively",
    "json.dump",
    "torch.jit.save",
    "torch.onnx.export",
    "tf.keras.utils.plot_model",
];

/// What a call does that only one rank should do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum OutputEffect {
    Prints,
    Writes,
}

/// Whether a call shows or logs what it is given.
pub fn is_shown(trace: &Trace, place: ExprPlace) -> bool {
    let logs = |name: &str| matches!(name, "wandb.log" | "mlflow.log_metric" | "mlflow.log_metrics");
    let scalar = |method: &str| matches!(method, "add_scalar" | "add_scalars");
    effect_of_call(trace, place) == Some(OutputEffect::Prints)
        || trace.called_api(place).is_some_and(|api| logs(&api))
        || trace.called_method(place).is_some_and(|(_, method)| scalar(method))
}

/// What a call shows or writes, if it does.
pub fn effect_of_call(trace: &Trace, place: ExprPlace) -> Option<OutputEffect> {
    if let Some(api) = trace.called_api(place) {
        let name = api.as_str();
        if matches!(
            name,
            "builtins.print"
                | "pprint.pprint"
                | "tf.print"
                | "sys.stdout.write"
                | "sys.stderr.write"
                | "tf.logging.set_verbosity"
                | "rich.print"
                | "rich.print_json"
                | "rich.pretty.pprint"
                | "click.echo"
                | "click.secho"
                | "typer.echo"
                | "typer.secho"
        ) || is_bar_write(name)
            || ["logging.", "absl.logging.", "tf.logging.", "tf.compat.v1.logging.", "loguru.logger."]
                .iter()
                .any(|p| name.strip_prefix(p).is_some_and(is_log_method))
        {
            return Some(OutputEffect::Prints);
        }
        if matches!(name, "matplotlib.pyplot.show" | "matplotlib.pyplot.savefig" | "matplotlib.pyplot.imsave") {
            return Some(OutputEffect::Writes);
        }
        if WRITERS.contains(&name) {
            return (!into_open_file(trace, place)).then_some(OutputEffect::Writes);
        }
        if !name.starts_with("builtins.") && trace.called_method(place).is_none() {
            return None;
        }
    }
    let (receiver, method) = trace.called_method(place)?;
    let at = (place.0, receiver);
    if trace.project_callee(place).is_some() {
        return None;
    }
    if is_print(trace, place) {
        return Some(OutputEffect::Prints);
    }
    match method {
        // `console.print` of rich, `bar.write` of a progress bar.
        "print" | "log" | "rule" | "print_json" if roots_call(trace, at, &is_console) => Some(OutputEffect::Prints),
        "write" if roots_call(trace, at, &is_progress_bar) => Some(OutputEffect::Prints),
        "summary" if is_keras_model(trace, at) => Some(OutputEffect::Prints),
        "write_text" | "write_bytes" => Some(OutputEffect::Writes),
        "save" | "save_weights" | "save_model" | "write" | "to_csv" | "savefig" | "save_pretrained" | "export" => {
            let file = method == "write"
                && !roots_call(trace, at, &|api| {
                    api.starts_with("tf.train.Checkpoint") || api.starts_with("tf.train.CheckpointManager")
                });
            // A file opened for writing goes to the null device instead.
            (!file).then_some(OutputEffect::Writes)
        }
        _ if method.starts_with("add_") || matches!(method, "flush" | "close") => {
            roots_call(trace, at, &is_summary_writer).then_some(OutputEffect::Writes)
        }
        _ if is_log_method(method) => {
            let logger = roots_call(trace, at, &|api| {
                api == "logging.getLogger" || api == "tf.get_logger" || api.ends_with("get_absl_logger")
            });
            logger.then_some(OutputEffect::Prints)
        }
        _ => None,
    }
}

/// Whether a method is the built-in `print`, kept in an attribute: `self.log = print`.
fn is_print(trace: &Trace, (module, call): ExprPlace) -> bool {
    let ExprKind::Call { function, .. } = trace.tree(module)[call].kind else { return false };
    trace.value_roots((module, function)).iter().any(|root| {
        trace.tree(root.module).as_name(root.expr).is_some()
            && trace.origin((root.module, root.expr)).as_deref() == Some("builtins.print")
    })
}

/// Whether a call writes into a file that the script has opened, which is the null device on other ranks.
fn into_open_file(trace: &Trace, (module, call): ExprPlace) -> bool {
    argument_of(trace.tree(module), call, "", 1)
        .is_some_and(|file| roots_call(trace, (module, file), &|api| api == "builtins.open"))
}

/// `tqdm.write` prints a line above the bars.
fn is_bar_write(api: &str) -> bool {
    api.strip_suffix(".write").is_some_and(is_progress_bar)
}

pub fn is_progress_bar(api: &str) -> bool {
    api.starts_with("tqdm") && api.rsplit('.').next().is_some_and(|name| matches!(name, "tqdm" | "trange"))
}

fn is_console(api: &str) -> bool {
    matches!(api, "rich.console.Console" | "rich.get_console" | "rich.progress.Progress")
}

fn is_log_method(name: &str) -> bool {
    matches!(name, "info" | "debug" | "warning" | "warn" | "error" | "critical" | "log" | "exception")
}

pub fn is_summary_writer(api: &str) -> bool {
    api == "tf.summary.FileWriter"
        || api.ends_with("tensorboard.SummaryWriter")
        || api.ends_with("tensorboardX.SummaryWriter")
        || api.ends_with("tensorboard.writer.SummaryWriter")
}

/// Whether a function writes a file.
pub fn is_writer(api: &str) -> bool {
    WRITERS.contains(&api)
}

/// Whether a call reads what may have been saved, or asks what files are there.
pub fn reads_saved(trace: &Trace, place: ExprPlace) -> bool {
    let api = trace.called_api(place).unwrap_or_default();
    if matches!(
        api.as_str(),
        "torch.load"
            | "np.load"
            | "pickle.load"
            | "joblib.load"
            | "os.listdir"
            | "os.scandir"
            | "os.walk"
            | "os.path.getmtime"
            | "os.path.getctime"
            | "glob.glob"
            | "glob.iglob"
            | "tf.keras.models.load_model"
            | "tf.saved_model.load"
            | "tf.train.load_checkpoint"
            | "tf.train.load_variable"
    ) {
        return true;
    }
    trace.project_callee(place).is_none()
        && trace.called_method(place).is_some_and(|(receiver, method)| match method {
            "load_weights" | "restore" => true,
            "glob" | "rglob" | "iterdir" => roots_call(trace, (place.0, receiver), &|api| api.starts_with("pathlib.")),
            _ => false,
        })
}

/// Whether a call shows samples as pictures: those of rank 0 are as good as any others.
pub fn is_picture(trace: &Trace, place: ExprPlace) -> bool {
    trace.called_api(place).is_some_and(|api| api == "torchvision.utils.save_image")
        || trace
            .called_method(place)
            .is_some_and(|(_, method)| matches!(method, "add_image" | "add_images" | "add_graph" | "add_embedding"))
}

/// Whether a method writes text or a row of values into an open file.
pub fn writes_text(trace: &Trace, place: ExprPlace) -> bool {
    trace.project_callee(place).is_none()
        && trace
            .called_method(place)
            .is_some_and(|(_, method)| matches!(method, "write" | "writelines" | "writerow" | "writerows"))
}
