"""The transforms as classes."""

import torch
from _pytrope import dtype_of, fresh, is_array, is_constant, is_unknown, require, shape_of, unknown
from torch._make import is_tensor, ranked, tensor, unranked
from torch.nn import Module

from .._images import Picture
from ._sizes import border, check_crop, frame, pair, reframed, resized


class InterpolationMode:
    NEAREST = "nearest"
    NEAREST_EXACT = "nearest-exact"
    BILINEAR = "bilinear"
    BICUBIC = "bicubic"
    BOX = "box"
    HAMMING = "hamming"
    LANCZOS = "lanczos"


class AutoAugmentPolicy:
    IMAGENET = "imagenet"
    CIFAR10 = "cifar10"
    SVHN = "svhn"


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, img):
        for transform in self.transforms:
            img = transform(img)
        return img


class Lambda:
    def __init__(self, lambd, *types):
        self.lambd = lambd

    def __call__(self, img):
        return self.lambd(img)


class _Some:
    """Transforms of which a random choice is made."""

    def __init__(self, transforms, p=0.5):
        self.transforms = transforms

    def __call__(self, img):
        return unknown("a random choice of transforms")


class RandomChoice(_Some):
    pass


class RandomOrder(_Some):
    pass


class RandomApply(Module):
    def __init__(self, transforms, p=0.5):
        super().__init__()
        self.transforms = transforms

    def forward(self, img):
        changed = img
        for transform in self.transforms:
            changed = transform(changed)
        if unknown("whether the transforms are applied"):
            return changed
        return img


class _Keeps(Module):
    """A transform that keeps the size."""

    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, img):
        return img if isinstance(img, Picture) or is_unknown(img) else kept(img)


def kept(img):
    if is_tensor(img) and ranked(img):
        return tensor(shape_of(img), dtype_of(img))
    return unknown("an image of unknown size")


class _Expands(_Keeps):
    """A rotation keeps the size unless it is told to make room."""

    def __init__(self, *args, **kwargs):
        super().__init__()
        self._expands = len(args) > 2 or "expand" in kwargs

    def forward(self, img):
        return unknown("an image enlarged by a rotation") if self._expands else super().forward(img)


class RandomRotation(_Expands):
    pass


class RandomHorizontalFlip(_Keeps):
    pass


class RandomVerticalFlip(_Keeps):
    pass


class ColorJitter(_Keeps):
    pass


class RandomErasing(_Keeps):
    pass


class GaussianBlur(_Keeps):
    pass


class RandomAffine(_Keeps):
    pass


class RandomPerspective(_Keeps):
    pass


class RandomGrayscale(_Keeps):
    pass


class RandomInvert(_Keeps):
    pass


class RandomPosterize(_Keeps):
    pass


class RandomSolarize(_Keeps):
    pass


class RandomAdjustSharpness(_Keeps):
    pass


class RandomAutocontrast(_Keeps):
    pass


class RandomEqualize(_Keeps):
    pass


class AutoAugment(_Keeps):
    pass


class RandAugment(_Keeps):
    pass


class TrivialAugmentWide(_Keeps):
    pass


class AugMix(_Keeps):
    pass


class ElasticTransform(_Keeps):
    pass


class ToTensor:
    """A picture as float32 channels, height and width; arrays of rank 2 or 3 have the channels last."""

    def __call__(self, pic):
        if isinstance(pic, Picture):
            return tensor((pic._channels, pic._height, pic._width), "float32")
        if is_unknown(pic) or not is_array(pic) or is_tensor(pic):
            return unranked()
        shape = shape_of(pic)
        if not is_constant(len(shape)):
            return unranked()
        require(
            len(shape) == 2 or len(shape) == 3,
            ValueError,
            f"an image must have 2 or 3 dimensions, not {len(shape)}: {shape}",
            rule="layer-mismatch",
        )
        name = dtype_of(pic)
        dtype = "float32" if is_constant(name) and name == "uint8" else name
        if len(shape) == 2:
            return tensor((1, shape[0], shape[1]), dtype)
        return tensor((shape[2], shape[0], shape[1]), dtype)


class PILToTensor:
    def __call__(self, pic):
        if isinstance(pic, Picture):
            return tensor((pic._channels, pic._height, pic._width), "uint8")
        return unknown("a tensor of an unknown image")


