//! The arguments of the command line, as clap reads them.

use std::convert::Infallible;
use std::path::PathBuf;

use clap::builder::UnknownArgumentValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use pytrope_diagnostics::OutputFormat;

/// Finds shape bugs in, and rewrites, Python tensor code. Reads Python and never runs it.
#[derive(Debug, Parser)]
#[command(name = "pytrope", version, max_term_width = 100, propagate_version = true, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub global: GlobalArgs,
}

const EXIT_CODES: &str = "\
Exit codes:
  0    nothing to report, or rewritten
  1    an error or warning was found, or a rewrite was refused
  2    usage, input/output or configuration error
  101  internal error";

/// Options that every command understands.
#[derive(Debug, Clone, Args)]
pub(crate) struct GlobalArgs {
    /// Read configuration from this pytrope.toml or pyproject.toml
    #[arg(long, global = true, value_name = "FILE", help_heading = "Global options")]
    pub config: Option<PathBuf>,
    /// Ignore configuration files
    #[arg(long, global = true, conflicts_with = "config", help_heading = "Global options")]
    pub isolated: bool,
    /// When to colour output
    #[arg(
        long,
        alias = "colour",
        global = true,
        value_enum,
        default_value_t,
        value_name = "WHEN",
        help_heading = "Global options"
    )]
    pub color: Colour,
    /// Print results only
    #[arg(short, long, global = true, conflicts_with = "verbose", help_heading = "Global options")]
    pub quiet: bool,
    /// Print more to standard error: the slowest files, what models lack
    #[arg(short, long, global = true, help_heading = "Global options")]
    pub verbose: bool,
    /// Use this many threads
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512), help_heading = "Global options")]
    pub threads: Option<u16>,
    /// Read no file outside of this folder, links resolved
    #[arg(long, global = true, hide = true, value_name = "FOLDER")]
    pub read_below: Option<PathBuf>,
}

/// When to colour output.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find the errors, shape errors above all, that are certain to happen
    Check(CheckArgs),
    /// Find and write shape annotations, or say which dimension cannot have one
    Migrate(MigrateArgs),
    /// Remove branches that shapes decide, for whole classes of inputs
    Prune(PruneArgs),
    /// Draw what a model does to shapes, layer by layer
    Draw(DrawArgs),
    /// Write a page about a project: findings, shapes beside the source, coverage
    Report(ReportArgs),
    /// Turn a single-process training script into a distributed one
    Distribute(DistributeArgs),
    /// Turn one choreography into one program per role
    Project(ProjectArgs),
    /// Serve an editor: diagnostics and shapes while code is typed
    Server(ServerArgs),
    /// Serve a coding assistant: check, shapes, migrate and distribute as tools
    Mcp(McpArgs),
    /// Remove the results that `check` has cached
    Cache(CacheArgs),
    /// Print the page of a rule
    Explain(ExplainArgs),
    /// List the rules
    Rules(RulesArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page
    Man(ManArgs),
    /// Answer a file of integer constraints in SMT-LIB 2 (a developer command)
    Solve(SolveArgs),
    /// Print the JSON schema of the configuration
    Schema,
    /// Parse, lower and walk files, and count (a developer command)
    #[command(hide = true)]
    Parse(ParseArgs),
}

/// Find the errors, shape errors above all, that are certain to happen.
#[derive(Debug, Default, Args)]
#[command(after_help = "\
Examples:
  pytrope check                          every Python file under the working directory
  pytrope check train.py --possible      also what may fail, with sizes that make it fail
  pytrope check --show-shapes model.py   each assignment with its shape
  pytrope check --output-format sarif -o report.sarif src
  pytrope check - --stdin-filename a.py < a.py
  pytrope check --fix --diff             what the safe fixes would change
  pytrope check --baseline known.json --update-baseline")]
