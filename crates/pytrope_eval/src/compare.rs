//! Comparisons, truth values, and what a condition teaches about the values it names.

mod refine;

use num_bigint::BigInt;
use pytrope_dims::{Cmp, Dim};
use pytrope_source::tree::{Comparison, ExprId, List};

use crate::cond::Cond;
use crate::effects::Operation;
use crate::interp::{Flow, Interp, Unreachable};
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::Object;
use crate::value::IntoValue;
use crate::value::{Addr, BuiltinType, OpenSeq, Reason, Seq, Value};
use pytrope_dims::ThreeValued;

/// How many sequences one comparison looks into.
const MOST_COMPARED: u32 = 10_000;

impl Interp<'_> {
    pub(super) fn eval_comparison(
        &mut self,
        id: ExprId,
        left: ExprId,
        ops: List<Comparison>,
        comparators: List<ExprId>,
    ) -> Flow {
        let code = self.current_code();
        let ops = &code.tree[ops];
        let comparators = &code.tree[comparators];
        let mut a = self.eval_expr(left)?;
        let mut so_far: Option<Value> = None;
        for (&op, &comparator) in ops.iter().zip(comparators) {
            let (b, result) = match &so_far {
                // Further operands are looked at only if what came before holds.
                Some(previous) if *previous != Value::TRUE => {
                    let before = self.run.state.clone();
                    let step = self.run_branch(|interp| interp.comparison_step(id, op, &a, comparator));
                    if step.is_err() {
                        if self.is_exhausted() {
                            return Err(Unreachable);
                        }
                        self.run.state = before;
                        return Ok(Value::FALSE);
                    }
                    let after = self.run.state.clone();
                    self.run.state = self.join_states(&before, &after);
                    step?
                }
                _ => self.comparison_step(id, op, &a, comparator)?,
            };
            if ops.len() == 1 {
                if self.report.is_observed() {
                    self.run.comparison.last = Some((id, a, b));
                }
                return Ok(result);
            }
            so_far = Some(match so_far {
                None => result,
                Some(previous) => match (&previous, &result) {
                    (Value::Bool(true), _) => result,
                    (_, Value::Bool(true)) => previous,
                    (Value::SymbolicBool(x), Value::SymbolicBool(y)) => {
                        Value::SymbolicBool(std::sync::Arc::new(Cond::All(vec![(**x).clone(), (**y).clone()])))
                    }
                    (Value::SymbolicBool(_), Value::Bool(false)) => Value::FALSE,
                    _ => Value::Unknown(Reason::Operand),
                },
            });
            if so_far == Some(Value::FALSE) {
                return Ok(Value::FALSE);
            }
            a = b;
        }
        Ok(so_far.unwrap_or(Value::TRUE))
    }

    /// One link of a chain of comparisons: its right operand, and how it comes out.
    fn comparison_step(&mut self, id: ExprId, op: Comparison, a: &Value, right: ExprId) -> Flow<(Value, Value)> {
        let b = self.eval_expr(right)?;
        let range = self.current_frame().code.tree[id].range;
        let operation = Operation::Compare { op, left: a, right: &b };
        let result = self.perform(range, operation, |interp| interp.compare_values(op, a, &b))?;
        Ok((b, result))
    }

    pub fn compare_values(&mut self, op: Comparison, a: &Value, b: &Value) -> Flow {
        match op {
            Comparison::Is => return Ok(self.is_same(a, b).into_value()),
            Comparison::IsNot => return Ok(self.is_same(a, b).negated().into_value()),
            Comparison::In => return self.contains(b, a),
            Comparison::NotIn => {
                let found = self.contains(b, a)?;
                return Ok(self.truth_of(&found)?.negated().into_value());
            }
            Comparison::Eq
            | Comparison::NotEq
            | Comparison::Lt
            | Comparison::LtE
            | Comparison::Gt
            | Comparison::GtE => {}
        }
        if matches!(a, Value::Union(_)) || matches!(b, Value::Union(_)) {
            return self.for_each_alternative(a, |interp, a| {
                interp.for_each_alternative(b, |interp, b| interp.compare_plain(op, a, b))
            });
        }
        self.compare_plain(op, a, b)
    }

    fn compare_plain(&mut self, op: Comparison, a: &Value, b: &Value) -> Flow {
        if a.is_unknown() || b.is_unknown() {
            return Ok(Value::Unknown(Reason::Operand));
        }
        if let Some(tri) = self.compare_builtin(op, a, b) {
            return Ok(tri.into_value());
        }
        if let (Comparison::Eq | Comparison::NotEq, Some(equal)) = (op, self.members_equal(a, b)) {
            return Ok(Value::Bool(equal == (op == Comparison::Eq)));
        }
        let (method, reflected) = match op {
            Comparison::Eq => (Name::EQ, Name::EQ),
            Comparison::NotEq => (Name::NE, Name::NE),
            Comparison::Lt => (Name::LT, Name::GT),
            Comparison::LtE => (Name::LE, Name::GE),
            Comparison::Gt => (Name::GT, Name::LT),
            Comparison::GtE => (Name::GE, Name::LE),
            Comparison::Is | Comparison::IsNot | Comparison::In | Comparison::NotIn => {
                unreachable!("handled by the caller")
            }
        };
        let mut known = true;
        for (left, right, name) in [(a, b, method), (b, a, reflected)] {
            if self.has_open_class(left) {
                known = false;
            }
            if let Some(method) = self.python_method(left, name) {
                let result = self.call_value(&method, CallArgs::of(vec![right.clone()]))?;
                if result != Value::NotImplemented {
                    return Ok(result);
                }
            } else if op == Comparison::NotEq
                && let Some(equal) = self.python_method(left, Name::EQ)
            {
                let result = self.call_value(&equal, CallArgs::of(vec![right.clone()]))?;
                if result != Value::NotImplemented {
                    return Ok(match result.kind() {
                        Some(BuiltinType::Bool) => self.truth_of(&result)?.negated().into_value(),
                        _ => Value::Unknown(Reason::Operand),
                    });
                }
            }
        }
        if !known {
            return Ok(Value::Unknown(Reason::Operand));
        }
        match op {
            Comparison::Eq => Ok(self.is_same(a, b).into_value()),
            Comparison::NotEq => Ok(self.is_same(a, b).negated().into_value()),
            _ => {
                let (Some(x), Some(y)) = (self.exact_type_name(a), self.exact_type_name(b)) else {
                    return Ok(Value::Unknown(Reason::Operand));
                };
                let plain = crate::operators::builtin_refuses(self, a) && crate::operators::builtin_refuses(self, b);
                if !plain && (!self.lacks_method(a, method) || !self.lacks_method(b, reflected)) {
                    return Ok(Value::Unknown(Reason::Operand));
                }
                let symbol = op.symbol();
                self.raise_error(
                    "bad-operand",
                    "TypeError",
                    format!("'{symbol}' not supported between instances of '{x}' and '{y}'"),
                )
            }
        }
    }

    /// Whether two members of an enumeration are equal, or a member and a constant: by their values, which tell members apart. None
    /// where values are not known, or a method decides.
    fn members_equal(&self, a: &Value, b: &Value) -> Option<bool> {
        if !self.analysis.program.closed_world {
            return None;
        }
        match (self.value_of_member(a), self.value_of_member(b)) {
            (Some((x, one)), Some((y, other))) if one == other => Some(x == y),
            (Some((value, class)), None) | (None, Some((value, class))) => {
                let other = if self.instance_of(a).is_some() { b } else { a };
                let is_mixed = self.mixes_builtin(class)?;
                // A number of another type may be equal.
                let is_alike = !is_mixed || value.kind() == other.kind();
                (other.is_scalar_constant() && is_alike).then(|| is_mixed && value == other)
            }
            _ => None,
        }
    }

    /// The constant that a member of an enumeration has for its value, with the enumeration; None if it compares by a method of its own.
    fn value_of_member(&self, member: &Value) -> Option<(&Value, Addr)> {
        let instance = self.instance_of(member)?;
        let class = instance.class.addr()?;
        self.class_at(class).filter(|class| class.features.enumeration)?;
        let value = &instance.attrs.get(Name::new("_value_"))?.value;
        let is_plain = value.is_scalar_constant() && self.python_method(member, Name::EQ).is_none();
        is_plain.then_some((value, class))
    }

    /// Whether members of an enumeration are texts or numbers too (`class Layout(str, Enum)`); None where a base is not known.
    fn mixes_builtin(&self, class: Addr) -> Option<bool> {
        let mut mixes = false;
        for base in self.mro_of(class) {
            let base = self.class_at(*base)?;
            match base.kind {
                Some(kind) => mixes |= kind != BuiltinType::Object,
                // `IntEnum` and `StrEnum` are modelled without their builtin bases.
                None if base.features.is_model && !matches!(&*base.name, "Enum" | "Flag") => return None,
                None => {}
            }
        }
        Some(mixes)
    }

    /// Comparisons between values of builtin types; `None` where methods decide.
    /// The builtin class that a value is.
    fn builtin_class(&self, value: &Value) -> Option<BuiltinType> {
        match self.object_at(value.addr()?) {
            Object::Class(class) => class.kind,
            _ => None,
        }
    }

    fn compare_builtin(&mut self, op: Comparison, a: &Value, b: &Value) -> Option<ThreeValued<Cond>> {
        let cmp = match op {
            Comparison::Eq => Cmp::Eq,
            Comparison::NotEq => Cmp::Ne,
            Comparison::Lt => Cmp::Lt,
            Comparison::LtE => Cmp::Le,
            Comparison::Gt => Cmp::Gt,
            Comparison::GtE => Cmp::Ge,
            Comparison::Is | Comparison::IsNot | Comparison::In | Comparison::NotIn => return None,
        };
        if let (Some(x), Some(y)) = (number(a), number(b)) {
            return Some(compare_numbers(cmp, &x, &y));
        }
        // `str == bytes` asks for Python 2.
        if let (Cmp::Eq | Cmp::Ne, Some(x), Some(y)) = (cmp, self.builtin_class(a), self.builtin_class(b)) {
            return Some(ThreeValued::of((x == y) == (cmp == Cmp::Eq)));
        }
        let numeric =
            |kind: Option<BuiltinType>| matches!(kind, Some(BuiltinType::Int | BuiltinType::Bool | BuiltinType::Float));
        let (ka, kb) = (a.kind(), b.kind());
        if numeric(ka) && numeric(kb) {
            if let (Some(x), Some(y)) = (a.as_dim(), b.as_dim()) {
                return Some(self.compare_dims(&x, cmp, &y));
            }
            return Some(ThreeValued::opaque());
        }
        let equality = matches!(cmp, Cmp::Eq | Cmp::Ne);
        match (a, b) {
            (Value::Str(x), Value::Str(y)) => return Some(ThreeValued::of(ordered(cmp, &**x, &**y))),
            (Value::Bytes(x), Value::Bytes(y)) => return Some(ThreeValued::of(ordered(cmp, &**x, &**y))),
            (Value::Tuple(x), Value::Tuple(y)) => return self.compare_seqs(cmp, &x.clone(), &y.clone()),
            (Value::Obj(x), Value::Obj(y)) => {
                let (x, y) = (self.object_at(*x).clone(), self.object_at(*y).clone());
                match (&x, &y) {
                    (Object::List(x), Object::List(y)) => return self.compare_seqs(cmp, x, y),
                    (Object::Dict(_), Object::Dict(_))
                    | (Object::Set(_) | Object::FrozenSet(_), Object::Set(_) | Object::FrozenSet(_)) => {
                        let same = a == b && !a.addr().is_some_and(Addr::is_summary);
                        return Some(if same && equality {
                            ThreeValued::of(cmp == Cmp::Eq)
                        } else {
                            ThreeValued::opaque()
                        });
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        if ka.is_some() && ka == kb {
            return match ka {
                Some(BuiltinType::Str | BuiltinType::Bytes) => Some(ThreeValued::opaque()),
                Some(BuiltinType::NoneType | BuiltinType::Ellipsis) if equality => {
                    Some(ThreeValued::of(cmp == Cmp::Eq))
                }
                Some(BuiltinType::Complex | BuiltinType::Range | BuiltinType::Slice) if equality => {
                    Some(if a == b { ThreeValued::of(cmp == Cmp::Eq) } else { ThreeValued::opaque() })
                }
                Some(BuiltinType::Builtin | BuiltinType::Method) if equality => Some(ThreeValued::opaque()),
                _ => None,
            };
        }
        if equality {
            // Values of unrelated builtin types are never equal.
            let known = |kind: Option<BuiltinType>| {
                matches!(
                    kind,
                    Some(
                        BuiltinType::Str
                            | BuiltinType::Bytes
                            | BuiltinType::NoneType
                            | BuiltinType::Tuple
                            | BuiltinType::Int
                            | BuiltinType::Float
                            | BuiltinType::Bool
                            | BuiltinType::Ellipsis
                            | BuiltinType::Range
                    )
                )
            };
            let container = |interp: &Self, value: &Value| {
                value.addr().is_some_and(|addr| {
                    matches!(interp.object_at(addr), Object::List(_) | Object::Dict(_) | Object::Set(_))
                })
            };
            let a_plain = known(ka) || container(self, a);
            let b_plain = known(kb) || container(self, b);
            if a_plain && b_plain {
                return Some(ThreeValued::of(cmp == Cmp::Ne));
            }
            // Objects with methods of their own answer a complex number as they like: arrays do element by element.
            let is_complex = |value: &Value| value.kind() == Some(BuiltinType::Complex);
            if is_complex(a) && kb.is_some() || is_complex(b) && ka.is_some() {
                return Some(ThreeValued::opaque());
            }
        }
        None
    }

    /// Compares item by item, up to a number of sequences in all: they may share their parts, or hold themselves.
    fn compare_seqs(&mut self, cmp: Cmp, a: &Seq, b: &Seq) -> Option<ThreeValued<Cond>> {
        let outer = self.run.comparison.budget;
        let left = outer.unwrap_or(MOST_COMPARED);
        if left == 0 {
            return Some(ThreeValued::opaque());
        }
        self.run.comparison.budget = Some(left - 1);
        let verdict = self.compare_items(cmp, a, b);
        if outer.is_none() {
            self.run.comparison.budget = None;
        }
        verdict
    }

    fn compare_items(&mut self, cmp: Cmp, a: &Seq, b: &Seq) -> Option<ThreeValued<Cond>> {
        let equality = matches!(cmp, Cmp::Eq | Cmp::Ne);
        let (x, y) = match (a, b) {
            (Seq::Exact(x), Seq::Exact(y)) => (x, y),
            (Seq::Open(open), Seq::Exact(exact)) | (Seq::Exact(exact), Seq::Open(open)) if equality => {
                let equal = self.open_equals(open, exact);
                return Some(if cmp == Cmp::Eq { equal } else { equal.negated() });
            }
            _ => return Some(ThreeValued::opaque()),
        };
        if equality && x.len() != y.len() {
            return Some(ThreeValued::of(cmp == Cmp::Ne));
        }
        if x.len() + y.len() > 2_000 {
            return Some(ThreeValued::opaque());
        }
        let mut open: Vec<Cond> = Vec::new();
        for (p, q) in x.iter().zip(y.iter()) {
            match self.equal_quietly(p, q) {
                ThreeValued::True => {}
                ThreeValued::False if equality => return Some(ThreeValued::of(cmp == Cmp::Ne)),
                ThreeValued::Open(cond) if equality => open.push(cond),
                ThreeValued::False if open.is_empty() => return self.compare_builtin_op(cmp, p, q),
                ThreeValued::False | ThreeValued::Open(_) => return Some(ThreeValued::opaque()),
            }
        }
        if equality {
            let all = if open.is_empty() { ThreeValued::True } else { ThreeValued::Open(Cond::All(open)) };
            return Some(if cmp == Cmp::Eq { all } else { all.negated() });
        }
        Some(ThreeValued::of(cmp.holds(x.len() as i128, y.len() as i128)))
    }

    /// Whether a sequence of open length equals a known one: at least the lengths and the first items must agree.
    fn open_equals(&mut self, open: &OpenSeq, exact: &[Value]) -> ThreeValued<Cond> {
        let Some(len) = open.len.as_dim() else { return ThreeValued::opaque() };
        let mut conditions = Vec::new();
        match self.compare_dims(&len, Cmp::Eq, &Dim::constant(exact.len() as i128)) {
            ThreeValued::False => return ThreeValued::False,
            ThreeValued::Open(cond) => conditions.push(cond),
            ThreeValued::True => {}
        }
        for (p, q) in open.prefix.iter().zip(exact) {
            match self.equal_quietly(p, q) {
                ThreeValued::False => return ThreeValued::False,
                ThreeValued::Open(cond) => conditions.push(cond),
                ThreeValued::True => {}
            }
        }
        if open.prefix.len() < exact.len() {
            conditions.push(Cond::Opaque);
        }
        if conditions.is_empty() { ThreeValued::True } else { ThreeValued::Open(Cond::All(conditions)) }
    }

    fn compare_builtin_op(&mut self, cmp: Cmp, a: &Value, b: &Value) -> Option<ThreeValued<Cond>> {
        let op = match cmp {
            Cmp::Eq => Comparison::Eq,
            Cmp::Ne => Comparison::NotEq,
            Cmp::Lt => Comparison::Lt,
            Cmp::Le => Comparison::LtE,
            Cmp::Gt => Comparison::Gt,
            Cmp::Ge => Comparison::GtE,
        };
        Some(self.compare_builtin(op, a, b).unwrap_or(ThreeValued::opaque()))
    }

    /// `==` as a condition, without findings; open where methods of objects decide.
    pub fn equal_quietly(&mut self, a: &Value, b: &Value) -> ThreeValued<Cond> {
        if a.is_unknown() || b.is_unknown() || matches!(a, Value::Union(_)) || matches!(b, Value::Union(_)) {
            if matches!(a, Value::Union(_)) != matches!(b, Value::Union(_)) && !a.is_unknown() && !b.is_unknown() {
                let (union, other) = if matches!(a, Value::Union(_)) { (a, b) } else { (b, a) };
                let verdicts: Vec<ThreeValued<Cond>> =
                    union.alternatives().iter().map(|value| self.equal_quietly(value, other)).collect();
                if verdicts.iter().all(|verdict| *verdict == ThreeValued::False) {
                    return ThreeValued::False;
                }
            }
            return ThreeValued::opaque();
        }
        if let Some(tri) = self.compare_builtin(Comparison::Eq, a, b) {
            return tri;
        }
        if self.python_method(a, Name::EQ).is_some()
            || self.python_method(b, Name::EQ).is_some()
            || self.has_open_class(a)
            || self.has_open_class(b)
        {
            self.havocs_unseen_methods(a, &[Name::EQ]);
            self.havocs_unseen_methods(b, &[Name::EQ]);
            return ThreeValued::opaque();
        }
        self.is_same(a, b)
    }

    /// `a is b`.
    pub fn is_same(&self, a: &Value, b: &Value) -> ThreeValued<Cond> {
        if a.is_unknown() || b.is_unknown() {
            let apart =
                matches!((a, b), (Value::UnknownNotNone(_), Value::None) | (Value::None, Value::UnknownNotNone(_)));
            return if apart { ThreeValued::False } else { ThreeValued::opaque() };
        }
        if matches!(a, Value::Union(_)) || matches!(b, Value::Union(_)) {
            let (mut yes, mut no) = (false, false);
            for x in a.alternatives() {
                for y in b.alternatives() {
                    match self.is_same(x, y) {
                        ThreeValued::True => yes = true,
                        ThreeValued::False => no = true,
                        ThreeValued::Open(_) => return ThreeValued::opaque(),
                    }
                }
            }
            return match (yes, no) {
                (true, false) => ThreeValued::True,
                (false, true) => ThreeValued::False,
                _ => ThreeValued::opaque(),
            };
        }
        match (a, b) {
            (Value::None, Value::None)
            | (Value::Ellipsis, Value::Ellipsis)
            | (Value::NotImplemented, Value::NotImplemented) => ThreeValued::True,
            (Value::Bool(x), Value::Bool(y)) => ThreeValued::of(x == y),
            (Value::Obj(x), Value::Obj(y)) => {
                if x == y && !x.is_summary() && !self.may_alias(*x) {
                    ThreeValued::True
                } else {
                    match (self.object_at(*x), self.object_at(*y)) {
                        (Object::Module(m), Object::Module(n)) => {
                            if m.name == n.name {
                                ThreeValued::True
                            } else {
                                ThreeValued::opaque()
                            }
                        }
                        (Object::Unknown, _) | (_, Object::Unknown) => ThreeValued::opaque(),
                        _ if x == y || self.is_one_of_many(*x) || self.is_one_of_many(*y) => ThreeValued::opaque(),
                        _ => ThreeValued::False,
                    }
                }
            }
            (Value::Native(x), Value::Native(y)) => ThreeValued::of(std::ptr::eq(*x, *y)),
            _ => {
                let (x, y) = (self.identity_kind(a), self.identity_kind(b));
                match (x, y) {
                    (Some(x), Some(y)) if x != y => ThreeValued::False,
                    _ if matches!(a, Value::None) && b.addr().is_some()
                        || matches!(b, Value::None) && a.addr().is_some() =>
                    {
                        match a.addr().or(b.addr()).map(|addr| self.object_at(addr)) {
                            Some(Object::Unknown) | None => ThreeValued::opaque(),
                            Some(_) => ThreeValued::False,
                        }
                    }
                    _ => ThreeValued::opaque(),
                }
            }
        }
    }

    fn identity_kind(&self, value: &Value) -> Option<BuiltinType> {
        match value {
            Value::Obj(addr) => match self.object_at(*addr) {
                Object::List(_) => Some(BuiltinType::List),
                Object::Dict(_) => Some(BuiltinType::Dict),
                Object::Set(_) => Some(BuiltinType::Set),
                Object::Class(_) => Some(BuiltinType::Type),
                Object::Function(_) => Some(BuiltinType::Function),
                Object::Module(_) => Some(BuiltinType::Module),
                Object::Instance(_) | Object::Array(_) => Some(BuiltinType::Object),
                _ => None,
            },
            other => other.kind(),
        }
    }

    /// The truth of a value.
    pub fn truth_of(&mut self, value: &Value) -> Flow<ThreeValued<Cond>> {
        Ok(match value {
            Value::Unknown(_) | Value::UnknownNotNone(_) => ThreeValued::opaque(),
            Value::None => ThreeValued::False,
            Value::Ellipsis
            | Value::NotImplemented
            | Value::Native(_)
            | Value::Bound(_)
            | Value::Method(_)
            | Value::Slice(_) => ThreeValued::True,
            Value::Bool(value) => ThreeValued::of(*value),
            Value::SymbolicBool(cond) => self.decide_condition(cond),
            Value::Int(value) => ThreeValued::of(*value != 0),
            Value::Big(_) => ThreeValued::True,
            Value::Dim(dim) => self.compare_dims(dim, Cmp::Ne, &Dim::ZERO),
            Value::Float(value) => ThreeValued::of(*value != 0.0),
            Value::Complex(value) => ThreeValued::of(value.0 != 0.0 || value.1 != 0.0),
            Value::Str(text) => ThreeValued::of(!text.is_empty()),
            Value::Bytes(bytes) => ThreeValued::of(!bytes.is_empty()),
            Value::Top(_) => ThreeValued::opaque(),
            Value::Tuple(seq) => self.seq_truth(&seq.clone()),
            Value::Range(_) => match self.length_of(value)? {
                Some(len) => self.truth_of(&len)?,
                None => ThreeValued::opaque(),
            },
            Value::Union(values) => {
                let mut verdict: Option<ThreeValued<Cond>> = None;
                for value in values.iter() {
                    let (tri, _) = self.capture_raises(|interp| interp.truth_of(value));
                    let tri = tri.unwrap_or(ThreeValued::opaque());
                    verdict = Some(match verdict {
                        None => tri,
                        Some(so_far) if so_far == tri && !matches!(tri, ThreeValued::Open(_)) => so_far,
                        Some(_) => ThreeValued::opaque(),
                    });
                }
                verdict.unwrap_or(ThreeValued::opaque())
            }
            Value::Obj(addr) => match self.object_at(*addr).clone() {
                Object::List(seq) => self.seq_truth(&seq),
                Object::Dict(mapping) | Object::Set(mapping) | Object::FrozenSet(mapping) => {
                    if mapping.entries.values().any(|entry| entry.definite) {
                        ThreeValued::True
                    } else if mapping.entries.is_empty() && mapping.open.is_none() {
                        ThreeValued::False
                    } else {
                        ThreeValued::opaque()
                    }
                }
                Object::Class(_) | Object::Function(_) | Object::Module(_) => ThreeValued::True,
                Object::Instance(_) | Object::Array(_) => {
                    if let Some(method) = self.python_method(value, Name::BOOL) {
                        let result = self.call_value(&method, CallArgs::none())?;
                        return match result.kind() {
                            Some(BuiltinType::Bool) => self.truth_of(&result),
                            _ => Ok(ThreeValued::opaque()),
                        };
                    }
                    if let Some(method) = self.python_method(value, Name::LEN) {
                        let result = self.call_value(&method, CallArgs::none())?;
                        return match result.kind() {
                            Some(BuiltinType::Int) => self.truth_of(&result),
                            _ => Ok(ThreeValued::opaque()),
                        };
                    }
                    if self.has_open_class(value) || self.has_builtin_layout(value) {
                        ThreeValued::opaque()
                    } else {
                        ThreeValued::True
                    }
                }
                _ => ThreeValued::opaque(),
            },
        })
    }

    fn seq_truth(&mut self, seq: &Seq) -> ThreeValued<Cond> {
        match seq {
            Seq::Exact(items) => ThreeValued::of(!items.is_empty()),
            Seq::Open(open) => match open.len.as_dim() {
                _ if !open.prefix.is_empty() => ThreeValued::True,
                Some(len) => self.compare_dims(&len, Cmp::Gt, &Dim::ZERO),
                None => ThreeValued::opaque(),
            },
        }
    }
}

/// A number with a value.
enum ComparedNumber {
    Int(BigInt),
    Small(i64),
    Float(f64),
}

fn number(value: &Value) -> Option<ComparedNumber> {
    match value {
        Value::Int(value) => Some(ComparedNumber::Small(*value)),
        Value::Bool(value) => Some(ComparedNumber::Small(i64::from(*value))),
        Value::Big(value) => Some(ComparedNumber::Int((**value).clone())),
        Value::Float(value) => Some(ComparedNumber::Float(*value)),
        _ => None,
    }
}

fn compare_numbers(cmp: Cmp, a: &ComparedNumber, b: &ComparedNumber) -> ThreeValued<Cond> {
    use std::cmp::Ordering;
    let ordering = match (a, b) {
        (ComparedNumber::Small(x), ComparedNumber::Small(y)) => Some(x.cmp(y)),
        (ComparedNumber::Float(x), ComparedNumber::Float(y)) => x.partial_cmp(y),
        (ComparedNumber::Int(x), ComparedNumber::Int(y)) => Some(x.cmp(y)),
        (ComparedNumber::Small(x), ComparedNumber::Int(y)) => Some(BigInt::from(*x).cmp(y)),
        (ComparedNumber::Int(x), ComparedNumber::Small(y)) => Some(x.cmp(&BigInt::from(*y))),
        (ComparedNumber::Float(x), y) => compare_float(*x, y),
        (x, ComparedNumber::Float(y)) => compare_float(*y, x).map(Ordering::reverse),
    };
    match ordering {
        Some(ordering) => ThreeValued::of(cmp.holds(ordering as i128, 0)),
        // A NaN is unequal to everything, itself included.
        None => ThreeValued::of(cmp == Cmp::Ne),
    }
}

/// Exact comparison of a float with an integer.
fn compare_float(x: f64, y: &ComparedNumber) -> Option<std::cmp::Ordering> {
    use num_traits::FromPrimitive;
    use std::cmp::Ordering;
    if x.is_nan() {
        return None;
    }
    if x.is_infinite() {
        return Some(if x > 0.0 { Ordering::Greater } else { Ordering::Less });
    }
    let y = match y {
        ComparedNumber::Small(y) => BigInt::from(*y),
        ComparedNumber::Int(y) => y.clone(),
        ComparedNumber::Float(y) => return x.partial_cmp(y),
    };
    let floor = BigInt::from_f64(x.floor())?;
    Some(match floor.cmp(&y) {
        Ordering::Equal if x.fract() != 0.0 => Ordering::Greater,
        other => other,
    })
}

fn ordered<T: Ord + ?Sized>(cmp: Cmp, a: &T, b: &T) -> bool {
    cmp.holds(a.cmp(b) as i128, 0)
}
