"""Attention and transformer blocks."""

from _pytrope import (
    deep_copy,
    dtype_of,
    is_constant,
    is_unknown,
    lifted,
    refuted,
    require,
    set_attrs,
    shape_of,
    unknown,
)

from .. import _dtypes
from .._make import is_tensor, tensor_arg, ranked, tensor, unranked
from .._versions import IS_NEW, IS_OLD
from ._activation import Dropout
from ._containers import ModuleList
from ._linear import Linear, NonDynamicallyQuantizableLinear
from ._module import Module
from ._norm import LayerNorm
from .parameter import parameter


class MultiheadAttention(Module):
    def __init__(
        self,
        embed_dim,
        num_heads,
        dropout=0.0,
        bias=True,
        add_bias_kv=False,
        add_zero_attn=False,
        kdim=None,
        vdim=None,
        batch_first=False,
        device=None,
        dtype=None,
    ):
        super().__init__()
        if IS_NEW and not is_unknown(embed_dim) and not is_unknown(num_heads):
            message = f"embed_dim and num_heads must be positive, not {embed_dim} and {num_heads}"
            require(embed_dim > 0 and num_heads > 0, ValueError, message)
        if not is_unknown(embed_dim) and not is_unknown(num_heads) and not refuted(num_heads > 0):
            require(
                embed_dim % num_heads == 0,
                AssertionError,
                f"embed_dim {embed_dim} is not divisible by num_heads {num_heads}",
            )
        set_attrs(
            self,
            embed_dim=embed_dim,
            num_heads=num_heads,
            kdim=embed_dim if kdim is None else kdim,
            vdim=embed_dim if vdim is None else vdim,
            head_dim=unknown("no heads") if refuted(num_heads > 0) else embed_dim // num_heads,
            dropout=dropout,
            batch_first=batch_first,
            add_zero_attn=add_zero_attn,
        )
        one = (1, 1, embed_dim)
        is_apart = refuted(self.kdim == embed_dim) or refuted(self.vdim == embed_dim)
        set_attrs(
            self,
            "_parameters",
            q_proj_weight=parameter((embed_dim, embed_dim), dtype, device) if is_apart else None,
            k_proj_weight=parameter((embed_dim, self.kdim), dtype, device) if is_apart else None,
            v_proj_weight=parameter((embed_dim, self.vdim), dtype, device) if is_apart else None,
            in_proj_weight=None if is_apart else parameter((3 * embed_dim, embed_dim), dtype, device),
            in_proj_bias=parameter((3 * embed_dim,), dtype, device) if bias else None,
            bias_k=parameter(one, dtype, device) if add_bias_kv else None,
            bias_v=parameter(one, dtype, device) if add_bias_kv else None,
        )
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias, dtype=dtype)

    @lifted(tensor_arg, "query", "key", "value")
    def forward(
        self,
        query,
        key,
        value,
        key_padding_mask=None,
        need_weights=True,
        attn_mask=None,
        average_attn_weights=True,
        is_causal=False,
    ):
        if (
            not ranked(query)
            or not ranked(key)
            or not ranked(value)
            or is_unknown(self.batch_first)
            or is_unknown(need_weights)
        ):
            return (unranked("float32"), unranked("float32") if need_weights else None)
        a = shape_of(query)
        b = shape_of(key)
        c = shape_of(value)
        require(
            len(a) == 2 or len(a) == 3,
            AssertionError,
            f"MultiheadAttention takes a query of rank 3, or 2 without a batch, not shape {a}",
            rule="layer-mismatch",
        )
        require(
            len(a) == len(b) and len(a) == len(c),
            AssertionError,
            f"MultiheadAttention takes query, key and value of one rank: {a}, {b} and {c}",
            rule="layer-mismatch",
        )
        first = self.batch_first and len(a) == 3
        batch = (a[0] if first else a[1],) if len(a) == 3 else ()
        targets = a[1] if first else a[0]
        sources = b[1] if first else b[0]
        if is_constant(is_causal) and is_causal is True and not IS_OLD:
            require(
                attn_mask is not None,
                RuntimeError,
                "is_causal requires an attn_mask",
                rule="layer-mismatch",
            )
        self.check(a, b, c, first)
        self.check_dtype(query)
        self.check_masks(attn_mask, key_padding_mask, batch, targets, sources)
        if not need_weights:
            return (tensor(a, dtype_of(query)), None)
        if is_unknown(average_attn_weights):
            return (tensor(a, dtype_of(query)), unranked(dtype_of(query)))
        if is_unknown(self.add_zero_attn):
            return (tensor(a, dtype_of(query)), unranked(dtype_of(query)))
        # A learned key and a key of zeros stand behind those of the source.
        sources = sources + (0 if self.bias_k is None else 1) + (1 if self.add_zero_attn else 0)
        heads = () if average_attn_weights else (self.num_heads,)
        return (tensor(a, dtype_of(query)), tensor(batch + heads + (targets, sources), dtype_of(query)))

    def check_dtype(self, query):
        own, given = dtype_of(self.out_proj.weight), dtype_of(query)
        if not is_unknown(own) and not is_unknown(given):
            require(
                _dtypes.may_meet(own, given),
                RuntimeError,
                f"MultiheadAttention has {own} weights, but the query is {given}",
                rule="layer-mismatch",
            )

    def check(self, a, b, c, first):
        require(
            a[-1] == self.embed_dim,
            AssertionError,
            f"MultiheadAttention expects {self.embed_dim} features, but the query of shape {a} has {a[-1]}",
            rule="layer-mismatch",
        )
        if self.kdim == self.embed_dim and self.vdim == self.embed_dim:
            message = f"MultiheadAttention takes key and value of one shape: {b} and {c}"
            for k in range(len(b)):
                require(b[k] == c[k], AssertionError, message, rule="layer-mismatch")
            require(
                b[-1] == self.embed_dim,
                RuntimeError,
                f"MultiheadAttention expects {self.embed_dim} features, but the key of shape {b} has {b[-1]}",
                rule="layer-mismatch",
            )
        else:
            for k in range(len(b) - 1):
                require(
                    b[k] == c[k],
                    AssertionError,
                    f"MultiheadAttention takes key and value of one length and batch: {b} and {c}",
                    rule="layer-mismatch",
                )
            require(
                b[-1] == self.kdim,
                AssertionError,
                f"MultiheadAttention expects {self.kdim} features, but the key of shape {b} has {b[-1]}",
                rule="layer-mismatch",
            )
            require(
                c[-1] == self.vdim,
                AssertionError,
                f"MultiheadAttention expects {self.vdim} features, but the value of shape {c} has {c[-1]}",
                rule="layer-mismatch",
            )
        if len(a) == 3:
            place = 0 if first else 1
            require(
                a[place] == b[place],
                RuntimeError,
                f"MultiheadAttention of a query of shape {a} and a key of shape {b}: the batches differ",
                rule="layer-mismatch",
            )

    def check_masks(self, attn_mask, key_padding_mask, batch, targets, sources):
        if _is_ranked_tensor(attn_mask):
            own = shape_of(attn_mask)
            kind = _dtypes.category(dtype_of(attn_mask))
            if not IS_OLD and not is_unknown(kind):
                require(
                    kind in (0, 2),
                    AssertionError,
                    f"MultiheadAttention takes masks of bools or floats, not {dtype_of(attn_mask)}",
                    rule="layer-mismatch",
                )
            require(
                len(own) == 2 or len(own) == 3,
                AssertionError,
                f"MultiheadAttention takes an attn_mask of rank 2 or 3, not shape {own}",
                rule="layer-mismatch",
            )
            expected = (targets, sources)
            if len(own) == 3:
                expected = (batch[0] * self.num_heads if len(batch) == 1 else self.num_heads, targets, sources)
            error = AssertionError if len(own) == 3 and len(batch) == 0 else RuntimeError
            for k in range(len(own)):
                require(
                    own[k] == expected[k],
                    error,
                    f"MultiheadAttention expects an attn_mask of shape {expected}, not {own}",
                    rule="layer-mismatch",
                )
        if _is_ranked_tensor(key_padding_mask):
            own = shape_of(key_padding_mask)
            expected = batch + (sources,)
            message = f"MultiheadAttention expects a key_padding_mask of shape {expected}, not {own}"
            require(len(own) == len(expected), AssertionError, message, rule="layer-mismatch")
            for k in range(len(own)):
                require(own[k] == expected[k], AssertionError, message, rule="layer-mismatch")