pub(crate) struct CheckArgs {
    /// Files and folders; `-` is standard input
    #[arg(default_value = ".", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub output: CheckOutput,
    #[command(flatten)]
    pub environment: EnvironmentArgs,
    /// Also report what may fail, as warnings with example sizes
    #[arg(long)]
    pub possible: bool,
    /// Print each assignment with its shape beside the source
    #[arg(long, conflicts_with_all = ["watch", "baseline", "update_baseline"])]
    pub show_shapes: bool,
    /// Print how much is known of the arrays of each file, and what keeps the rest unknown
    #[arg(long, conflicts_with_all = ["watch", "update_baseline", "show_shapes", "fix"])]
    pub statistics: bool,
    #[command(flatten)]
    pub levels: LevelArgs,
    /// Leave out the findings that this file lists
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write the findings of this run to the baseline; what it lists of files that are not checked stays
    #[arg(long, conflicts_with = "watch")]
    pub update_baseline: bool,
    /// Apply the fixes that are safe
    #[arg(long, conflicts_with_all = ["watch", "update_baseline", "show_shapes"])]
    pub fix: bool,
    /// With --fix: print the changes and write nothing
    #[arg(long, requires = "fix")]
    pub diff: bool,
    /// With --fix: also apply fixes that may not be what was meant
    #[arg(long, requires = "fix")]
    pub unsafe_fixes: bool,
    /// Exit with 0 even if something is found
    #[arg(long)]
    pub exit_zero: bool,
    /// Run again whenever a file changes
    #[arg(long)]
    pub watch: bool,
    /// The name of standard input in findings
    #[arg(long, value_name = "PATH")]
    pub stdin_filename: Option<PathBuf>,
    /// Leave out files that match this glob
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Print at most this many findings
    #[arg(long, value_name = "N")]
    pub max_findings: Option<usize>,
    /// Neither read nor write the cache
    #[arg(long)]
    pub no_cache: bool,
    /// Keep the cache here; by default it is `.pytrope_cache` beside the configuration, if there is one
    #[arg(long, value_name = "FOLDER", conflicts_with = "no_cache")]
    pub cache_dir: Option<PathBuf>,
}

/// Where and how findings are printed.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct CheckOutput {
    /// How findings are printed
    #[arg(long, value_name = "FORMAT", value_parser = parse_format, hide_possible_values = true, help = format_help())]
    pub output_format: Option<OutputFormat>,
    /// Write findings to this file
    #[arg(short, long, value_name = "FILE")]
    pub output_file: Option<PathBuf>,
}

/// The installed libraries and the Python that code is read for.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct EnvironmentArgs {
    /// A Python, virtual environment or site-packages folder whose libraries are read (never run)
    #[arg(long, value_name = "PATH")]
    pub python: Option<PathBuf>,
    /// Read the sources of this installed package too
    #[arg(long, value_name = "PACKAGE", value_delimiter = ',')]
    pub follow: Vec<String>,
    /// The version of Python that the code is for, such as 3.12
    #[arg(long, value_name = "VERSION")]
    pub target_version: Option<String>,
}

const LEVELS: &str = "Levels (RULE is an id, a code, or `all`)";

/// Levels of rules.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct LevelArgs {
    /// Report RULE as an error
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = LEVELS)]
    pub error: Vec<String>,
    /// Report RULE as a warning
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = LEVELS)]
    pub warn: Vec<String>,
    /// Do not report RULE
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = LEVELS)]
    pub ignore: Vec<String>,
}

/// Serve an editor: diagnostics and shapes while code is typed.
#[derive(Debug, Args)]
#[command(after_help = "\
An editor starts this command and communicates with it by the Language Server Protocol.
The configuration is that of `pytrope check`, read from each document's project.

Examples:
  pytrope server
  pytrope server --python .venv --possible")]
pub(crate) struct ServerArgs {
    #[command(flatten)]
    pub environment: EnvironmentArgs,
    /// Also report what may fail, as warnings with example sizes
    #[arg(long)]
    pub possible: bool,
    #[command(flatten)]
    pub levels: LevelArgs,
}

/// Serve a coding assistant: check, shapes, migrate and distribute as tools.
#[derive(Debug, Args)]
#[command(after_help = "\
An assistant starts this command and communicates with it by the Model Context Protocol.
Tools read files below the root and write nothing.

