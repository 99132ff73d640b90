"""Figures 9 and 10 of the paper on gradual shapes: which branches remain, and pruned models give the same outputs.

    /usr/bin/python3 tests/peers/torch/prune.py PYTROPE SITE_PACKAGES [NAME …]

SITE_PACKAGES holds transformers 4.21.0, unpacked, with what it imports. Each model is pruned for the class of inputs of
the figure: with its usual configuration for the counts, and with a small one whose changed files are laid over a copy of
the package. Both packages are then run in processes of their own, with the same seeds, on random inputs of several
sizes, training and not; all outputs must be equal bit by bit. The last line is `N passed, M failed`.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

NOT_GIVEN = ["attention_mask", "head_mask", "inputs_embeds"]
ENCODER = NOT_GIVEN + ["token_type_ids", "position_ids"]
CROSS = ["encoder_hidden_states", "encoder_attention_mask", "past_key_values"]
SEQ2SEQ = NOT_GIVEN + [
    "decoder_attention_mask", "decoder_head_mask", "cross_attn_head_mask", "encoder_outputs", "past_key_values",
    "decoder_inputs_embeds",
]

TENSOR = ["isinstance(input_ids, torch.Tensor)"]
RANK_2 = ["input_ids.ndim == 2"]
RANGES = ["input_ids.ndim == 2 and input_ids.shape[0] > 0 and 1 < input_ids.shape[1] < 2000"]
SMALLER = ["input_ids.ndim == 2 and input_ids.shape[0] > 0 and 1 < input_ids.shape[1] < 128"]
# The two sequences belong to the same batch; these models are asked for plain tuples.
PAIR = [
    SMALLER[0],
    "decoder_input_ids.ndim == 2 and decoder_input_ids.shape[0] == input_ids.shape[0]",
    "1 < decoder_input_ids.shape[1] < 128",
    "return_dict is False and output_attentions is False and output_hidden_states is False",
]

SMALL_BERT = "num_hidden_layers=2, hidden_size=32, num_attention_heads=4, intermediate_size=64"
SMALL_SEQ2SEQ = "encoder_layers=2, decoder_layers=2, d_model=32, encoder_attention_heads=4, decoder_attention_heads=4, " \
    "encoder_ffn_dim=64, decoder_ffn_dim=64"
SIX_LAYERS = "encoder_layers=6, decoder_layers=6"
# The defaults of this configuration contradict each other: the padding token lies outside the vocabulary.
MARIAN = "vocab_size=58101"


class Model:
    def __init__(self, module, entry, usual, small, not_given, constraints, figure, original, without, remaining):
        self.module = f"transformers.models.{module}.modeling_{module}"
        self.entry, self.usual, self.small = entry, usual, small
        self.none = [f"{name} is None" for name in not_given]
        self.constraints = constraints
        # What the paper reports: branches before, left without and with its constraints.
        self.figure, self.original, self.without, self.remaining = figure, original, without, remaining

    def made(self, options):
        model, config = self.entry
        return f"{model}({config}({options}))"


MODELS = {
    "Electra": Model("electra", ("ElectraModel", "ElectraConfig"), "", SMALL_BERT + ", embedding_size=16", ENCODER + CROSS, RANK_2, 9, 3, 3, 0),
    "Roberta": Model("roberta", ("RobertaModel", "RobertaConfig"), "", SMALL_BERT, ENCODER + CROSS, TENSOR, 9, 3, 0, 0),
    "MobileBert": Model("mobilebert", ("MobileBertModel", "MobileBertConfig"), "", "num_hidden_layers=2", ENCODER, RANK_2, 9, 3, 3, 0),
    "Bert": Model("bert", ("BertModel", "BertConfig"), "", SMALL_BERT, ENCODER + CROSS, TENSOR, 9, 3, 0, 0),
    "MegatronBert": Model("megatron_bert", ("MegatronBertModel", "MegatronBertConfig"), "", SMALL_BERT, ENCODER + CROSS, TENSOR, 9, 3, 0, 0),
    "XGLM": Model("xglm", ("XGLMModel", "XGLMConfig"), "", "num_layers=2, d_model=32, attention_heads=4, ffn_dim=64", NOT_GIVEN + CROSS + ["cross_attn_head_mask"], RANGES, 9, 5, 4, 0),
    "Marian": Model("marian", ("MarianModel", "MarianConfig"), f"{MARIAN}, {SIX_LAYERS}", f"{MARIAN}, {SMALL_SEQ2SEQ}", SEQ2SEQ, PAIR, 10, 44, None, 26),
    "MarianMT": Model("marian", ("MarianMTModel", "MarianConfig"), f"{MARIAN}, {SIX_LAYERS}", f"{MARIAN}, {SMALL_SEQ2SEQ}", SEQ2SEQ + ["labels"], PAIR, 10, 44, None, 26),
    "M2M100": Model("m2m_100", ("M2M100Model", "M2M100Config"), SIX_LAYERS, f"vocab_size=1000, {SMALL_SEQ2SEQ}", SEQ2SEQ, PAIR, 10, 47, None, 22),
    "BlenderBot": Model("blenderbot", ("BlenderbotModel", "BlenderbotConfig"), "", f"vocab_size=1000, {SMALL_SEQ2SEQ}", SEQ2SEQ, PAIR, 10, 35, None, 19),
}

RUN = """
import hashlib, random, sys, types
sys.path[:0] = sys.argv[1:3]
# The versions that this release wants are older than what is installed beside it.
stub = types.ModuleType("transformers.dependency_versions_check")
stub.dep_version_check = lambda *args: None
sys.modules[stub.__name__] = stub
import torch