def _is_ranked_tensor(mask):
    return not is_unknown(mask) and is_tensor(mask) and ranked(mask)


class TransformerEncoderLayer(Module):
    def __init__(
        self,
        d_model,
        nhead,
        dim_feedforward=2048,
        dropout=0.1,
        activation="relu",
        layer_norm_eps=1e-05,
        batch_first=False,
        norm_first=False,
        bias=True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, dtype=dtype)
        self.linear1 = Linear(d_model, dim_feedforward, bias, dtype=dtype)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, dtype=dtype)
        set_attrs(self, norm_first=norm_first)
        self.norm1 = LayerNorm(d_model, bias=bias, dtype=dtype)
        self.norm2 = LayerNorm(d_model, bias=bias, dtype=dtype)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        if IS_OLD and is_causal is not False:
            return unknown("an argument that this release does not have")
        norm_first = is_constant(self.norm_first) and self.norm_first
        given = self.norm1(src) if norm_first else src
        attended = self.self_attn(
            given,
            given,
            given,
            attn_mask=src_mask,
            key_padding_mask=src_key_padding_mask,
            need_weights=False,
            is_causal=is_causal,
        )
        if norm_first:
            x = src + attended[0]
            return x + self.linear2(self.linear1(self.norm2(x)))
        x = self.norm1(src + attended[0])
        return self.norm2(x + self.linear2(self.linear1(x)))


