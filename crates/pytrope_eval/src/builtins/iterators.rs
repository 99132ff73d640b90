//! `enumerate`, `zip`, `map`, `filter`, `sorted`, `reversed`, `any`, `all`, `iter`, `next`.

use std::sync::Arc;

use crate::interp::{Flow, Interp, Unreachable};
use crate::items::Taken;
use crate::names::Name;
use crate::native::{CallArgs, OpenTail};
use crate::object::Object;
use crate::symbols;
use crate::value::IntoValue;
use crate::value::{Reason, Seq, Value};
use pytrope_dims::{Cmp, Dim, ThreeValued};

pub(super) fn sorted(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let Some(iterable) = args.first() else { return Ok(Value::Unknown(Reason::Call)) };
    let seq = match interp.iterate_value(iterable)? {
        Some(seq) => seq,
        None => interp.open_seq(Value::Unknown(Reason::Operand)),
    };
    let plain = args.keywords.is_empty() && args.is_exact();
    interp.refuse_key(args, &seq)?;
    for (_, value) in &args.keywords {
        interp.havoc_reachable(value);
    }
    if plain {
        interp.raise_if_unsortable(&seq)?;
    }
    let seq = if plain {
        interp.sort_seq(&seq)
    } else {
        let (element, len) = (interp.element_of(&seq), interp.seq_len(&seq));
        Seq::open(Vec::new(), element, len)
    };
    Ok(interp.new_object(Object::List(seq)))
}

pub(super) fn reversed(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let Some(value) = args.first() else { return Ok(Value::Unknown(Reason::Call)) };
    if let Some(method) = interp.python_method(value, Name::REVERSED) {
        return interp.call_value(&method, CallArgs::none());
    }
    if let Some(class) = interp.instance_of(value).and_then(|instance| instance.class.addr())
        && interp.find_in_mro(class, Name::REVERSED).is_some()
    {
        // A descriptor: what it makes of the access is not followed.
        return Ok(interp.unknown_iter());
    }
    Ok(match interp.iterate_value(value)? {
        Some(Seq::Exact(items)) => interp.new_iter(Seq::exact(items.iter().rev().cloned().collect())),
        Some(seq) => {
            let (element, len) = (interp.element_of(&seq), interp.seq_len(&seq));
            interp.new_iter(Seq::open(Vec::new(), element, len))
        }
        None => interp.unknown_iter(),
    })
}

pub(super) fn enumerate(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let Some(iterable) = args.first() else { return Ok(Value::Unknown(Reason::Call)) };
    let start = args.get(1, "start").cloned().unwrap_or(Value::Int(0));
    let seq = interp.iterate_lazily(iterable)?;
    let seq = match (seq, &start) {
        (Some(Seq::Exact(items)), Value::Int(start)) => {
            let pairs = items
                .iter()
                .enumerate()
                .map(|(i, item)| Value::tuple(vec![Value::Int(start + i as i64), item.clone()]));
            Seq::exact(pairs.collect())
        }
        (Some(seq), _) => {
            let (element, len) = (interp.element_of(&seq), interp.seq_len(&seq));
            let count = interp.any_int();
            Seq::open(Vec::new(), Value::tuple(vec![count, element]), len)
        }
        (None, _) => {
            let count = interp.any_int();
            let pair = Value::tuple(vec![count, Value::Unknown(Reason::Operand)]);
            interp.open_seq(pair)
        }
    };
    Ok(interp.new_iter(seq))
}

pub(super) fn zip(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    if !args.is_exact() {
        return Ok(interp.unknown_iter());
    }
    let mut columns = Vec::new();
    for iterable in &args.positional {
        columns.push(interp.iterate_lazily(iterable)?);
    }
    let exact: Option<Vec<&[Value]>> = columns.iter().map(|seq| seq.as_ref().and_then(Seq::as_exact)).collect();
    if let Some(exact) = exact {
        let len = exact.iter().map(|items| items.len()).min().unwrap_or(0);
        let rows = (0..len).map(|i| Value::tuple(exact.iter().map(|items| items[i].clone()).collect())).collect();
        return Ok(interp.new_iter(Seq::exact(rows)));
    }
    let mut row = Vec::new();
    let mut lens = Vec::new();
    for seq in &columns {
        match seq {
            Some(seq) => {
                row.push(interp.element_of(seq));
                lens.push(interp.seq_len(seq));
            }
            None => {
                row.push(Value::Unknown(Reason::Operand));
                lens.push(Value::Unknown(Reason::Operand));
            }
        }
    }
    let same = lens.windows(2).all(|pair| pair[0] == pair[1]) && !lens.iter().any(Value::is_unknown);
    let seq = if same {
        Seq::open(Vec::new(), Value::tuple(row), lens.swap_remove(0))
    } else {
        interp.open_seq(Value::tuple(row))
    };
    Ok(interp.new_iter(seq))
}