Examples:
  pytrope mcp
  pytrope mcp --root ~/project")]
pub(crate) struct McpArgs {
    /// The folder that tools may read; the working directory by default
    #[arg(long, value_name = "FOLDER")]
    pub root: Option<PathBuf>,
}

/// Remove the results that `check` has cached.
#[derive(Debug, Args)]
pub(crate) struct CacheArgs {
    #[command(subcommand)]
    pub action: CacheAction,
}

/// What is done with the cache.
#[derive(Debug, Subcommand)]
pub(crate) enum CacheAction {
    /// Remove the cache of the project
    Clear {
        /// The folder of the project, or one below
        #[arg(default_value = ".", value_name = "PATH")]
        path: PathBuf,
    },
}

/// What is rewritten, and where the result goes.
#[derive(Debug, Clone, Args)]
pub(crate) struct RewriteArgs {
    /// A file, the folder of a package, a dotted module found through --python, or `-` for standard input
    #[arg(value_name = "TARGET")]
    pub target: String,
    /// Write to this file, or to this folder if several files change
    #[arg(short, long, value_name = "PATH", conflicts_with_all = ["in_place", "diff"])]
    pub output: Option<PathBuf>,
    /// Write each file back
    #[arg(long, conflicts_with = "diff")]
    pub in_place: bool,
    /// Print a unified diff
    #[arg(long)]
    pub diff: bool,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub output_format: ReportFormat,
    /// The name of standard input in findings
    #[arg(long, value_name = "PATH")]
    pub stdin_filename: Option<PathBuf>,
}

/// How a rewriter's result is printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// The source on standard output, findings on standard error
    #[default]
    Full,
    /// The same, findings on one line each
    Concise,
    /// One JSON object on standard output
    Json,
}

/// Find and write shape annotations, or say which dimension cannot have one.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pytrope migrate model.py --entry Net
  pytrope migrate model.py --entry 'Net(hidden=64)' --assume 'x.shape[1] == 3' --diff
  pytrope migrate torchvision.models --entry 'alexnet()' --python .venv")]
pub(crate) struct MigrateArgs {
    #[command(flatten)]
    pub rewrite: RewriteArgs,
    #[command(flatten)]
    pub entry: EntryArgs,
    /// Annotate every module and function of the file, and skip what cannot be proved
    #[arg(long, conflicts_with_all = ["entry", "assume"])]
    pub all: bool,
    /// How annotations are written
    #[arg(long, value_enum, default_value_t)]
    pub style: AnnotationStyle,
    #[command(flatten)]
    pub environment: EnvironmentArgs,
    #[command(flatten)]
    pub solver: SolverArgs,
}

/// How shape annotations are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnnotationStyle {
    /// TensorType([1, 3, Dyn])
    #[default]
    #[value(alias = "torch")]
    TensorType,
    /// `Float[Tensor, "batch 3 h w"]`
    Jaxtyping,
    /// `Tensor[[Batch, 3, H, W]]`
    Pyrefly,
    /// `dynamic_shapes` for torch.export, instead of the source
    Export,
    /// `dynamic_axes` for torch.onnx.export, instead of the source
    Onnx,
    /// Assertions at the top of the function
    Asserts,
    /// A table in the function's docstring
    Doc,
    /// The report as JSON, instead of the source
    Json,
}

/// Where analysis starts and what it may assume.
#[derive(Debug, Clone, Args)]
pub(crate) struct EntryArgs {
    /// A Python expression in the target's namespace: `Net`, `Net(hidden=64)`, `resnet50()`, a function's name
    #[arg(long, value_name = "EXPR")]
    pub entry: Option<String>,
    /// A Python condition over the entry's parameters: `x.ndim == 4 and 5 <= x.shape[0] <= 20`
    #[arg(long, value_name = "EXPR")]
    pub assume: Vec<String>,
}