class TransformerDecoderLayer(Module):
    def __init__(
        self,
        d_model,
        nhead,
        dim_feedforward=2048,
        dropout=0.1,
        activation="relu",
        layer_norm_eps=1e-05,
        batch_first=False,
        norm_first=False,
        bias=True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, dtype=dtype)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, dtype=dtype)
        self.linear1 = Linear(d_model, dim_feedforward, bias, dtype=dtype)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, dtype=dtype)
        self.norm1 = LayerNorm(d_model, bias=bias, dtype=dtype)
        self.norm2 = LayerNorm(d_model, bias=bias, dtype=dtype)
        self.norm3 = LayerNorm(d_model, bias=bias, dtype=dtype)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)
        set_attrs(self, norm_first=norm_first)

    def forward(
        self,
        tgt,
        memory,
        tgt_mask=None,
        memory_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
        tgt_is_causal=False,
        memory_is_causal=False,
    ):
        norm_first = is_constant(self.norm_first) and self.norm_first
        given = self.norm1(tgt) if norm_first else tgt
        attended = self.self_attn(
            given, given, given, attn_mask=tgt_mask, key_padding_mask=tgt_key_padding_mask, need_weights=False
        )
        x = tgt + attended[0] if norm_first else self.norm1(tgt + attended[0])
        given = self.norm2(x) if norm_first else x
        attended = self.multihead_attn(
            given, memory, memory, attn_mask=memory_mask, key_padding_mask=memory_key_padding_mask, need_weights=False
        )
        if norm_first:
            x = x + attended[0]
            return x + self.linear2(self.linear1(self.norm3(x)))
        x = self.norm2(x + attended[0])
        return self.norm3(x + self.linear2(self.linear1(x)))


def encoder_of_batches(layer):
    """Whether a layer takes the batch first."""
    attention = getattr(layer, "self_attn", None)
    return attention.batch_first if isinstance(attention, MultiheadAttention) else unknown("a layer of another class")


def _without_sequence(x, batch_first, has_mask=True):
    """A vector is refused by the attention, or where the length of its sequences is asked for."""
    if IS_NEW and has_mask and len(shape_of(x)) == 1 and is_constant(batch_first):
        wrong = IndexError if batch_first else AssertionError
        require(False, wrong, f"a sequence has rank 2 or 3, not shape {shape_of(x)}", rule="layer-mismatch")
    return unknown("a tensor without a sequence")


