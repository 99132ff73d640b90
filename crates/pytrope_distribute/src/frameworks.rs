//! Frameworks that distribute training themselves: the answer is the command or setting that does it.

use pytrope_diagnostics::{Finding, rule_by_id};
use pytrope_source::tree::{ExprId, ExprKind, StmtKind};
use pytrope_source::{Span, TextRange};

use crate::trace::Trace;

/// What a framework is recognised by and what it takes to run it on many processes.
struct Framework {
    name: &'static str,
    /// Whether a called name, in full, is the framework's way of training.
    trains: fn(&str) -> bool,
    help: &'static str,
}

const FRAMEWORKS: &[Framework] = &[
    Framework {
        name: "the Trainer of Hugging Face transformers",
        trains: |api| {
            let class = api.rsplit('.').next().unwrap_or_default();
            (api.starts_with("transformers.") || api.starts_with("trl."))
                && class.ends_with("Trainer")
                && class.chars().next().is_some_and(char::is_uppercase)
        },
        help: "start the script as it is by `torchrun --nproc-per-node=4 SCRIPT`; `per_device_train_batch_size` is that of one \
               process, and `TrainingArguments(fsdp=\"full_shard auto_wrap\")` divides the parameters",
    },
    Framework {
        name: "Lightning's Trainer",
        trains: |api| {
            matches!(api.split('.').next(), Some("lightning" | "pytorch_lightning"))
                && (api.ends_with(".Trainer") || api.ends_with(".LightningCLI"))
        },
        help: "set `Trainer(devices=4, num_nodes=1, strategy=\"ddp\")`, or `strategy=\"fsdp\"` to divide the parameters; the \
               script is started as before",
    },
    Framework {
        name: "Lightning Fabric",
        trains: |api| {
            matches!(api.split('.').next(), Some("lightning" | "lightning_fabric")) && api.ends_with("Fabric")
        },
        help: "set `Fabric(devices=4, strategy=\"ddp\")`, or start the script by `fabric run --devices=4 SCRIPT`",
    },
    Framework {
        name: "Accelerate",
        trains: |api| api == "accelerate.Accelerator",
        help: "start the script by `accelerate launch --num_processes=4 SCRIPT`",
    },
    Framework {
        name: "fastai's Learner",
        trains: |api| api.starts_with("fastai.") && (api.ends_with("_learner") || api.ends_with(".Learner")),
        help: "train under `with learn.distrib_ctx():` and start the script by `accelerate launch --num_processes=4 SCRIPT`",
    },
    Framework {
        name: "DeepSpeed",
        trains: |api| api == "deepspeed.initialize",
        help: "start the script by `deepspeed --num_gpus=4 SCRIPT`",
    },
    Framework {
        name: "Ray Train",
        trains: |api| api.starts_with("ray.train.") && api.ends_with("Trainer"),
        help: "set `ScalingConfig(num_workers=4, use_gpu=True)`",
    },
    Framework {
        name: "Ultralytics",
        trains: |api| api == "ultralytics.YOLO",
        help: "give `device=[0, 1, 2, 3]` to `model.train`",
    },
    Framework {
        name: "JAX",
        trains: |api| {
            matches!(
                api,
                "jax.grad" | "jax.value_and_grad" | "flax.nnx.grad" | "flax.nnx.value_and_grad" | "equinox.filter_grad"
            ) || api == "equinox.filter_value_and_grad"
        },
        help: "call `jax.distributed.initialize()` first on each host, and place each batch by `jax.device_put(batch, \
               NamedSharding(Mesh(jax.devices(), (\"batch\",)), PartitionSpec(\"batch\")))`; `jax.jit` divides the step, and \
               parameters placed by `PartitionSpec()` are kept equal on all devices",
    },
];

/// The answer for a project whose training a framework distributes.
pub fn find_framework(trace: &Trace) -> Option<Finding> {
    for (id, module) in trace.project.modules.iter().enumerate() {
        let tree = &module.parsed.tree;
        for expr in tree.expr_ids() {
            let Some(api) = trace.called_api((id, expr)) else { continue };
            for framework in FRAMEWORKS {
                if (framework.trains)(&api) {
                    let span = Span::new(&module.parsed.file, tree[expr].range);
                    return Some(framework_finding(
                        span,
                        framework.name,
                        framework.help,
                        &trace.project.modules[0].parsed.file,
                    ));
                }
            }
        }
        if let Some(range) = jax_backend(trace, id) {
            let help = "call `keras.distribution.set_distribution(keras.distribution.DataParallel())` before the model is made, \
                        and `keras.distribution.initialize()` first on each host";
            return Some(framework_finding(
                Span::new(&module.parsed.file, range),
                "Keras on JAX",
                help,
                &module.parsed.file,
            ));
        }
    }
    None
}

fn framework_finding(span: Span, name: &str, help: &str, script: &pytrope_source::SourceFile) -> Finding {
    let message = format!("{name} distributes the training itself");
    Finding::new(rule_by_id("framework-distributes"), span, message).help(help.replace("SCRIPT", script.path()))
}

/// `os.environ["KERAS_BACKEND"] = "jax"`.
fn jax_backend(trace: &Trace, module: usize) -> Option<TextRange> {
    let tree = trace.tree(module);
    let is = |e: ExprId, text: &str| matches!(tree[e].kind, ExprKind::Str(s) if tree.text(s) == text);
    tree.stmt_ids().find_map(|stmt| match tree[stmt].kind {
        StmtKind::Assign { targets, value } => {
            let [target] = tree[targets][..] else { return None };
            let ExprKind::Subscript { index, .. } = tree[target].kind else { return None };
            (is(index, "KERAS_BACKEND") && is(value, "jax")).then_some(tree[stmt].range)
        }
        _ => None,
    })
}
