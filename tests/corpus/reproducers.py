"""One program for each finding that needs more than a call with stand-ins."""

import ast
import collections
import functools
import importlib
import importlib.util
import os
import pathlib
import runpy
import sys
import types
from unittest.mock import MagicMock

PROGRAMS = {}

# Keras runs without another library then.
os.environ.setdefault("KERAS_BACKEND", "numpy")

# What a statement that is run by itself finds in its module, where the module cannot be imported without PyTorch.
NAMES = {
    "transformers/models/nemotron3_5_asr/modular_nemotron3_5_asr.py:479": (
        "transformers.models.nemotron3_5_asr.generation_nemotron3_5_asr",
        "Nemotron3_5AsrRNNTDecoderCache",
    ),
}

# Statements that only PyTorch itself can refuse, with the names they need: an interpreter that has it runs them.
IDEFICS = "import torch; from torch import nn; from types import SimpleNamespace as N; config = N(alphas_initializer_range=.1); self = N()"
WITH_TORCH = {
    "transformers/models/esm/modeling_esmfold.py:2186": (
        "import torch; from types import SimpleNamespace as N; B = L = 2; device = None; self = N(esm_s_combine=N(size=[3]), esm_feats=4)"
    ),
    "transformers/models/idefics/modeling_idefics.py:743": IDEFICS,
    "transformers/models/idefics/modeling_idefics.py:745": IDEFICS,
}


def shows(*places):
    """The program shows the findings at these places."""

    def register(program):
        PROGRAMS.update((place, program) for place in places)
        return program

    return register


@shows("numpy/distutils/command/build_clib.py:350")
def numpy_cxx_compiler():
    from numpy.distutils.command.build_clib import build_clib

    command = object.__new__(build_clib)
    command.__dict__.update(compiler=MagicMock(compiler_type="unix"), _f_compiler=None, force=True, inplace=False)
    command.__dict__.update(disable_optimization=False, build_clib="build", build_temp="build", debug=False)
    command.assemble_flags = lambda flags: []
    command.get_finalized_command = MagicMock()
    command.mkpath = MagicMock()
    command.compiler_opt = MagicMock()
    command.get_finalized_command.return_value.build_src = "build"
    command.build_a_library({"sources": ["a.dispatch.cpp"]}, "a", [])


@shows("scipy/_lib/_array_api_docs_tables.py:156")
def scipy_dask():
    from scipy._lib import _array_api_docs_tables as tables

    # Today the table of short names hides the line: nothing is called "dask.array" any more when it is reached.
    names = tables.BACKEND_NAMES_MAP.pop("dask.array")
    tables._make_sphinx_capabilities = lambda **entry: {"dask.array": types.SimpleNamespace(cpu=None, gpu=None)}
    try:
        entry = collections.defaultdict(bool)
        tables._process_capabilities_table_entry({"out_of_scope": entry["x"], "allow_dask_compute": False})
    finally:
        tables.BACKEND_NAMES_MAP["dask.array"] = names


@shows("statsmodels/base/model.py:2088")
def statsmodels_float_size():
    import numpy as np
    import statsmodels.api as sm
    import statsmodels.base.model as model

    constraint = types.SimpleNamespace(constraint_matrix=np.eye(2), constraint_values=None)
    made = model.FormulaManager.get_linear_constraints
    model.FormulaManager.get_linear_constraints = lambda *_: constraint
    try:
        x = sm.add_constant(np.arange(10.0))
        sm.OLS(np.arange(10.0), x).fit().wald_test(np.eye(2), scalar=True)
    finally:
        model.FormulaManager.get_linear_constraints = made


@shows("statsmodels/discrete/tests/test_constrained.py:640")
def statsmodels_junk():
    from statsmodels.discrete.tests import test_constrained

    test_constrained.Poisson = MagicMock()
    test_constrained.junk()


