"""nn.Module: what it keeps in order, how it is called, how it is moved."""

from _pytrope import (
    call_back,
    is_constant,
    is_unknown,
    may_hold,
    proved,
    require,
    set_attrs,
    set_module_attr,
    setting,
    shape_of,
    unknown,
)

from .._make import is_tensor, ranked
from .._origin import is_untracked, kind_of, needs_grad
from .._tensor import Tensor
from .parameter import Parameter


class Handle:
    """What a hook is removed by."""

    def __init__(self, module=None, hook=None):
        self.module = module
        self.hook = hook

    def remove(self):
        if self.module is not None:
            kept = tuple([hook for hook in self.module._pytrope_hooks if hook is not self.hook])
            self.module._pytrope_set("_pytrope_hooks", kept)


class Module:
    # Hooks of other libraries, which ask modules whether they have them; containers alone have items.
    __absent__ = ("_tie_weights", "__iter__")
    # All public names that modules of PyTorch have, whether modelled or not: any other name is the program's own.
    _pytrope_names = """
        T_destination _backward_hooks _backward_pre_hooks _buffers _call_impl _compiled_call_impl
        _forward_hooks _forward_pre_hooks _get_name _modules _parameters _version affine align_corners
        all_weights alpha append apply approximate batch_first beta bfloat16 bias bias_k bias_v bidirectional
        buffers ceil_mode children clear compile copy count_include_pad cpu cuda cutoffs delta dilation dim
        div_value divisor_override double downscale_factor dropout dump_patches elementwise_affine
        embedding_dim end_dim eps eval extend extra_repr flatten_parameters float forward freeze
        from_pretrained full get get_buffer get_extra_state get_parameter get_submodule groups half head
        head_bias hidden_size ignore_index in1_features in2_features in_channels in_features inplace
        input_size insert ipu items k keepdim kernel_size keys label_smoothing lambd load_state_dict log_input
        log_prob lower margin max_norm max_val min_val mode modules momentum mtia n_classes name named_buffers
        named_children named_modules named_parameters negative_slope nonlinearity norm norm_first norm_type
        normalized_shape num_channels num_classes num_embeddings num_features num_groups num_layers
        num_parameters options out_channels out_features output_padding output_ratio output_size p padding
        padding_idx padding_mode parameters pop popitem predict proj_size recompute_scale_factor reduction
        requires_grad_ reset_parameters reset_running_stats return_indices running_mean running_var
        num_batches_tracked scale_factor scale_grad_by_freq set_extra_state set_submodule setdefault
        share_memory size sparse start_dim state_dict stride swap tail threshold to to_empty
        track_running_stats train training transposed type unflattened_size update upper upscale_factor value
        values weight weight_hh weight_ih xpu zero_grad zero_infinity in_proj_weight in_proj_bias
        q_proj_weight k_proj_weight v_proj_weight out_proj embed_dim kdim vdim num_heads head_dim
        add_zero_attn self_attn linear1 linear2 norm1 norm2 norm3 dropout1 dropout2 dropout3 activation layers
        encoder decoder d_model nhead multihead_attn enable_nested_tensor mask_check
    """
    # `copy.deepcopy(layer)` is another layer with parameters of its own.
    _pytrope_copied_by_attributes = True
    # Methods with the parameters of every release of the library, as `conformance/torch/parameters.py` compares them.
    _pytrope_exact = ("forward",)
    # What `forward` is given where nothing else is known, and no finding depends on it.
    _pytrope_argument = Tensor
    training = True
    dump_patches = False
    _modules = None
    _parameters = None
    _buffers = None
    _pytrope_hooked = False
    # Functions that are called with the module, its arguments and its result.
    _pytrope_hooks = ()
    _pytrope_pre_hooked = False
    # Whether a buffer is left out of the state, or may be.
    _pytrope_transient = False

    def __init__(self, *args, **kwargs):
        set_attrs(self, training=True, _modules={}, _parameters={}, _buffers={})

    def __setattr__(self, name, value):
        if is_unknown(value):
            # It may be a module or a parameter; one step says what the branches below would come to.
            if self._modules is not None:
                may_hold(self._modules, name)
                may_hold(self._parameters, name)
        elif isinstance(value, Module):
            self._pytrope_begun("module")
            self._modules[name] = value
        elif isinstance(value, Parameter):
            self._pytrope_begun("parameters")
            self._parameters[name] = value
        elif value is not None and self._modules is not None:
            self._pytrope_keep_kind(name, value)
        super().__setattr__(name, value)

    def _pytrope_keep_kind(self, name, value):
        """The names of parameters and of modules hold nothing else, unless they are given up for None."""
        for table, kind in ((self._parameters, "parameter"), (self._modules, "child module")):
            if proved(name in table):
                message = f"cannot assign an object of class {type(value).__name__!r} as {kind} {name!r}"
                raise TypeError(message)

    def _pytrope_begun(self, what):
        """Requires that the tables are there. They are made now, so that what lacks one call is said once."""
        if self._modules is None:
            set_attrs(self, _modules={}, _parameters={}, _buffers={})
            require(
                False,
                AttributeError,
                f"cannot assign {what} before Module.__init__() call",
                help="call `super().__init__()` before the first module or parameter is assigned",
            )

    def _pytrope_set(self, name, value):
        """Stores an attribute that is neither a module nor a parameter."""
        super().__setattr__(name, value)

    def __call__(self, *args, **kwargs):
        if self._pytrope_pre_hooked or setting("torch.module_hooks", False) is True:
            # The hook may replace the arguments.
            return unknown("a hook may change the arguments")(args)
        result = call_back(self.forward, *args, **kwargs)
        if self._pytrope_hooked:
            # The hook runs now, and may also change what its function uses.
            return unknown("a hook may change the result")(result)
        for hook in self._pytrope_hooks:
            changed = call_back(hook, self, args, result)
            if changed is not None:
                result = changed
        return result

    def forward(self, *args, **kwargs):
        raise NotImplementedError(f"{type(self).__name__} has no forward()")

    def add_module(self, name, module):
        setattr(self, name, module)
        if module is None:
            self._modules[name] = None

    def register_module(self, name, module):
        self.add_module(name, module)

    def register_parameter(self, name, param):
        super().__setattr__(name, param)
        self._parameters[name] = param

    def register_buffer(self, name, tensor, persistent=True):
        super().__setattr__(name, tensor)
        self._buffers[name] = tensor
        if persistent is not True:
            super().__setattr__("_pytrope_transient", True)

    def _pytrope_held(self):
        """The modules inside; not known if the constructor did not run in sight."""
        return unknown("the constructor was not followed") if self._modules is None else self._modules

    def _pytrope_children(self):
        return [module for module in self._modules.values() if module is not None]

    def children(self):
        return iter(self._pytrope_children())

    def named_children(self):
        return iter([(name, module) for name, module in self._modules.items() if module is not None])

    def modules(self):
        return iter([module for _, module in self.named_modules()])

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        found = [(prefix, self)]
        for name, module in self._modules.items():
            if module is not None:
                found.extend(module.named_modules(None, prefix + ("." if prefix else "") + name))
        return found

    def parameters(self, recurse=True):
        return iter([parameter for _, parameter in self._pytrope_collected("_parameters", "", recurse)])

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        return iter(self._pytrope_collected("_parameters", prefix, recurse))

    def buffers(self, recurse=True):
        return iter([buffer for _, buffer in self._pytrope_collected("_buffers", "", recurse)])

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        return iter(self._pytrope_collected("_buffers", prefix, recurse))

    def _pytrope_collected(self, kind, prefix, recurse):
        start = prefix + ("." if prefix else "")
        found = [(start + name, value) for name, value in getattr(self, kind).items() if value is not None]
        if recurse:
            # The modules are not put into one list: where it is not known how many there are, they would be lost in it.
            for name, module in self._modules.items():
                if module is not None:
                    found.extend(module._pytrope_collected(kind, start + name, True))
        return found

    def state_dict(self, *args, destination=None, prefix="", keep_vars=False):
        # In one step: of a loop over many entries it is not known which it has made.
        return dict(
            self._pytrope_collected("_parameters", prefix, True) + self._pytrope_collected("_buffers", prefix, True)
        )

    def load_state_dict(self, state_dict, strict=True, assign=False):
        if isinstance(state_dict, dict) and is_constant(strict):
            self._pytrope_check_state(state_dict, strict)
        elif isinstance(state_dict, Module) or (
            is_constant(state_dict) and not is_unknown(state_dict) and not isinstance(state_dict, dict)
        ):
            raise TypeError(f"a state must be a dictionary, not {type(state_dict).__name__}")
        return unknown("the keys that do not match")

    def _load_from_state_dict(self, *args, **kwargs):
        """A module that reads its state in its own way overrides this."""

    def _pytrope_check_state(self, state, strict):
        """Sizes of what is loaded are those of what is there, and a strict load leaves no name out."""
        for _, module in self.named_modules():
            if type(module)._load_from_state_dict is not Module._load_from_state_dict:
                return
            if module._pytrope_transient:
                strict = False
        kept = self.state_dict()
        for name, own in kept.items():
            if name in state:
                given = state[name]
                if is_constant(given) and not is_unknown(given):
                    message = f"{name} is loaded from a {type(given).__name__}, not from a tensor"
                    require(False, RuntimeError, message, rule="layer-mismatch")
                if is_tensor(given) and is_tensor(own) and ranked(given) and ranked(own):
                    message = f"{name} has shape {shape_of(own)}, but the loaded state has shape {shape_of(given)}"
                    require(len(shape_of(own)) == len(shape_of(given)), RuntimeError, message, rule="layer-mismatch")
                    for size, wanted in zip(shape_of(given), shape_of(own)):
                        require(size == wanted, RuntimeError, message, rule="layer-mismatch")
        if strict is True and type(self).state_dict is Module.state_dict:
            for name in kept:
                # Modules count batches since a certain release, and supply what older states do not have.
                if is_constant(name) and not name.endswith("num_batches_tracked"):
                    present = name in state
                    if not is_unknown(present) and is_constant(present):
                        require(present, RuntimeError, f"the loaded state lacks {name}", rule="layer-mismatch")
            for name in state:
                if is_constant(name):
                    present = name in kept
                    if not is_unknown(present) and is_constant(present):
                        require(
                            present,
                            RuntimeError,
                            f"the state that is loaded has {name}, which the module lacks",
                            rule="layer-mismatch",
                        )

    def get_submodule(self, target):
        module = self
        for part in target.split("."):
            if part:
                module = getattr(module, part)
        return module

    def get_parameter(self, target):
        return self.get_submodule(target)

    def apply(self, fn):
        for module in self._pytrope_children():
            module.apply(fn)
        fn(self)
        return self

    def train(self, mode=True):
        self._pytrope_set("training", mode)
        for module in self._modules.values():
            if module is not None:
                module.train(mode)
        return self

    def eval(self):
        return self.train(False)

    def requires_grad_(self, requires_grad=True):
        for _, value in self._pytrope_collected("_parameters", "", True):
            if is_tensor(value):
                value.requires_grad = requires_grad
        return self

    def zero_grad(self, set_to_none=True):
        return None

    def _pytrope_cast(self, name):
        from _pytrope import set_dtype

        for _, value in self._pytrope_collected("_parameters", "", True) + self._pytrope_collected(
            "_buffers", "", True
        ):
            if is_tensor(value) and value.is_floating_point():
                set_dtype(value, name)
        return self

    def _pytrope_move(self, device):
        """Parameters and buffers are moved in place."""
        if not is_untracked():
            for _, value in self._pytrope_collected("_parameters", "", True) + self._pytrope_collected(
                "_buffers", "", True
            ):
                if is_tensor(value) and value._origin is not None:
                    value._origin = (kind_of(device), needs_grad(value), True, False)
        return self

    def to(self, *args, **kwargs):
        from .. import _dtypes

        for argument in list(args) + list(kwargs.values()):
            if is_unknown(argument):
                self._pytrope_move(argument)
                return self._pytrope_cast(unknown("the dtype is not known"))
            if isinstance(argument, _dtypes.dtype):
                self._pytrope_cast(argument.name)
            elif not isinstance(argument, bool):
                self._pytrope_move(argument)
        return self

    def to_empty(self, *, device, recurse=True):
        return self._pytrope_move(device)

    def cuda(self, device=None):
        return self._pytrope_move("cuda")

    def cpu(self):
        return self._pytrope_move("cpu")

    def float(self):
        return self._pytrope_cast("float32")

    def double(self):
        return self._pytrope_cast("float64")

    def half(self):
        return self._pytrope_cast("float16")

    def bfloat16(self):
        return self._pytrope_cast("bfloat16")

    def type(self, dst_type):
        return self._pytrope_cast(unknown("the dtype is not known"))

    def share_memory(self):
        return self

    def register_forward_hook(self, hook, **options):
        if len(options) > 0 or is_unknown(hook) or not is_constant(len(self._pytrope_hooks)):
            super().__setattr__("_pytrope_hooked", True)
            return Handle()
        super().__setattr__("_pytrope_hooks", self._pytrope_hooks + (hook,))
        return Handle(self, hook)

    def register_forward_pre_hook(self, hook, **options):
        super().__setattr__("_pytrope_pre_hooked", True)
        return Handle()

    def register_full_backward_hook(self, hook, prepend=False):
        return Handle()

    def register_backward_hook(self, hook):
        return Handle()

    def extra_repr(self):
        return ""

    def _get_name(self):
        return type(self).__name__


# Asked before the method is called: one step does what its body would come to, mostly.
Module.__setattr__.stored_by = (set_module_attr, Module, Parameter)