impl Interp<'_> {
    /// The columns that `zip(*rows)` gives, if every row has as many items as the others and there is one.
    pub(crate) fn transposed_rows(&mut self, args: &CallArgs) -> Option<Vec<Value>> {
        let Some(OpenTail::Items(Seq::Open(rows))) = &args.more_positional else { return None };
        if !args.positional.is_empty() || !args.keywords.is_empty() || args.more_keywords {
            return None;
        }
        let items_of = |row: &Value| match row {
            Value::Tuple(Seq::Exact(items)) => Some(Arc::clone(items)),
            _ => None,
        };
        let element = items_of(&rows.element)?;
        let prefix: Vec<_> = rows.prefix.iter().map(items_of).collect::<Option<_>>()?;
        let has_rows = !prefix.is_empty()
            || self.analysis.assumes
            || rows
                .len
                .as_dim()
                .is_some_and(|len| self.compare_dims(&len, Cmp::Ge, &Dim::constant(1)) == ThreeValued::True);
        if !has_rows || prefix.iter().any(|row| row.len() != element.len()) {
            return None;
        }
        let column = |at: usize| {
            let first = prefix.iter().map(|row| row[at].clone()).collect();
            Value::Tuple(Seq::open(first, element[at].clone(), rows.len.clone()))
        };
        Some((0..element.len()).map(column).collect())
    }
}

pub(super) fn map(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let Some((function, iterables)) = args.positional.split_first() else { return Ok(Value::Unknown(Reason::Call)) };
    let first_symbol = symbols::next_symbol_number();
    let rows = zip(interp, &CallArgs::of(iterables.to_vec()))?;
    let Some(seq) = interp.iterate_value(&rows)? else {
        interp.havoc_reachable(function);
        return Ok(interp.unknown_iter());
    };
    if args.is_exact()
        && interp.has_some_item(&seq)
        && let Some(message) = interp.refused_callback(function, iterables.len())
    {
        return Ok(interp.refused_iter(&message));
    }
    // `map` is lazy: what the function would raise is not certain to happen.
    let apply = |interp: &mut Interp<'_>, row: &Value| {
        let arguments = match row {
            Value::Tuple(Seq::Exact(items)) => items.to_vec(),
            _ => vec![Value::Unknown(Reason::Operand)],
        };
        let before = interp.run.state.clone();
        let result = interp.attempt_muted(|interp| interp.call_value(function, CallArgs::of(arguments)));
        match result {
            Ok(value) => Ok(value),
            Err(Unreachable) if interp.is_exhausted() => Err(Unreachable),
            Err(Unreachable) => {
                interp.run.state = before;
                Ok(Value::Unknown(Reason::Call))
            }
        }
    };
    let before = interp.run.state.clone();
    let seq = match &seq {
        Seq::Exact(items) if items.len() <= 500 => {
            let mut results = Vec::new();
            for row in items.iter() {
                results.push(apply(interp, row)?);
            }
            Seq::exact(results)
        }
        other => {
            let (row, len) = (interp.element_of(other), interp.seq_len(other));
            interp.havoc_reachable(function);
            let element = interp.run_once_for_many(first_symbol, |interp| apply(interp, &row))?;
            Seq::open(Vec::new(), element, len)
        }
    };
    if interp.has_changed_since(&before, None) {
        // What the function changes is changed when the items are taken, if they are.
        interp.run.state = before;
        interp.havoc_reachable(function);
        for value in iterables {
            interp.havoc_reachable(value);
        }
        return Ok(interp.unknown_iter());
    }
    Ok(interp.new_iter(seq))
}

pub(super) fn filter(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let [function, iterable] = args.positional.as_slice() else { return Ok(Value::Unknown(Reason::Call)) };
    let items = interp.iterate_lazily(iterable)?;
    if let Some(seq) = &items
        && interp.has_some_item(seq)
        && let Some(message) = interp.refused_callback(function, 1)
    {
        return Ok(interp.refused_iter(&message));
    }
    if let Some(Seq::Exact(items)) = &items
        && let Some(kept) = kept_items(interp, function, items)
    {
        return Ok(interp.new_iter(Seq::exact(kept)));
    }
    interp.havoc_reachable(function);
    Ok(match items {
        Some(seq) => {
            let element = interp.element_of(&seq);
            let seq = interp.open_seq(element);
            interp.new_iter(seq)
        }
        None => interp.unknown_iter(),
    })
}