/// A second opinion on constraints.
#[derive(Debug, Clone, Args)]
pub(crate) struct SolverArgs {
    /// Ask this solver where the built-in one has no answer
    #[arg(long, value_enum, value_name = "SOLVER")]
    pub solver: Option<Solver>,
    /// Write every query to this folder as SMT-LIB 2
    #[arg(long, value_name = "DIR")]
    pub dump_smt2: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Solver {
    /// The `z3` binary on PATH
    Z3,
}

/// Remove branches that shapes decide, for whole classes of inputs.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pytrope prune model.py --entry Net --assume 'x.ndim == 4' --diff
  pytrope prune bert.py --entry 'BertModel(BertConfig())' --assume 'mask is None' -o pruned.py")]
pub(crate) struct PruneArgs {
    #[command(flatten)]
    pub rewrite: RewriteArgs,
    #[command(flatten)]
    pub entry: EntryArgs,
    /// Write the assumptions as assertions at the entry
    #[arg(long)]
    pub guard: bool,
    #[command(flatten)]
    pub environment: EnvironmentArgs,
    #[command(flatten)]
    pub solver: SolverArgs,
}

/// Draw what a model does to shapes, layer by layer, without running it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pytrope draw model.py --entry 'Net()'                          a table in the terminal
  pytrope draw model.py --entry 'Net()' --input x=n,3,224,224    sizes are numbers or names
  pytrope draw model.py --entry 'build_model()'                  a function that makes a Keras model
  pytrope draw model.py --entry 'Net()' -o flow.svg              or flow.html, with parts to fold
  pytrope draw torchvision.models --entry 'alexnet()' --python .venv")]
pub(crate) struct DrawArgs {
    /// A file, or a dotted module found through --python
    #[arg(value_name = "TARGET")]
    pub target: String,
    /// A Python expression in the target's namespace: `Net`, `Net(hidden=64)`, `build_model()`, a function's name
    #[arg(long, value_name = "EXPR")]
    pub entry: Option<String>,
    /// The shape of a parameter, such as `x=8,3,224,224` or `x=batch,3,h,w`; without any, what the model declares, or an example
    /// that is searched for
    #[arg(long, value_name = "NAME=SIZES")]
    pub input: Vec<String>,
    /// A Python condition over the entry's parameters
    #[arg(long, value_name = "EXPR")]
    pub assume: Vec<String>,
    /// Write a picture to this file, FILE.svg or FILE.html; without it, a table is printed
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub environment: EnvironmentArgs,
}

/// Write an HTML page about a project: findings, shapes beside the source, coverage.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  pytrope report -o report.html src")]
pub(crate) struct ReportArgs {
    /// Files and folders
    #[arg(default_value = ".", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The page, a self-contained HTML file
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    pub output: PathBuf,
    #[command(flatten)]
    pub environment: EnvironmentArgs,
    /// Leave out files that match this glob
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
}

/// Turn a single-process training script into a distributed one.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pytrope distribute train.py -o train_distributed.py
  pytrope distribute train.py --to fsdp2 --diff
  pytrope distribute --explain train.py
  pytrope distribute train.py --recipe slurm
  pytrope distribute train.py --verify --python .venv -- --epochs 1")]
#[command(mut_arg("target", |target| target.help("A file, a folder (the scripts in it that train), or `-` for standard input")))]
pub(crate) struct DistributeArgs {
    #[command(flatten)]
    pub rewrite: RewriteArgs,
    /// The engine; by default ddp for PyTorch and horovod for TensorFlow
    #[arg(long, value_enum, value_name = "ENGINE")]
    pub to: Option<Engine>,
    /// Not an option: a common guess, answered with the right name
    #[arg(long = "target", hide = true, value_parser = UnknownArgumentValueParser::suggest_arg("--to"))]
    pub target_engine: Option<Infallible>,
    /// Print what was identified and every edit with its reason, and write nothing
    #[arg(long)]
    pub explain: bool,
    /// Print the commands that start the output, and write nothing
    #[arg(long, value_enum, value_name = "WHERE", num_args = 0..=1, require_equals = false, conflicts_with = "explain")]
    #[expect(clippy::option_option, reason = "clap tells an option without a value from one that is not given")]
    pub recipe: Option<Option<RecipeKind>>,
    /// RUN the script and its output for at most STEPS steps in a copy of its folder, compare, and write nothing
    #[arg(long, value_name = "STEPS", num_args = 0..=1, require_equals = true, default_missing_value = "50", conflicts_with_all = ["explain", "recipe"])]
    pub verify: Option<u32>,
    /// Arguments of the script while it is verified
    #[arg(last = true, value_name = "ARGUMENT", requires = "verify")]
    pub script_arguments: Vec<String>,
    #[command(flatten)]
    pub environment: EnvironmentArgs,
}

/// An engine of distributed training.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// DistributedDataParallel, for PyTorch
    Ddp,
    /// `fully_shard`, for PyTorch: parameters are divided among the ranks
    Fsdp2,
    /// Hugging Face Accelerate, for PyTorch
    Accelerate,
    /// Horovod, for TensorFlow
    Horovod,
    /// MultiWorkerMirroredStrategy, for Keras on TensorFlow
    TfDistribute,
}

