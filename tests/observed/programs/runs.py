"""How the programs beside this file are run."""

import torch
from torch import nn


def models():
    import gpt
    import scales
    import unet
    import vit

    tokens = torch.randint(0, 50, (2, 16))
    yield "gpt", lambda: gpt.GPT(50, 32, 20, 3, 4, 0.0)(tokens, tokens)
    yield "vit", lambda: vit.VisionTransformer(32, 8, 11, 24, 2, 3)(torch.rand(2, 3, 32, 32))
    yield "unet", lambda: unet.UNet(3, 5)(torch.rand(2, 3, 32, 48))
    yield "scales", lambda: scales.TwoScales(24, 3, nn.LayerNorm)(torch.rand(2, 30, 24), torch.rand(2, 7, 24))
    yield "pyramid", lambda: scales.Pyramid(6)(torch.rand(2, 6, 10, 12))
    yield "frequencies", lambda: scales.Frequencies(8, scales.make_grid)(5, 6)
