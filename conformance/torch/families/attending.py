"""Attention in all its forms, recurrent layers with states, transformer layers with masks, normalisation, state dictionaries, transformations of functions."""

from itertools import product

from ._shapes import fill

QUERIES = ["t(2, 4, 5, 8)", "t(2, 5, 8)", "t(5, 8)", "t(2, 4, 5, 6)", "t(1, 4, 5, 8)", "t(3, 4, 5, 8)", "d(2, 4, 5, 8)", "i(2, 4, 5, 8)", "t(2, 2, 5, 8)"]
KEYS = [("t(2, 4, 7, 8)", "t(2, 4, 7, 8)"), ("t(2, 4, 7, 8)", "t(2, 4, 7, 3)"), ("t(2, 4, 7, 8)", "t(2, 4, 6, 8)"), ("t(2, 7, 8)", "t(2, 7, 8)"), ("t(7, 8)", "t(7, 8)"), ("t(1, 1, 7, 8)", "t(1, 1, 7, 8)"), ("t(2, 2, 7, 8)", "t(2, 2, 7, 8)")]
MASKS = ["b(5, 7)", "b(2, 1, 5, 7)", "b(2, 4, 5, 7)", "t(5, 7)", "b(7)", "b(5, 5)", "t(2, 5, 7)", "i(5, 7)", "b(2, 4, 1, 7)", "None", "t(3, 1, 5, 7)"]
ENCODER = ["8, 2", "8, 2, 16, batch_first=True", "8, 3", "8, 4, norm_first=True", "d_model=8, nhead=2, activation='gelu'"]
INPUTS = ["t(5, 2, 8)", "t(5, 8)", "t(5, 2, 6)", "t(8)", "t(2, 5, 2, 8)", "t(0, 2, 8)", "d(5, 2, 8)", "i(5, 2, 8)"]
ENCODER_MASKS = ["", ", src_mask=b(5, 5)", ", src_mask=t(5, 5)", ", src_mask=b(4, 4)", ", src_key_padding_mask=b(2, 5)", ", src_key_padding_mask=b(5, 2)", ", src_mask=b(4, 5, 5)", ", is_causal=True"]
NETS = ["nn.Linear(4, 3)", "nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 2))", "nn.Conv2d(3, 4, 3)", "nn.BatchNorm1d(4)", "nn.Embedding(5, 4)", "nn.LSTM(4, 3)", "nn.LayerNorm(4)", "nn.ModuleDict({'a': nn.Linear(4, 3), 'b': nn.Linear(3, 2)})", "nn.ModuleList([nn.Linear(4, 3)])",
        "nn.Linear(4, 3, bias=False)", "nn.Linear(5, 3)", "nn.ReLU()", "nn.MultiheadAttention(4, 2)", "nn.GRU(4, 3, 2, bidirectional=True)", "nn.PReLU(3)"]
FUNCTIONS = ["lambda x: x.sum()", "lambda x: x * 2", "lambda x: x @ torch.ones(3)", "lambda x: x @ torch.ones(3, 2)", "lambda x: x.mean(0)", "lambda x: (x ** 2).sum()", "lambda x: torch.stack([x, x])", "lambda x: x[0]", "lambda x: x.reshape(-1)", "lambda x: x.view(3)", "torch.sin", "lambda x: (x, x.sum())"]