class TransformerEncoder(Module):
    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__()
        self.layers = ModuleList([deep_copy(encoder_layer) for _ in range(num_layers)])
        set_attrs(self, num_layers=num_layers, _one=(encoder_layer,))
        self.norm = norm

    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        output = src
        if _is_ranked_tensor(src) and len(shape_of(src)) < 2:
            return _without_sequence(src, encoder_of_batches(self._one[0]))
        # The layers are alike and keep the shape: where it is not known how many there are, one stands for all.
        for layer in self.layers if is_constant(self.num_layers) else self._one:
            if mask is None and src_key_padding_mask is None:
                output = layer(output)
            else:
                output = layer(output, src_mask=mask, src_key_padding_mask=src_key_padding_mask)
        return output if self.norm is None else self.norm(output)


class TransformerDecoder(Module):
    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers = ModuleList([deep_copy(decoder_layer) for _ in range(num_layers)])
        set_attrs(self, num_layers=num_layers, _one=(decoder_layer,))
        self.norm = norm

    def forward(
        self,
        tgt,
        memory,
        tgt_mask=None,
        memory_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
        tgt_is_causal=None,
        memory_is_causal=False,
    ):
        output = tgt
        if _is_ranked_tensor(tgt) and len(shape_of(tgt)) < 2:
            return _without_sequence(tgt, encoder_of_batches(self._one[0]), tgt_mask is not None)
        for layer in self.layers:
            output = layer(
                output,
                memory,
                tgt_mask=tgt_mask,
                memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
            )
        return output if self.norm is None else self.norm(output)


class Transformer(Module):
    def __init__(
        self,
        d_model=512,
        nhead=8,
        num_encoder_layers=6,
        num_decoder_layers=6,
        dim_feedforward=2048,
        dropout=0.1,
        activation="relu",
        custom_encoder=None,
        custom_decoder=None,
        layer_norm_eps=1e-05,
        batch_first=False,
        norm_first=False,
        bias=True,
        device=None,
        dtype=None,
    ):
        super().__init__()
        self.encoder = custom_encoder
        if custom_encoder is None:
            self.encoder = TransformerEncoder(
                TransformerEncoderLayer(
                    d_model,
                    nhead,
                    dim_feedforward,
                    dropout,
                    batch_first=batch_first,
                    norm_first=norm_first,
                    bias=bias,
                    dtype=dtype,
                ),
                num_encoder_layers,
                LayerNorm(d_model, bias=bias, dtype=dtype),
            )
        self.decoder = custom_decoder
        if custom_decoder is None:
            self.decoder = TransformerDecoder(
                TransformerDecoderLayer(
                    d_model,
                    nhead,
                    dim_feedforward,
                    dropout,
                    batch_first=batch_first,
                    norm_first=norm_first,
                    bias=bias,
                    dtype=dtype,
                ),
                num_decoder_layers,
                LayerNorm(d_model, bias=bias, dtype=dtype),
            )
        set_attrs(self, d_model=d_model, nhead=nhead, batch_first=batch_first)

    @lifted(tensor_arg, "src", "tgt")
    def forward(
        self,
        src,
        tgt,
        src_mask=None,
        tgt_mask=None,
        memory_mask=None,
        src_key_padding_mask=None,
        tgt_key_padding_mask=None,
        memory_key_padding_mask=None,
        src_is_causal=None,
        tgt_is_causal=None,
        memory_is_causal=False,
    ):
        if ranked(src) and ranked(tgt):
            a = shape_of(src)
            b = shape_of(tgt)
            require(
                len(a) == len(b) or len(a) < 3,
                RuntimeError,
                f"Transformer of a source of shape {a} and a target of shape {b}: the ranks differ",
                rule="layer-mismatch",
            )
            if len(a) == 3 and len(b) == 3:
                place = 0 if self.batch_first else 1
                require(
                    a[place] == b[place],
                    RuntimeError,
                    f"Transformer of a source of shape {a} and a target of shape {b}: the batches differ",
                    rule="layer-mismatch",
                )
            if len(a) > 0 and len(b) > 0:
                require(
                    a[-1] == self.d_model and b[-1] == self.d_model,
                    RuntimeError,
                    f"Transformer expects {self.d_model} features, but source and target have shapes {a} and {b}",
                    rule="layer-mismatch",
                )
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask)
        return self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
        )

    @staticmethod
    def generate_square_subsequent_mask(sz, device=None, dtype=None):
        return tensor((sz, sz), "float32")