@shows("statsmodels/formula/formulatools.py:56")
def statsmodels_attach_spec():
    from statsmodels.formula.formulatools import handle_formula_data

    handle_formula_data({"y": [1.0, 2.0]}, {"x": [1.0, 2.0]}, "y ~ x")


@shows("statsmodels/genmod/_tweedie_compound_poisson.py:85")
def statsmodels_tweedie():
    from statsmodels.genmod._tweedie_compound_poisson import series_density

    series_density(1.0, 1.0, 1.5, 1.0)


def gee_check():
    """The module imports names that are gone as well; it is given them."""
    import statsmodels.genmod.generalized_estimating_equations as equations

    for gone in ("Multinomial", "gee_ordinal_starting_values", "gee_setup_nominal", "gee_setup_ordinal"):
        setattr(equations, gone, MagicMock())
    return importlib.import_module("statsmodels.genmod.tests.gee_categorical_simulation_check")


@shows("statsmodels/genmod/tests/gee_categorical_simulation_check.py:155")
def statsmodels_ordinal():
    check = gee_check()
    check.ordinal_simulator = MagicMock()
    check.np = MagicMock()
    check.gee_setup_ordinal = MagicMock(return_value=[MagicMock()] * 4)
    check.gendat_ordinal()


@shows("statsmodels/genmod/tests/gee_categorical_simulation_check.py:181")
def statsmodels_nominal():
    check = gee_check()
    check.nominal_simulator = MagicMock()
    check.np = MagicMock()
    check.gee_setup_nominal = MagicMock(return_value=[MagicMock()] * 4)
    check.gendat_nominal()


@shows("statsmodels/sandbox/stats/multicomp.py:272")
def statsmodels_std():
    from statsmodels.sandbox.stats.multicomp import Tukeythreegene2

    Tukeythreegene2([[1.0], [2.0], [3.0]])


@shows("statsmodels/sandbox/stats/multicomp.py:1660", "statsmodels/sandbox/stats/multicomp.py:1661")
def statsmodels_meandiffs():
    from statsmodels.sandbox.stats.multicomp import distance_st_range

    distance_st_range([1.0, 2.0], 3, 1.0, triu=True)


@shows("statsmodels/stats/libqsturng/make_tbls.py:526")
def statsmodels_tables():
    importlib.import_module("statsmodels.stats.libqsturng.make_tbls")


@shows("statsmodels/stats/tests/test_knockoff.py:50")
def statsmodels_knockoff():
    from statsmodels.stats.tests import test_knockoff

    test_knockoff.has_cvxopt = True
    test_knockoff.test_sdp()


@shows("scipy/integrate/_rules/_base.py:148")
def scipy_refined_estimate():
    from scipy.integrate._rules._base import Rule

    class Constant(Rule):
        def estimate(self, f, a, b, args=()):
            return 0

    Constant().estimate_error(None, [0], [1])


@shows("statsmodels/sandbox/distributions/extras.py:278")
def statsmodels_half_range():
    from statsmodels.sandbox.distributions.extras import pdf_moments_st

    pdf_moments_st([0, 1, 0])


@shows("sympy/physics/quantum/shor.py:165")
def sympy_half_register():
    from sympy.physics.quantum import shor
    from sympy.physics.quantum.qubit import Qubit

    # The gate that comes before it is not implemented; it is passed over.
    kept = shor.CMod, shor.qapply, shor.measure_partial_oneshot
    shor.CMod = lambda *arguments: 1
    shor.qapply = lambda *arguments, **options: Qubit("0000")
    shor.measure_partial_oneshot = lambda circuit, position: circuit
    try:
        shor.period_find(1, 2)
    finally:
        shor.CMod, shor.qapply, shor.measure_partial_oneshot = kept


@shows("sympy/integrals/intpoly.py:560")
def sympy_intersection():
    from sympy import Point, Polygon
    from sympy.abc import x, y, z
    from sympy.integrals.intpoly import left_integral2D

    facets = Polygon(Point(0, 3), Point(5, 3), Point(1, 1)).sides
    left_integral2D(3, 0, facets, facets[0].points[0], x, (x, y, z))


