"""How the programs beside this file are run."""

import torch


def models():
    import gpt
    import unet
    import vit

    tokens = torch.randint(0, 50, (2, 16))
    yield "gpt", lambda: gpt.GPT(50, 32, 20, 3, 4, 0.0)(tokens, tokens)
    yield "vit", lambda: vit.VisionTransformer(32, 8, 11, 24, 2, 3)(torch.rand(2, 3, 32, 32))
    yield "unet", lambda: unet.UNet(3, 5)(torch.rand(2, 3, 32, 48))
