"""Runs models and records the shape of every array that a line of the library assigns.

    python trace.py torchvision OUT.json      # models of an installed library
    python trace.py programs OUT.json         # the programs beside this file

Each record is one assignment in one activation: the file, the line, the name, the shape, and the integers that the
activation and the constructor of its `self` know by name, which give symbols their values.
"""

import ast
import importlib
import json
import sys
import warnings
from pathlib import Path

import torch

HERE = Path(__file__).parent
LIMIT = 4  # activations that are recorded for each line and name


def targets_by_line(path: str) -> dict[int, tuple[range, list[str]]]:
    """For each line of a statement that binds names, the statement's lines and the names."""
    found: dict[int, tuple[range, list[str]]] = {}
    for node in ast.walk(ast.parse(Path(path).read_text(encoding="utf-8"))):
        targets = node.targets if isinstance(node, ast.Assign) else []
        last = getattr(node, "end_lineno", 0)
        if isinstance(node, (ast.AugAssign, ast.AnnAssign)) and getattr(node, "value", None) is not None:
            targets = [node.target]
        if isinstance(node, (ast.For, ast.AsyncFor)):
            targets, last = [node.target], max(node.lineno, node.body[0].lineno - 1)
        for target in targets:
            names = [n.id for n in ast.walk(target) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
            lines, known = found.get(node.lineno, (range(node.lineno, last + 1), []))
            known.extend(names)
            for line in lines:
                found[line] = (lines, known)
    return found


class Tracer:
    def __init__(self, wanted):
        self.wanted = wanted
        self.targets: dict[str, dict[int, tuple[range, list[str]]]] = {}
        self.records: list[dict] = []
        self.counts: dict[tuple, int] = {}
        self.constructed: dict[int, dict[str, int]] = {}
        self.activations = 0
        self.kept = []

    def enter(self, frame, event, _):
        path = frame.f_code.co_filename
        if event != "call" or not self.wanted(path):
            return None
        lines = self.targets.get(path)
        if lines is None:
            lines = self.targets[path] = targets_by_line(path)
        self.activations += 1
        return Activation(self, frame, lines, self.activations).on_event


def integers_in(name, value) -> dict[str, int]:
    """The integers that a configuration object holds, by the expressions that read them."""
    if isinstance(value, (torch.Tensor, torch.nn.Module, type)) or callable(value):
        return {}
    if isinstance(value, dict):
        return {f"{name}[{key!r}]": held for key, held in value.items() if type(held) is int}
    if isinstance(value, (tuple, list)):
        fields = getattr(value, "_fields", ())
        found = {f"{name}[{at}]": held for at, held in enumerate(value[:8]) if type(held) is int}
        return found | {f"{name}.{field}": held for field, held in zip(fields, value, strict=False) if type(held) is int}
    return {f"{name}.{key}": held for key, held in getattr(value, "__dict__", {}).items() if type(held) is int}


class Activation:
    def __init__(self, tracer, frame, lines, number):
        self.tracer, self.lines, self.number = tracer, lines, number
        self.last = None
        self.path = frame.f_code.co_filename
        parameters = frame.f_code.co_varnames[: frame.f_code.co_argcount + frame.f_code.co_kwonlyargcount]
        arguments = {name: frame.f_locals[name] for name in parameters if name in frame.f_locals}
        self.given = {name: value for name, value in arguments.items() if type(value) is int}
        for name, value in arguments.items():
            self.given |= integers_in(name, value)
        self.sizes = {
            f"{name}.shape[{axis}]": int(size)
            for name, value in arguments.items()
            if isinstance(value, torch.Tensor)
            for axis, size in enumerate(value.shape)
        }

    def on_event(self, frame, event, _):
        if event == "exception":
            # What the statement binds may not have been bound.
            self.last = None
        lines, names = self.lines.get(self.last, (range(0), ()))
        # The arguments of a call on several lines are lines of their own; the names are bound when all are left.
        if event == "return" or event == "line" and (frame.f_lineno not in lines or frame.f_lineno == self.last):
            for name in names:
                self.record(frame, name, lines.start)
        if event == "line":
            self.last = frame.f_lineno
        elif event == "return" and frame.f_code.co_name == "__init__" and "self" in frame.f_locals:
            # Kept alive, so that no other object gets its number.
            self.tracer.kept.append(frame.f_locals["self"])
            self.tracer.constructed.setdefault(id(frame.f_locals["self"]), {}).update(self.given)
        return self.on_event

    def record(self, frame, name, line):
        value = frame.f_locals.get(name)
        if not isinstance(value, torch.Tensor):
            return
        key = (self.path, line, name)
        self.tracer.counts[key] = self.tracer.counts.get(key, 0) + 1
        if self.tracer.counts[key] > LIMIT:
            return
        known = {n: v for n, v in frame.f_locals.items() if type(v) is int}
        constructed = self.tracer.constructed.get(id(frame.f_locals.get("self")), {})
        self.tracer.records.append(
            {
                "path": self.path,
                "line": line,
                "name": name,
                "shape": [int(size) for size in value.shape],
                "activation": self.number,
                "locals": known,
                "given": self.given,
                "sizes": self.sizes,
                "constructed": constructed,
            }
        )


def torchvision_models():
    import torchvision.models as models

    small = [
        "alexnet", "vgg11_bn", "resnet18", "resnet50", "squeezenet1_0", "densenet121", "googlenet", "inception_v3",
        "mobilenet_v2", "mobilenet_v3_small", "shufflenet_v2_x0_5", "mnasnet0_5", "efficientnet_b0", "regnet_y_400mf",
        "vit_b_16", "swin_t", "swin_v2_t", "convnext_tiny", "maxvit_t",
    ]  # fmt: skip
    for name in small:
        make = getattr(models, name)
        size = 299 if name == "inception_v3" else 224
        yield name, lambda make=make, size=size: make(weights=None).eval()(torch.rand(2, 3, size, size))
    segmentation = models.segmentation
    for name in ("fcn_resnet50", "deeplabv3_resnet50", "lraspp_mobilenet_v3_large"):
        make = getattr(segmentation, name)
        yield name, lambda make=make: make(weights=None, weights_backbone=None).eval()(torch.rand(2, 3, 96, 96))


def x_transformers_models():
    import x_transformers as x

    tokens = torch.randint(0, 256, (2, 40))
    yield (
        "decoder",
        lambda: x.TransformerWrapper(num_tokens=256, max_seq_len=64, attn_layers=x.Decoder(dim=48, depth=2, heads=6))(
            tokens
        ),
    )
    yield (
        "rotary",
        lambda: x.TransformerWrapper(
            num_tokens=256, max_seq_len=64, attn_layers=x.Decoder(dim=48, depth=2, heads=6, rotary_pos_emb=True)
        )(tokens),
    )
    yield (
        "encoder",
        lambda: x.ContinuousTransformerWrapper(
            dim_in=12, dim_out=20, max_seq_len=64, attn_layers=x.Encoder(dim=48, depth=2, heads=6)
        )(torch.rand(2, 40, 12)),
    )
    yield (
        "vit",
        lambda: x.ViTransformerWrapper(
            image_size=32, patch_size=8, num_classes=11, attn_layers=x.Encoder(dim=48, depth=2, heads=6)
        )(torch.rand(2, 3, 32, 32)),
    )


def timm_models():
    import timm

    for name in (
        "vit_tiny_patch16_224", "resnet18", "convnext_atto", "mixer_s32_224", "efficientnet_b0", "swin_tiny_patch4_window7_224",
        "deit_tiny_patch16_224", "cait_xxs24_224", "xcit_nano_12_p16_224", "poolformer_s12", "mobilenetv3_small_050",
        "densenet121", "regnety_002", "coat_tiny", "pvt_v2_b0", "levit_128s", "gmixer_12_224", "visformer_tiny",
    ):  # fmt: skip
        yield name, lambda name=name: timm.create_model(name, pretrained=False).eval()(torch.rand(2, 3, 224, 224))


def segmentation_models():
    import segmentation_models_pytorch as smp

    for name in ("Unet", "UnetPlusPlus", "MAnet", "Linknet", "FPN", "PSPNet", "DeepLabV3", "DeepLabV3Plus", "PAN", "UPerNet"):
        make = getattr(smp, name)
        yield (
            name,
            lambda make=make: make("resnet18", encoder_weights=None, classes=5).eval()(torch.rand(2, 3, 128, 128)),
        )


def efficientnet_models():
    from efficientnet_pytorch import EfficientNet

    yield "b0", lambda: EfficientNet.from_name("efficientnet-b0").eval()(torch.rand(2, 3, 96, 96))


def perceiver_models():
    from perceiver_pytorch import Perceiver, PerceiverIO

    yield (
        "perceiver",
        lambda: Perceiver(
            input_channels=3, input_axis=2, num_freq_bands=4, max_freq=8.0, depth=2, num_latents=16, latent_dim=32, num_classes=7
        )(torch.rand(2, 20, 20, 3)),
    )
    yield (
        "perceiver_io",
        lambda: PerceiverIO(dim=12, queries_dim=12, logits_dim=30, depth=2, num_latents=16, latent_dim=32)(
            torch.rand(2, 50, 12), queries=torch.rand(9, 12)
        ),
    )


def vit_pytorch_models():
    image = torch.rand(2, 3, 64, 64)
    common = {"image_size": 64, "patch_size": 16, "num_classes": 9, "dim": 32, "depth": 2, "heads": 4, "mlp_dim": 64}
    stages = {
        "s1_emb_dim": 16, "s1_emb_kernel": 7, "s1_emb_stride": 4, "s1_proj_kernel": 3, "s1_kv_proj_stride": 2, "s1_heads": 1,
        "s1_depth": 1, "s1_mlp_mult": 2, "s2_emb_dim": 32, "s2_heads": 2, "s2_depth": 1, "s3_emb_dim": 48, "s3_heads": 3, "s3_depth": 1,
    }  # fmt: skip
    made = {
        "vit.ViT": common,
        "simple_vit.SimpleViT": common,
        "deepvit.DeepViT": common,
        "vit_with_patch_dropout.ViT": common,
        "simple_vit_with_register_tokens.SimpleViT": common,
        "parallel_vit.ViT": common,
        "cait.CaiT": {**common, "cls_depth": 1},
        "t2t.T2TViT": {"image_size": 64, "num_classes": 9, "dim": 32, "depth": 2, "heads": 4, "mlp_dim": 64},
        "cct.CCT": {"img_size": (64, 64), "embedding_dim": 32, "num_layers": 2, "num_heads": 4, "num_classes": 9},
        "cvt.CvT": {"num_classes": 9, **stages},
        "pit.PiT": {**{key: common[key] for key in ("image_size", "patch_size", "num_classes", "dim", "heads", "mlp_dim")}, "depth": (1, 1)},
        "levit.LeViT": {"image_size": 64, "num_classes": 9, "stages": 1, "dim": 32, "depth": 2, "heads": 4, "mlp_mult": 2},
        "max_vit.MaxViT": {"num_classes": 9, "dim": 16, "dim_conv_stem": 16, "dim_head": 8, "depth": (1, 1), "window_size": 4},
        "regionvit.RegionViT": {"dim": (16, 32, 48, 64), "depth": (1, 1, 1, 1), "window_size": 2, "num_classes": 9},
    }  # fmt: skip
    for name, arguments in made.items():
        module, made_class = name.split(".")

        def run(module=module, made_class=made_class, arguments=arguments):
            make = getattr(importlib.import_module(f"vit_pytorch.{module}"), made_class)
            return make(**arguments).eval()(image)

        yield name, run


def transformers_models():
    """Small models of transformers' modelling files, from configurations alone."""
    import transformers as t

    ids = torch.randint(0, 90, (2, 12))
    text = {"vocab_size": 99, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 48}
    made = {
        "BertModel": (t.BertConfig, text),
        "GPT2LMHeadModel": (t.GPT2Config, {"vocab_size": 99, "n_embd": 32, "n_layer": 2, "n_head": 4}),
        "LlamaForCausalLM": (t.LlamaConfig, {**text, "num_key_value_heads": 2}),
        "DistilBertModel": (t.DistilBertConfig, {"vocab_size": 99, "dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 48}),
        "RobertaModel": (t.RobertaConfig, text),
    }
    for name, (config, arguments) in made.items():
        yield name, lambda name=name, config=config, arguments=arguments: getattr(t, name)(config(**arguments)).eval()(ids)
    image = torch.rand(2, 3, 32, 32)
    vision = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 48, "image_size": 32, "patch_size": 8}
    yield "ViTModel", lambda: t.ViTModel(t.ViTConfig(**vision)).eval()(image)


def monai_models():
    import monai.networks.nets as nets

    volume, image = torch.rand(1, 1, 32, 32, 32), torch.rand(2, 1, 32, 32)
    made = {
        "UNet": ({"spatial_dims": 2, "in_channels": 1, "out_channels": 3, "channels": (8, 16, 32), "strides": (2, 2), "num_res_units": 1}, image),
        "BasicUNet": ({"spatial_dims": 3, "in_channels": 1, "out_channels": 2, "features": (8, 8, 16, 16, 32, 8)}, volume),
        "AttentionUnet": ({"spatial_dims": 2, "in_channels": 1, "out_channels": 2, "channels": (8, 16, 32), "strides": (2, 2)}, image),
        "SegResNet": ({"spatial_dims": 3, "init_filters": 8, "in_channels": 1, "out_channels": 2}, volume),
        "DenseNet121": ({"spatial_dims": 2, "in_channels": 1, "out_channels": 4}, image),
        "ViT": ({"in_channels": 1, "img_size": (32, 32, 32), "patch_size": (8, 8, 8), "hidden_size": 48, "mlp_dim": 96, "num_layers": 2, "num_heads": 4}, volume),
        "UNETR": ({"in_channels": 1, "out_channels": 2, "img_size": (32, 32, 32), "feature_size": 8, "hidden_size": 48, "mlp_dim": 96, "num_heads": 4}, volume),
        "SwinUNETR": ({"in_channels": 1, "out_channels": 2, "feature_size": 12, "spatial_dims": 2}, torch.rand(1, 1, 64, 64)),
        "VNet": ({"spatial_dims": 3, "in_channels": 1, "out_channels": 2}, volume),
        "AutoEncoder": ({"spatial_dims": 2, "in_channels": 1, "out_channels": 1, "channels": (8, 16), "strides": (2, 2)}, image),
    }  # fmt: skip
    for name, (arguments, given) in made.items():
        yield name, lambda name=name, arguments=arguments, given=given: getattr(nets, name)(**arguments).eval()(given)


def diffusers_models():
    """Small models of diffusers, from sizes alone."""
    from diffusers import models

    image, latent, step = torch.rand(2, 3, 32, 32), torch.rand(2, 4, 16, 16), torch.tensor([3, 5])
    blocks = {"down_block_types": ("DownEncoderBlock2D", "DownEncoderBlock2D"), "up_block_types": ("UpDecoderBlock2D", "UpDecoderBlock2D")}
    made = {
        "AutoencoderKL": ({**blocks, "block_out_channels": (8, 16), "norm_num_groups": 4, "latent_channels": 4}, (image,), {}),
        "VQModel": ({**blocks, "block_out_channels": (8, 16), "norm_num_groups": 4, "num_vq_embeddings": 16}, (image,), {}),
        "UNet2DModel": (
            {"sample_size": 16, "in_channels": 4, "out_channels": 4, "block_out_channels": (8, 16), "norm_num_groups": 4, "layers_per_block": 1, "attention_head_dim": 4,
             "down_block_types": ("DownBlock2D", "AttnDownBlock2D"), "up_block_types": ("AttnUpBlock2D", "UpBlock2D")},
            (latent, step), {},
        ),
        "UNet2DConditionModel": (
            {"sample_size": 16, "block_out_channels": (8, 16), "norm_num_groups": 4, "layers_per_block": 1, "attention_head_dim": 4, "cross_attention_dim": 12,
             "down_block_types": ("DownBlock2D", "CrossAttnDownBlock2D"), "up_block_types": ("CrossAttnUpBlock2D", "UpBlock2D")},
            (latent, step), {"encoder_hidden_states": torch.rand(2, 7, 12)},
        ),
        "DiTTransformer2DModel": (
            {"num_attention_heads": 2, "attention_head_dim": 8, "in_channels": 4, "num_layers": 2, "sample_size": 16, "patch_size": 2, "num_embeds_ada_norm": 10},
            (latent,), {"timestep": step, "class_labels": torch.tensor([1, 2])},
        ),
        "Transformer2DModel": ({"num_attention_heads": 2, "attention_head_dim": 8, "in_channels": 4, "norm_num_groups": 4, "num_layers": 1}, (latent,), {}),
    }  # fmt: skip
    for name, (arguments, given, named) in made.items():
        make = getattr(models, name, None) or getattr(models.transformers, name, None)
        yield name, lambda make=make, arguments=arguments, given=given, named=named: make(**arguments).eval()(*given, **named)


def open_clip_models():
    """Small models of open_clip, from sizes alone."""
    from open_clip.coca_model import CoCa, MultimodalCfg
    from open_clip.model import CLIP, CLIPTextCfg, CLIPVisionCfg, CustomTextCLIP

    image, text = torch.rand(2, 3, 32, 32), torch.randint(1, 90, (2, 16))
    vision = CLIPVisionCfg(layers=2, width=48, head_width=12, patch_size=8, image_size=32)
    attentional = CLIPVisionCfg(layers=2, width=48, head_width=12, patch_size=8, image_size=32, attentional_pool=True, attn_pooler_queries=6, attn_pooler_heads=4)
    residual = CLIPVisionCfg(layers=(1, 1, 1, 1), width=16, head_width=16, image_size=32)
    words = CLIPTextCfg(context_length=16, vocab_size=100, width=32, heads=4, layers=2)
    caption = MultimodalCfg(context_length=16, vocab_size=100, width=32, heads=4, layers=2)
    embed = CLIPTextCfg(context_length=15, vocab_size=100, width=32, heads=4, layers=2, embed_cls=True, output_tokens=True)
    yield "clip", lambda: CLIP(24, vision, words).eval()(image, text)
    yield "pooled", lambda: CustomTextCLIP(24, attentional, words).eval()(image, text)
    yield "resnet", lambda: CLIP(24, residual, words).eval()(image, text)
    yield "coca", lambda: CoCa(32, caption, embed, attentional).eval()(image, text[:, :15])


def program_models():
    sys.path.insert(0, str(HERE / "programs"))
    runs = importlib.import_module("runs")
    yield from runs.models()


LIBRARIES = {
    "torchvision": (torchvision_models, "/torchvision/"),
    "x_transformers": (x_transformers_models, "/x_transformers/"),
    "timm": (timm_models, "/timm/"),
    "segmentation_models": (segmentation_models, "/segmentation_models_pytorch/"),
    "efficientnet": (efficientnet_models, "/efficientnet_pytorch/"),
    "perceiver": (perceiver_models, "/perceiver_pytorch/"),
    "vit_pytorch": (vit_pytorch_models, "/vit_pytorch/"),
    "transformers": (transformers_models, "/transformers/models/"),
    "monai": (monai_models, "/monai/networks/"),
    "diffusers": (diffusers_models, "/diffusers/models/"),
    "open_clip": (open_clip_models, "/open_clip/"),
    "programs": (program_models, "/observed/programs/"),
}


def main() -> None:
    library, out = sys.argv[1:3]
    models, part = LIBRARIES[library]
    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    tracer = Tracer(lambda path: part in path and not path.endswith("runs.py"))
    failed = []
    with torch.no_grad():
        for name, run in models():
            sys.settrace(tracer.enter)
            try:
                run()
            except Exception as error:  # noqa: BLE001 - what a library refuses is listed
                failed.append(f"{name}: {error!r}"[:200])
            finally:
                sys.settrace(None)
            print(name, len(tracer.records), file=sys.stderr)
    Path(out).write_text(json.dumps({"records": tracer.records, "failed": failed}))
    print(json.dumps({"records": len(tracer.records), "failed": failed}))


if __name__ == "__main__":
    main()
