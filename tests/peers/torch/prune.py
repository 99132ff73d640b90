"""A pruned transformers model gives the same outputs as the original on random inputs.

    /usr/bin/python3 tests/peers/torch/prune.py PYTROPE SITE_PACKAGES

SITE_PACKAGES holds transformers 4.21.0 (unpacked, with what it imports). Each model is pruned for the class of inputs
of the paper's Figures 9 and 10; the changed files are laid over a copy of the package, and both packages are run in
processes of their own on the same seeds with small configurations. The last line is `ok N of M`.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

COMMON = ["attention_mask is None", "input_ids.ndim == 2", "head_mask is None", "inputs_embeds is None"]
ENCODER = COMMON + ["token_type_ids is None", "position_ids is None"]
CROSS = ["encoder_hidden_states is None", "encoder_attention_mask is None", "past_key_values is None"]
DECODER = COMMON + CROSS + ["cross_attn_head_mask is None", "input_ids.shape[0] > 0 and 1 < input_ids.shape[1] < 2000"]

MODELS = {
    "bert": ("BertModel(BertConfig())", "BertModel(BertConfig(num_hidden_layers=2, hidden_size=32, num_attention_heads=4, intermediate_size=64))", ENCODER + CROSS),
    "roberta": ("RobertaModel(RobertaConfig())", "RobertaModel(RobertaConfig(num_hidden_layers=2, hidden_size=32, num_attention_heads=4, intermediate_size=64))", ENCODER + CROSS),
    "electra": ("ElectraModel(ElectraConfig())", "ElectraModel(ElectraConfig(num_hidden_layers=2, hidden_size=32, num_attention_heads=4, intermediate_size=64, embedding_size=16))", ENCODER + CROSS),
    "mobilebert": ("MobileBertModel(MobileBertConfig())", "MobileBertModel(MobileBertConfig(num_hidden_layers=2))", ENCODER),
    "megatron_bert": ("MegatronBertModel(MegatronBertConfig())", "MegatronBertModel(MegatronBertConfig(num_hidden_layers=2, hidden_size=32, num_attention_heads=4, intermediate_size=64))", ENCODER + CROSS),
    "xglm": ("XGLMModel(XGLMConfig())", "XGLMModel(XGLMConfig(num_layers=2, d_model=32, attention_heads=4, ffn_dim=64))", DECODER),
}

RUN = """
import sys
sys.path[:0] = sys.argv[1:3]
import torch
from transformers.models.{name}.modeling_{name} import *
from transformers.models.{name}.modeling_{name} import {config}
torch.manual_seed(0)
model = {small}
model.eval()
for rows, columns in [(1, 5), (3, 7), (2, 2)]:
    ids = torch.randint(5, 100, (rows, columns))
    with torch.no_grad():
        out = model(input_ids=ids)[0]
    print(tuple(out.shape), repr(out.double().sum().item()), repr(out.double().abs().max().item()))
"""


def outputs(name, small, package, rest):
    config = small.split("(")[1]
    code = RUN.format(name=name, config=config, small=small)
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code, str(package), str(rest)], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else "error: " + done.stderr.strip().splitlines()[-1]


def check(pytrope, packages, name):
    entry, small, assumptions = MODELS[name]
    command = [pytrope, "prune", f"transformers.models.{name}.modeling_{name}", "--entry", entry, "--python", str(packages), "--output-format", "json"]
    for assumption in assumptions:
        command += ["--assume", assumption]
    answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode != 0:
        return False, f"exit code {answer.returncode}: {answer.stderr.strip()}"
    report = json.loads(answer.stdout)
    counts = report["shape_branches"]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "transformers"
        shutil.copytree(packages / "transformers", copy)
        changed = 0
        for file in report["files"]:
            path = Path(folder) / file["path"]
            changed += path.read_text(encoding="utf-8") != file["source"]
            path.write_text(file["source"], encoding="utf-8")
        before = outputs(name, small, packages, packages)
        after = outputs(name, small, folder, packages)
    text = f"{counts['source']} branches on shapes, {counts['remaining']} remain"
    # Equal outputs say something only if the analysis got there and took something out.
    removed = sum(1 for branch in report["branches"] if branch["decision"] != "keep")
    if counts["source"] == 0 or removed == 0:
        return False, f"{text}: nothing was pruned, so there is nothing to compare"
    if changed == 0:
        return False, f"{text}: no file changed"
    if before.startswith("error") or before != after:
        return False, f"{text}; {before.strip()} became {after.strip()}"
    return True, f"{text}; outputs are equal"


def main():
    pytrope, packages = sys.argv[1], Path(sys.argv[2]).resolve()
    chosen = sys.argv[3:] or list(MODELS)
    good = 0
    for name in chosen:
        ok, text = check(pytrope, packages, name)
        good += ok
        print(f"{'ok  ' if ok else 'FAIL'} {name}: {text}", flush=True)
    print(f"ok {good} of {len(chosen)}")
    return 0 if good == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