/// Where the output is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RecipeKind {
    /// The engine's launcher
    Launcher,
    /// `torchrun`
    Torchrun,
    /// `accelerate launch`
    Accelerate,
    /// `horovodrun`
    Horovodrun,
    /// The variable `TF_CONFIG`
    TfConfig,
    /// A batch script for `sbatch`
    Slurm,
    /// A `PyTorchJob`, `MPIJob` or `TFJob`
    Kubernetes,
}

/// Turn one choreography into one program per role.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pytrope project auth.py -o out           auth_client.py, auth_service.py, … in out/
  pytrope project auth.py --role Client    one role's program on standard output
  pytrope project auth.py --diagram mermaid")]
#[command(mut_arg("target", |target| target.help("A file, or `-` for standard input")))]
pub(crate) struct ProjectArgs {
    #[command(flatten)]
    pub rewrite: RewriteArgs,
    /// Only this role
    #[arg(long, value_name = "ROLE")]
    pub role: Vec<String>,
    /// Print a sequence diagram instead
    #[arg(long, value_enum, value_name = "KIND", num_args = 0..=1, default_missing_value = "mermaid")]
    pub diagram: Option<DiagramKind>,
    /// Only this class (or class and method, `Class.method`)
    #[arg(long, value_name = "NAME")]
    pub only: Option<String>,
    /// Programs for asyncio: methods with messages are coroutines
    #[arg(long = "async")]
    pub asynchronous: bool,
    /// Run this type checker first and refuse on its errors
    #[arg(long, value_enum, value_name = "CHECKER")]
    pub typecheck: Option<TypeChecker>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiagramKind {
    Mermaid,
    Svg,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TypeChecker {
    Mypy,
    Pyright,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  pytrope explain PT201\n  pytrope explain broadcast-mismatch")]
pub(crate) struct ExplainArgs {
    /// A rule's code or id
    #[arg(value_name = "RULE", required_unless_present = "all")]
    pub rule: Option<String>,
    /// Print every page
    #[arg(long, conflicts_with = "rule")]
    pub all: bool,
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub output_format: ListFormat,
}

#[derive(Debug, Args)]
pub(crate) struct RulesArgs {
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub output_format: ListFormat,
}

/// How lists and pages are printed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    #[default]
    Text,
    Json,
    Markdown,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Write the pages of the program and of every command to this folder
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct SolveArgs {
    /// An SMT-LIB 2 file; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Read many systems, separated by lines `; ---`, and print one answer per line
    #[arg(long)]
    pub batch: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ParseArgs {
    /// Files and folders
    #[arg(default_value = ".", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Write each file back in memory and compare its bytes
    #[arg(long)]
    pub round_trip: bool,
}

fn parse_format(name: &str) -> Result<OutputFormat, String> {
    OutputFormat::ALL
        .into_iter()
        .find(|format| format.name() == name)
        .ok_or_else(|| format!("the formats are {}", format_names()))
}

fn format_names() -> String {
    OutputFormat::ALL.map(OutputFormat::name).join(", ")
}

fn format_help() -> String {
    format!("How findings are printed: {} [default: full]", format_names())
}