def linspace_of(name):
    """Runs the call of `linspace` in one of the programs that sympy ships as examples of its parser."""
    import numpy
    import sympy

    path = pathlib.Path(sympy.__file__).parent / "parsing/autolev/test-examples/pydy-example-repo" / name
    calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    samples = next(node for node in calls if getattr(node.func, "attr", "") == "linspace")
    eval(compile(ast.Expression(samples), str(path), "eval"), {"_np": numpy})


for example, line in [("chaos_pendulum", 53), ("double_pendulum", 37), ("mass_spring_damper", 29)]:
    place = f"sympy/parsing/autolev/test-examples/pydy-example-repo/{example}.py:{line}"
    PROGRAMS[place] = functools.partial(linspace_of, f"{example}.py")


@shows("sympy/polys/domains/gmpyfinitefield.py:16")
def sympy_gmpy_field():
    from sympy.polys.domains.gmpyfinitefield import GMPYFiniteField

    GMPYFiniteField(5)


@shows("sympy/polys/domains/pythonfinitefield.py:16")
def sympy_python_field():
    from sympy.polys.domains.pythonfinitefield import PythonFiniteField

    PythonFiniteField(5)


@shows("sympy/printing/pretty/stringpict.py:238")
def sympy_root():
    from sympy.printing.pretty.stringpict import stringPict

    stringPict("x").root(stringPict("abc"))


@shows("sympy/printing/pretty/stringpict.py:246")
def sympy_plain_root():
    from sympy.printing.pretty.stringpict import stringPict

    stringPict("x").root()


@shows("sympy/tensor/array/expressions/array_expressions.py:1218")
def sympy_contraction():
    from sympy.tensor.array.expressions.array_expressions import ArrayContraction, ArrayDiagonal

    # A line before it lacks the same argument; it is passed over.
    contraction = MagicMock()
    contraction.expr.__class__ = ArrayDiagonal
    contraction.expr.diagonal_indices = [(0, 2)]
    contraction.expr._push_indices_down.return_value = [(0, 1)]
    ArrayContraction.flatten_contraction_of_diagonal(contraction)


@shows("sympy/tensor/array/sparse_ndim_array.py:100")
def sympy_reshape():
    from sympy import MutableSparseNDimArray

    MutableSparseNDimArray([1, 2, 3]).reshape(2, 2)


@shows("distutils/tests/test_versionpredicate.py:13")
def cpython_versionpredicate():
    import pathlib
    import runpy
    import sys

    # setuptools puts a distutils of its own before CPython's.
    sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__name__ != "DistutilsMetaFinder"]
    folder = pathlib.Path(collections.__file__).parents[1]
    runpy.run_path(str(folder / "distutils/tests/test_versionpredicate.py"), run_name="__main__")


@shows("transformers/models/gemma4/modular_gemma4.py:972")
def gemma4_wide_mlp():
    from transformers.models.gemma4.modular_gemma4 import Gemma4TextMLP

    config = types.SimpleNamespace(num_hidden_layers=4, num_kv_shared_layers=2, use_double_wide_mlp=True)
    Gemma4TextMLP(config, 3)


@shows("transformers/models/sapiens2/modular_sapiens2.py:1451")
def sapiens2_convolution():
    from transformers.models.pp_ocrv5_server_det.modeling_pp_ocrv5_server_det import PPOCRV5ServerDetConvBatchnormLayer

    # The module itself cannot be imported: its class is taken out of it.
    package = pathlib.Path(importlib.util.find_spec("transformers.models.sapiens2").origin)
    path = package.with_name("modular_sapiens2.py")
    tree = ast.parse(path.read_bytes())
    tree.body = [node for node in tree.body if getattr(node, "name", None) == "Sapiens2ConvLayer"]
    names = {"PPOCRV5ServerDetConvBatchnormLayer": PPOCRV5ServerDetConvBatchnormLayer}
    exec(compile(tree, str(path), "exec"), names)  # noqa: S102 - the library's own class
    names["Sapiens2ConvLayer"](3, 8)