/// The items that a predicate keeps, if it is decided for each of them and changes nothing. Where shapes are shown, an optional
/// item is taken to be there: `filter(exists, (norm, linear, dropout if p > 0 else None))`.
fn kept_items(interp: &mut Interp<'_>, function: &Value, items: &[Value]) -> Option<Vec<Value>> {
    let before = interp.run.state.clone();
    let mut kept = Vec::new();
    for item in items {
        let mut alternatives = Vec::new();
        for alternative in item.alternatives() {
            let (truth, _) = interp.capture_raises(|interp| {
                let value = match function {
                    Value::None => alternative.clone(),
                    _ => interp.call_value(function, CallArgs::of(vec![alternative.clone()]))?,
                };
                interp.truth_of(&value)
            });
            match truth {
                Ok(ThreeValued::False) => {}
                Ok(ThreeValued::True) => alternatives.push(alternative.clone()),
                Ok(ThreeValued::Open(_)) if interp.analysis.assumes => alternatives.push(alternative.clone()),
                _ => alternatives.clear(),
            }
            let is_decided = matches!(truth, Ok(ThreeValued::True | ThreeValued::False));
            if !(is_decided || interp.analysis.assumes) || interp.has_changed_since(&before, None) {
                interp.run.state = before;
                return None;
            }
        }
        let is_kept = alternatives.len() == item.alternatives().len();
        match alternatives.as_slice() {
            [] => {}
            _ if is_kept => kept.push(item.clone()),
            [one] if interp.analysis.assumes => kept.push(one.clone()),
            _ if interp.analysis.assumes => kept.push(Value::Union(std::sync::Arc::new(alternatives))),
            _ => {
                interp.run.state = before;
                return None;
            }
        }
    }
    interp.run.state = before;
    Some(kept)
}

pub(super) fn any_or_all(interp: &mut Interp<'_>, args: &CallArgs, any: bool) -> Flow {
    let Some(iterable) = args.first() else { return Ok(Value::Unknown(Reason::Call)) };
    let Some(Seq::Exact(items)) = interp.iterate_value(iterable)? else {
        return Ok(ThreeValued::opaque().into_value());
    };
    let mut open = Vec::new();
    for item in items.iter() {
        match interp.truth_of(item)? {
            ThreeValued::True if any => return Ok(Value::TRUE),
            ThreeValued::False if !any => return Ok(Value::FALSE),
            ThreeValued::True | ThreeValued::False => {}
            ThreeValued::Open(cond) => open.push(cond),
        }
    }
    if open.is_empty() {
        return Ok(Value::Bool(!any));
    }
    let cond = if any { crate::cond::Cond::Any(open) } else { crate::cond::Cond::All(open) };
    Ok(ThreeValued::Open(cond).into_value())
}

pub(super) fn iter(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let Some(value) = args.first() else { return Ok(Value::Unknown(Reason::Call)) };
    if args.positional.len() > 1 {
        return Ok(interp.unknown_iter());
    }
    if let Some(addr) = value.addr()
        && matches!(interp.object_at(addr), Object::Iter(_))
    {
        return Ok(value.clone());
    }
    Ok(match interp.iterate_value(value)? {
        Some(seq) => interp.new_iter(seq),
        None => Value::Unknown(Reason::Call),
    })
}

pub(super) fn next(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let Some(value) = args.first() else { return Ok(Value::Unknown(Reason::Call)) };
    if interp.lacks_method(value, Name::NEXT)
        && let Some(kind) = interp.exact_type_name(value)
    {
        return interp.raise_error("not-iterable", "TypeError", format!("'{kind}' object is not an iterator"));
    }
    let Some(addr) = value.addr() else {
        interp.havoc_reachable(value);
        return Ok(Value::Unknown(Reason::Call));
    };
    let default = args.positional.get(1);
    if let Some(method) = interp.python_method(value, Name::NEXT) {
        return match default {
            Some(default) => interp.value_or("StopIteration", default, |interp| {
                Ok((interp.call_value(&method, CallArgs::none())?, false))
            }),
            None => interp.call_value(&method, CallArgs::none()),
        };
    }
    match (interp.take_one(addr)?, default) {
        (Taken::One(item), _) => Ok(item),
        (Taken::Perhaps(item), Some(default)) => Ok(interp.join_loose(&item, default)),
        (Taken::Perhaps(item), None) => {
            interp.record_may_raise();
            Ok(item)
        }
        (Taken::Nothing, Some(default)) => Ok(default.clone()),
        (Taken::Nothing, None) => interp.raise_error("other-error", "StopIteration", "the iterator is exhausted"),
    }
}