def digest(value):
    if isinstance(value, torch.Tensor):
        return f"{tuple(value.shape)} {hashlib.sha256(value.contiguous().numpy().tobytes()).hexdigest()[:16]}"
    if isinstance(value, (tuple, list)):
        return [digest(part) for part in value]
    return repr(value)

namespace = {}
exec("from MODULE import *", namespace)
exec("from MODULE import CONFIG", namespace)
torch.manual_seed(0)
model = eval("SMALL", namespace)
for rows, columns, others in [(1, 5, 4), (3, 7, 2), (2, 2, 9), (5, 31, 17), (1, 64, 3)]:
    ids = torch.randint(5, 100, (rows, columns))
    more = {"decoder_input_ids": torch.randint(5, 100, (rows, others)), "return_dict": False} if PAIRED else {}
    for training in (False, True):
        model.train(training)
        torch.manual_seed(rows)
        random.seed(rows)
        with torch.no_grad():
            print(digest(list(model(input_ids=ids, **more).values() if not PAIRED else model(input_ids=ids, **more))))
"""


def prune(pytrope, packages, model, options, constraints):
    """The report, and the processor time it took."""
    command = [pytrope, "prune", model.module, "--entry", model.made(options), "--python", str(packages)]
    command += ["--output-format", "json"]
    for assumption in model.none + constraints:
        command += ["--assume", assumption]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    answer = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if answer.returncode != 0:
        raise RuntimeError(f"exit code {answer.returncode}: {answer.stderr.strip() or answer.stdout[-300:]}")
    time = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(answer.stdout), time


def outputs(model, package, rest):
    paired = str(model.constraints is PAIR)
    code = RUN.replace("MODULE", model.module).replace("CONFIG", model.entry[1]).replace("PAIRED", paired)
    code = code.replace("SMALL", model.made(model.small))
    command = [sys.executable, "-W", "ignore", "-c", code, str(package), str(rest)]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else "error: " + done.stderr.strip()[-600:]


def linked(source, folder):
    """A copy of a package whose files are links."""
    for path in source.rglob("*.py"):
        link = folder / path.relative_to(source.parent)
        link.parent.mkdir(parents=True, exist_ok=True)
        os.symlink(path, link)


def check(pytrope, packages, model):
    wrong = []
    report, time = prune(pytrope, packages, model, model.usual, model.constraints)
    counts = report["shape_branches"]
    unit = "source" if model.figure == 9 else "instances"
    left = counts["remaining" if model.figure == 9 else "remaining_instances"]
    text = f"{counts['source']} branches in {counts['instances']} calls, {counts['remaining_instances']} remain"
    text += f" (paper: {model.original}, {model.remaining} remain); {time:.2f} s of CPU"
    if left > 0 or counts["source"] == 0:
        wrong.append("branches on shapes remain" if left else "no branch on shapes was found")
        for branch in report["branches"]:
            if branch["shape"] and branch["decision"] == "keep":
                wrong.append(f"  {branch['path']}:{branch['line']}: {branch['condition']}: {branch['reason']}")
    if model.without is not None:
        loose, _ = prune(pytrope, packages, model, model.usual, TENSOR)
        kept = loose["shape_branches"]["remaining"]
        text += f"; {kept} remain without constraints (paper: {model.without})"
        if kept > model.without:
            wrong.append(f"more than the paper's {model.without} remain without constraints")
    small, _ = prune(pytrope, packages, model, model.small, model.constraints)
    with tempfile.TemporaryDirectory() as folder:
        linked(packages / "transformers", Path(folder))
        changed = 0
        for file in small["files"]:
            path = Path(folder) / file["path"]
            changed += path.read_text(encoding="utf-8") != file["source"]
            path.unlink()
            path.write_text(file["source"], encoding="utf-8")
        before = outputs(model, packages, packages)
        after = outputs(model, folder, packages)
    if changed == 0:
        wrong.append("no file changed")
    if before.startswith("error") or before != after:
        wrong.append(f"outputs differ: {before.strip()} became {after.strip()}")
    return wrong, text + f"; {len(before.splitlines())} outputs are equal" * (not wrong)


def main():
    pytrope, packages = sys.argv[1], Path(sys.argv[2]).resolve()
    passed = failed = 0
    for name in sys.argv[3:] or MODELS:
        try:
            wrong, text = check(pytrope, packages, MODELS[name])
        except RuntimeError as error:
            wrong, text = [str(error)], "cannot be pruned"
        passed += not wrong
        failed += bool(wrong)
        print(f"{'FAIL' if wrong else 'ok  '} Figure {MODELS[name].figure} {name}: {text}", flush=True)
        for line in wrong:
            print(f"     {line}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