class ToImage(Module):
    def __init__(self):
        super().__init__()

    def forward(self, pic):
        if isinstance(pic, Picture):
            return tensor((pic._channels, pic._height, pic._width), "uint8")
        return pic if not is_unknown(pic) and is_tensor(pic) else unknown("a tensor of an unknown image")


class ConvertImageDtype(Module):
    def __init__(self, dtype, *args, **kwargs):
        super().__init__()
        self.dtype = dtype

    def forward(self, image):
        if is_unknown(image) or not is_array(image) or not is_tensor(image):
            return unknown("an image of unknown size")
        return image.to(self.dtype)


class ToDtype(ConvertImageDtype):
    pass


class ToPILImage:
    def __init__(self, mode=None):
        pass

    def __call__(self, pic):
        size = frame(pic)
        if is_unknown(size):
            return unknown("an image of unknown size")
        return Picture(size[0], size[1], size[2])


class Normalize(Module):
    def __init__(self, mean, std, inplace=False):
        super().__init__()
        self.mean = mean
        self.std = std

    def forward(self, tensor_image):
        size = frame(tensor_image)
        if isinstance(tensor_image, Picture):
            require(False, TypeError, "Normalize takes a tensor, not a PIL image", rule="bad-operand")
        if is_unknown(size):
            return unknown("an image of unknown size")
        for values, name in ((self.mean, "mean"), (self.std, "std")):
            if isinstance(values, (list, tuple)) and is_constant(len(values)) and len(values) > 1:
                require(
                    size[0] == len(values),
                    RuntimeError,
                    f"Normalize has {len(values)} numbers in {name}, but the image has {size[0]} channels",
                    rule="layer-mismatch",
                )
        return kept(tensor_image)


class Resize(Module):
    def __init__(self, size, interpolation=None, max_size=None, antialias=True):
        super().__init__()
        self.size = size
        self.max_size = max_size

    def forward(self, img):
        size = frame(img)
        if is_unknown(size):
            return unknown("an image of unknown size")
        wanted = resized(size[1], size[2], self.size, self.max_size)
        if is_unknown(wanted):
            return reframed(img, size[0], fresh("height"), fresh("width"))
        return reframed(img, size[0], wanted[0], wanted[1])


class CenterCrop(Module):
    """Images that are too small are padded."""

    def __init__(self, size):
        super().__init__()
        self.size = size

    def forward(self, img):
        size, wanted = frame(img), pair(self.size)
        if is_unknown(size) or is_unknown(wanted):
            return unknown("an image of unknown size")
        return reframed(img, size[0], wanted[0], wanted[1])


class RandomResizedCrop(CenterCrop):
    def __init__(self, size, *args, **kwargs):
        super().__init__(size)


class RandomCrop(Module):
    def __init__(self, size, padding=None, pad_if_needed=False, fill=0, padding_mode="constant"):
        super().__init__()
        self.size = size
        self.padding = padding
        self.pad_if_needed = pad_if_needed

    def forward(self, img):
        size, wanted = frame(img), pair(self.size)
        if is_unknown(size) or is_unknown(wanted):
            return unknown("an image of unknown size")
        added = (0, 0) if self.padding is None else border(self.padding)
        if self.pad_if_needed is False and not is_unknown(added):
            check_crop(size[1] + added[0], size[2] + added[1], wanted)
        return reframed(img, size[0], wanted[0], wanted[1])


class Pad(Module):
    def __init__(self, padding, fill=0, padding_mode="constant"):
        super().__init__()
        self.padding = padding

    def forward(self, img):
        size, added = frame(img), border(self.padding)
        if is_unknown(size) or is_unknown(added):
            return unknown("an image of unknown size")
        return reframed(img, size[0], size[1] + added[0], size[2] + added[1])


class Grayscale(Module):
    def __init__(self, num_output_channels=1):
        super().__init__()
        self.num_output_channels = num_output_channels

    def forward(self, img):
        size = frame(img)
        if is_unknown(size):
            return unknown("an image of unknown size")
        return reframed(img, self.num_output_channels, size[1], size[2])


class FiveCrop(Module):
    _count = 5

    def __init__(self, size, *args, **kwargs):
        super().__init__()
        self.size = size

    def forward(self, img):
        size, wanted = frame(img), pair(self.size)
        if is_unknown(size) or is_unknown(wanted):
            return unknown("an image of unknown size")
        check_crop(size[1], size[2], wanted)
        return tuple([reframed(img, size[0], wanted[0], wanted[1]) for _ in range(self._count)])


class TenCrop(FiveCrop):
    _count = 10