def rows():
    for query, (key, value) in product(QUERIES, KEYS):
        yield f"F.scaled_dot_product_attention({query}, {key}, {value})"
        yield f"F.scaled_dot_product_attention({query}, {key}, {value}, is_causal=True)"
    for query, (key, value), mask in product(QUERIES[:6], KEYS[:4], MASKS):
        yield f"F.scaled_dot_product_attention({query}, {key}, {value}, attn_mask={mask})"
    for key, value in KEYS:
        yield f"F.scaled_dot_product_attention(t(2, 4, 5, 8), {key}, {value}, enable_gqa=True)"
        yield f"F.scaled_dot_product_attention(t(2, 4, 5, 8), {key}, {value}, dropout_p=0.1, scale=0.5)"
        yield f"F.scaled_dot_product_attention(t(2, 4, 5, 8), {key}, {value}, b(5, 7), 0.0, True)"
    for arguments, x, mask in product(ENCODER, INPUTS, ENCODER_MASKS):
        yield f"nn.TransformerEncoderLayer({arguments})({x}{mask})"
    for arguments, x in product(ENCODER, INPUTS):
        yield f"nn.TransformerEncoder(nn.TransformerEncoderLayer({arguments}), 2)({x})"
        for memory in ["t(7, 2, 8)", "t(2, 7, 8)", "t(7, 8)", "t(7, 2, 6)", "t(7, 3, 8)"]:
            yield f"nn.TransformerDecoderLayer({arguments})({x}, {memory})"
            yield f"nn.TransformerDecoder(nn.TransformerDecoderLayer({arguments}), 2)({x}, {memory}, tgt_mask=b(5, 5))"
    for mask in ["attn_mask=b(5, 7)", "attn_mask=t(5, 7)", "attn_mask=b(4, 5, 7)", "attn_mask=b(2, 5, 7)", "attn_mask=b(7, 5)", "key_padding_mask=b(2, 7)", "key_padding_mask=b(7, 2)", "key_padding_mask=t(2, 7)", "average_attn_weights=False", "attn_mask=b(5, 7), key_padding_mask=b(2, 7)", "is_causal=True",
                 "need_weights=False, attn_mask=b(6, 7)", "attn_mask=i(5, 7)", "attn_mask=b(8, 5, 7), need_weights=False"]:
        yield f"nn.MultiheadAttention(8, 2)(t(5, 2, 8), t(7, 2, 8), t(7, 2, 8), {mask})"
        yield f"nn.MultiheadAttention(8, 2, batch_first=True)(t(2, 5, 8), t(2, 7, 8), t(2, 7, 8), {mask})"
        yield f"nn.MultiheadAttention(8, 4, batch_first=True)(t(2, 5, 8), t(2, 7, 8), t(2, 7, 8), {mask})"
        yield f"nn.MultiheadAttention(8, 2)(t(5, 8), t(7, 8), t(7, 8), {mask})"
    for name, arguments, x, state in product(["RNN", "GRU"], ["3, 4", "3, 4, 2, batch_first=True", "3, 4, bidirectional=True"], ["t(5, 2, 3)", "t(2, 5, 3)", "t(5, 3)", "d(5, 2, 3)", "i(5, 2, 3)"], ["t(1, 2, 4)", "t(2, 2, 4)", "t(2, 4)", "t(1, 4)", "t(2, 4, 4)", "t(2, 5, 4)", "d(1, 2, 4)"]):
        yield f"nn.{name}({arguments})({x}, {state})"
    for arguments, x, state in product(["3, 4", "3, 4, 2, batch_first=True", "3, 4, bidirectional=True"], ["t(5, 2, 3)", "t(2, 5, 3)", "t(5, 3)"], ["(t(1, 2, 4), t(1, 2, 4))", "(t(2, 2, 4), t(2, 2, 4))", "(t(1, 4), t(1, 4))", "(t(2, 2, 4), t(2, 2, 3))", "t(1, 2, 4)", "(t(1, 2, 4),)", "[t(1, 2, 4), t(1, 2, 4)]"]):
        yield f"nn.LSTM({arguments})({x}, {state})"
    for shape, x in product(["3", "(3,)", "[2, 3]", "(4, 3)", "4"], ["t(2, 3)", "t(3)", "t(5, 2, 3)", "t(5, 4, 3)", "d(2, 3)", "i(2, 3)", "t()"]):
        for name in ["LayerNorm", "RMSNorm"]:
            yield f"nn.{name}({shape})({x})"
            yield f"nn.{name}({shape}, elementwise_affine=False)({x})"
        yield f"F.layer_norm({x}, {shape})"
        yield f"F.rms_norm({x}, {shape})"
    for source, target in product(NETS, NETS):
        yield f"x = {target}; x.load_state_dict({source}.state_dict()); len(list(x.parameters()))"
    for net in NETS:
        yield f"sorted({net}.state_dict())"
        yield f"[tuple(p.shape) for p in {net}.parameters()]"
        yield f"len({net}.state_dict())"
        yield f"list({net}.load_state_dict({{}}, strict=False).missing_keys)"
        yield f"{net}.load_state_dict({{'extra': t(2)}})"
        yield f"list({net}.load_state_dict({{'extra': t(2)}}, strict=False).unexpected_keys)"
    for state in ["{'weight': t(3, 4), 'bias': t(3)}", "{'weight': t(4, 3), 'bias': t(3)}", "{'weight': t(3, 4)}", "{'weight': t(3, 4), 'bias': t(3), 'scale': t(1)}", "{'weight': t(3, 4), 'bias': t(4)}", "{'weight': t(3, 4), 'bias': 3}", "[]", "nn.Linear(4, 3)", "{'weight': i(3, 4), 'bias': d(3)}"]:
        yield f"x = nn.Linear(4, 3); x.load_state_dict({state}); x(t(2, 4))"
        yield f"x = nn.Linear(4, 3); x.load_state_dict({state}, strict=False); x(t(2, 4))"
    yield from fill(["torch.vmap({f})({x})", "torch.func.vmap({f}, in_dims=1)({x})", "torch.vmap({f}, out_dims=1)({x})", "torch.func.grad({f})({x})", "torch.func.jacrev({f})({x})", "torch.func.jacfwd({f})({x})", "torch.func.hessian({f})({x})", "torch.func.vjp({f}, {x})[0]", "torch.func.jvp({f}, ({x},), ({x},))",
                     "torch.func.grad_and_value({f})({x})"], f=FUNCTIONS, x=["t(3)", "t(4, 3)", "t(3, 4)", "t()", "t(2, 4, 3)"])
    for row in ["torch.vmap(torch.dot)(t(5, 3), t(5, 3))", "torch.vmap(torch.dot)(t(5, 3), t(4, 3))", "torch.vmap(torch.dot, in_dims=(0, None))(t(5, 3), t(3))", "torch.vmap(torch.dot, in_dims=(0, None))(t(5, 3), t(5, 3))", "torch.vmap(torch.dot, (1, 0))(t(3, 5), t(5, 3))", "torch.vmap(torch.dot)(t(5, 3), t(5, 4))",
                "torch.vmap(torch.mv)(t(5, 2, 3), t(5, 3))", "torch.vmap(torch.vmap(torch.dot))(t(2, 5, 3), t(2, 5, 3))", "torch.vmap(torch.mm, in_dims=(None, 0))(t(2, 3), t(5, 3, 4))", "torch.vmap(torch.dot, in_dims=3)(t(5, 3), t(5, 3))", "torch.vmap(torch.dot, in_dims=(0,))(t(5, 3), t(5, 3))",
                "torch.func.functional_call(nn.Linear(4, 3), {'weight': t(3, 4), 'bias': t(3)}, (t(2, 4),))", "torch.func.functional_call(nn.Linear(4, 3), {'weight': t(5, 4), 'bias': t(5)}, (t(2, 4),))", "torch.func.functional_call(nn.Linear(4, 3), {'weight': t(5, 4), 'bias': t(3)}, t(2, 4))",
                "torch.func.functional_call(nn.Linear(4, 3), {}, t(2, 5))", "torch.func.functional_call(nn.Linear(4, 3), {}, (t(2, 4),))", "torch.func.functional_call(nn.Linear(4, 3), {'weight': t(3, 5)}, (t(2, 4),))", "torch.func.functional_call(nn.Linear(4, 3), {'other': t(3, 5)}, (t(2, 4),))",
                "torch.func.stack_module_state([nn.Linear(4, 3), nn.Linear(4, 3)])[0]['weight']", "torch.utils.checkpoint.checkpoint(nn.Linear(4, 3), t(2, 4), use_reentrant=False)", "torch.utils.checkpoint.checkpoint(nn.Linear(4, 3), t(2, 5), use_reentrant=False)", "torch.utils.checkpoint.checkpoint(lambda a, b: a @ b, t(2, 4), t(4, 3), use_reentrant=False)",
                "torch.utils.checkpoint.checkpoint_sequential(nn.Sequential(nn.Linear(4, 3), nn.ReLU()), 2, t(2, 4), use_reentrant=False)", "torch.compile(nn.Linear(4, 3), backend='eager')(t(2, 4))", "torch.compile(lambda x: x @ t(3), backend='eager')(t(2, 3))", "torch.compile(lambda x: x * 2, backend='eager', fullgraph=True)(t(2, 3))",
                "torch.autograd.grad((t(3).requires_grad_() ** 2).sum(), t(3))", "torch.autograd.functional.jacobian(lambda x: x * 2, t(3))", "torch.autograd.functional.jacobian(lambda x: x @ t(3), t(2, 3))", "torch.autograd.functional.hessian(lambda x: (x ** 2).sum(), t(3))", "t(3).backward()", "t(3).requires_grad_().backward()", "t(3).sum().backward()",
                "(t(3).requires_grad_() * 2).sum().backward()", "x = t(3).requires_grad_(); (x * 2).sum().backward(); x.grad", "x = t(3).requires_grad_(); (x * 2).backward(); x.grad", "x = t(3).requires_grad_(); (x * 2).backward(t(3)); x.grad", "x = t(3).requires_grad_(); (x * 2).backward(t(2)); x.grad", "x = i(3); x.requires_grad_(); x", "x = t(3).requires_grad_(); x.numpy()",
                "x = t(3).requires_grad_(); x += 1; x", "x = t(3).requires_grad_(); x.zero_(); x", "x = t(3).requires_grad_(); x.data.zero_(); x", "x = t(3).requires_grad_(); y = x.detach(); y += 1; y", "nn.Linear(4, 3)(t(2, 4)).numpy()", "nn.Linear(4, 3)(t(2, 4)).detach().numpy().shape", "nn.Linear(4, 3).weight.numpy()", "nn.Linear(4, 3).weight.data.numpy().shape",
                "x = nn.Linear(4, 3); x.weight = t(3, 4); x", "x = nn.Linear(4, 3); x.weight = nn.Parameter(t(3, 5)); x(t(2, 4))", "x = nn.Linear(4, 3); x.weight = nn.Parameter(t(3, 5)); x(t(2, 5))", "x = nn.Linear(4, 3); x.weight.data = t(5, 4); x(t(2, 4))", "x = nn.Linear(4, 3); x.bias = None; x(t(2, 4))",
                "nn.ParameterDict({'a': nn.Parameter(t(2, 3))})['a']", "nn.ParameterDict({'a': nn.Parameter(t(2, 3))})['b']", "nn.ParameterDict({'a': t(2, 3)})['a'] @ t(3)", "nn.ParameterDict({'a': t(2, 3)})['a'] @ t(2)", "list(nn.ParameterDict({'a': t(2), 'b': t(3)}).keys())", "[tuple(p.shape) for p in nn.ParameterDict({'a': t(2), 'b': t(3)}).values()]", "len(nn.ParameterDict({'a': t(2)}))",
                "'a' in nn.ParameterDict({'a': t(2)})", "x = nn.ParameterDict(); x['w'] = nn.Parameter(t(2, 3)); x['w'].shape", "x = nn.ModuleDict(); x['w'] = nn.Linear(4, 3); x['w'](t(2, 4))", "x = nn.ModuleDict(); x['w'] = nn.Linear(4, 3); x['w'](t(2, 3))", "x = nn.ModuleDict({'a': nn.ReLU()}); x.update({'b': nn.Linear(4, 3)}); x['b'](t(4))", "nn.ModuleDict({'a': nn.ReLU()}).pop('a')(t(2))",
                "nn.ModuleDict([['a', nn.Linear(4, 3)]])['a'](t(4))", "nn.utils.clip_grad_norm_(nn.Linear(4, 3).parameters(), 1.0)", "nn.utils.parameters_to_vector(nn.Linear(4, 3).parameters())", "nn.utils.rnn.pad_sequence([t(3, 2), t(5, 2)])", "nn.utils.rnn.pad_sequence([t(3, 2), t(5, 2)], batch_first=True)", "nn.utils.rnn.pad_sequence([t(3, 2), t(5, 3)])", "nn.utils.rnn.pad_sequence([t(3), t(5)])",
                "nn.utils.rnn.pack_sequence([t(3, 2), t(2, 2)]).data", "nn.utils.rnn.pad_packed_sequence(nn.utils.rnn.pack_padded_sequence(t(5, 2, 3), [5, 4]))[0]", "nn.utils.rnn.pad_packed_sequence(nn.LSTM(3, 4)(nn.utils.rnn.pack_padded_sequence(t(5, 2, 3), [5, 4]))[0])[0]", "nn.utils.rnn.pack_padded_sequence(t(5, 2, 3), [5, 4, 3])",
                "nn.utils.parametrizations.weight_norm(nn.Linear(4, 3))(t(2, 4))", "nn.utils.parametrizations.weight_norm(nn.Linear(4, 3))(t(2, 5))", "nn.utils.parametrizations.spectral_norm(nn.Linear(4, 3))(t(2, 4))", "nn.utils.parametrizations.orthogonal(nn.Linear(4, 4))(t(2, 4))", "nn.utils.weight_norm(nn.Linear(4, 3))(t(2, 4))", "nn.utils.spectral_norm(nn.Linear(4, 3))(t(2, 5))"]:
        yield row