@shows("nltk/ccg/combinator.py:298")
def nltk_type_raising():
    from nltk.ccg import combinator

    combinator.innermostFunction = lambda category: category
    combinator.UndirectedTypeRaise().can_combine(MagicMock(), MagicMock())


@shows("nltk/cluster/util.py:157")
def nltk_dendrogram():
    from nltk.cluster.util import _DendrogramNode

    _DendrogramNode(1).groups(3)


@shows("nltk/ccg/lexicon.py:212")
def nltk_malformed_category():
    from nltk.ccg.lexicon import nextCategory

    nextCategory("1")


@shows("nltk/inference/mace.py:296")
def nltk_mace_models():
    from nltk.inference import mace

    mace.test_model_found([("a", ["b"])])


@shows("nltk/inference/mace.py:342")
def nltk_mace_formats():
    from nltk.inference import mace

    mace.test_transform_output(("a", ["b"]))


@shows("twisted/mail/smtp.py:770")
def twisted_thrown_away():
    from twisted.mail.smtp import SMTP

    SMTP._messageHandled(MagicMock(), "thrown away")


@shows("rich/traceback.py:906")
def rich_demonstration():
    runpy.run_module("rich.traceback", run_name="__main__")


@shows("pip/_vendor/rich/traceback.py:906")
def pip_demonstration():
    runpy.run_module("pip._vendor.rich.traceback", run_name="__main__")


@shows("filterpy/examples/RadarUKF.py:56")
def filterpy_radar():
    # The module that makes the measurements is not part of the package.
    sys.modules["GetRadar"] = MagicMock()
    runpy.run_module("filterpy.examples.RadarUKF", run_name="__main__")


@shows("twisted/mail/relaymanager.py:771")
def twisted_exchanges():
    from twisted.mail.relaymanager import SmartHostSMTPRelayingManager as Manager

    Manager._checkStateMX(MagicMock(maxConnections=4, managed={}))


@shows("numba/core/typing/templates.py:740")
def numba_unknown_target():
    from numba.core.typing.templates import _OverloadFunctionTemplate as Template

    Template._get_jit_decorator(MagicMock(metadata={"target": "nowhere"}))


def mllama_without_configuration(line):
    """Runs one statement of the constructor as the template of `blt` calls it: `super().__init__()` gives no configuration."""
    import transformers

    path = pathlib.Path(transformers.__file__).parent / "models/mllama/modeling_mllama.py"
    statements = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Assign)]
    statement = next(node for node in statements if node.lineno == line)
    itself = types.SimpleNamespace(config=None, head_dim=1)
    names = {"self": itself, "config": None, "MllamaTextRMSNorm": MagicMock()}
    exec(compile(ast.Module([statement], []), str(path), "exec"), names)


for line in (406, 407, 408, 409, 410, 420, 421):
    place = f"transformers/models/mllama/modeling_mllama.py:{line}"
    PROGRAMS[place] = functools.partial(mllama_without_configuration, line)


@shows("scipy/sparse/_coo.py:1516")
def scipy_broadcast_to_more_dimensions():
    import numpy as np
    from scipy.sparse import coo_array
    from scipy.sparse._coo import _get_sparse_data_and_coords

    _get_sparse_data_and_coords(coo_array(np.eye(2)), (3, 2, 2), float)


@shows("sympy/stats/joint_rv.py:392")
def sympy_density_of_a_joint_distribution():
    from sympy import Symbol
    from sympy.stats.joint_rv import JointDistribution, MarginalDistribution

    joint = JointDistribution(Symbol("x"))
    # What its density looks through is made by the line behind.
    joint.__class__.domain = MagicMock(args=(1, 2))
    MarginalDistribution(joint, ()).pdf(1)
