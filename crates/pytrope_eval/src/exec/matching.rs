//! `match`: each pattern is decided, refused or left open, and binds its captures.

use pytrope_source::tree::{Case, ExprId, List, PatternId, PatternKind};

use crate::interp::{Dead, Eval, Interp, Tri};
use crate::object::Object;
use crate::state::State;
use crate::value::{Reason, Seq, Value};

impl Interp<'_> {
    pub(super) fn match_statement(&mut self, subject: ExprId, cases: List<Case>) -> Eval<()> {
        let code = self.code();
        let place = subject;
        let mut subject = self.expr(place)?;
        let mut result: Option<State> = None;
        let mut falls_through = true;
        for case in &code.tree[cases] {
            self.step()?;
            let before = self.state.clone();
            let mut outcome = match self.pattern(case.pattern, &subject) {
                Ok(outcome) => outcome,
                Err(Dead) => {
                    self.state = before.clone();
                    Tri::opaque()
                }
            };
            if outcome == Tri::False {
                self.state = before;
                continue;
            }
            // What is known where this case is not taken: a pattern that matched has bound its names, whatever the guard says.
            let mut refused = if outcome == Tri::True { None } else { Some(before.clone()) };
            if let Some(guard) = case.guard {
                let guarded = self.test(guard);
                let here = self.state.clone();
                match guarded {
                    Ok(Tri::False) => {
                        self.state = self.join_into(refused, &here);
                        continue;
                    }
                    Ok(Tri::Open(cond)) => {
                        if self.assume(&cond.negated()) && self.refine(guard, false) {
                            let failed = self.state.clone();
                            refused = Some(self.join_into(refused, &failed));
                        }
                        self.state = here;
                        self.assume(&cond);
                        self.refine(guard, true);
                        outcome = Tri::opaque();
                    }
                    Ok(Tri::True) => {}
                    Err(Dead) => match refused {
                        Some(state) => {
                            self.state = state;
                            continue;
                        }
                        None => {
                            falls_through = false;
                            break;
                        }
                    },
                }
            }
            if outcome != Tri::True {
                self.enter_undecided();
                self.open_branch();
                self.frame_mut().branches += 1;
            }
            let flow = self.block(case.body);
            if outcome != Tri::True {
                self.leave_undecided();
                self.close_branch();
                self.frame_mut().branches -= 1;
            }
            if flow.is_ok() {
                let here = self.state.clone();
                result = Some(self.join_into(result, &here));
            }
            if outcome == Tri::True {
                falls_through = false;
                break;
            }
            self.state = refused.unwrap_or(before);
            let refuses_none =
                case.guard.is_none() && matches!(code.tree[case.pattern].kind, PatternKind::Singleton(None));
            if refuses_none && let Value::Unknown(reason) = subject {
                subject = Value::Present(reason);
                self.exclude_none(place, true);
            }
        }
        if falls_through {
            let here = self.state.clone();
            result = Some(self.join_into(result, &here));
        }
        match result {
            Some(state) => {
                self.state = state;
                Ok(())
            }
            None => Err(Dead),
        }
    }

    /// Matches and binds; captures of a pattern that fails do no harm, since they count as bound only if it matches.
    fn pattern(&mut self, pattern: PatternId, subject: &Value) -> Eval<Tri> {
        let code = self.code();
        match code.tree[pattern].kind {
            PatternKind::Value(expr) => {
                let value = self.expr(expr)?;
                Ok(self.equal_quietly(subject, &value))
            }
            PatternKind::Singleton(singleton) => {
                let value = singleton.map_or(Value::None, Value::Bool);
                Ok(self.is_same(subject, &value))
            }
            PatternKind::As { pattern, name } => {
                let outcome = match pattern {
                    Some(pattern) => self.pattern(pattern, subject)?,
                    None => Tri::True,
                };
                if let Some(name) = name {
                    self.bind(name.name, subject.clone());
                }
                Ok(outcome)
            }
            PatternKind::Or(patterns) => {
                let mut any = Tri::False;
                for &pattern in &code.tree[patterns] {
                    match self.pattern(pattern, subject)? {
                        Tri::True => return Ok(if any == Tri::False { Tri::True } else { Tri::opaque() }),
                        Tri::False => {}
                        Tri::Open(_) => any = Tri::opaque(),
                    }
                }
                Ok(any)
            }
            PatternKind::Sequence(patterns) => {
                let patterns = &code.tree[patterns];
                let star = patterns.iter().position(|&p| matches!(code.tree[p].kind, PatternKind::Star(_)));
                let items: Option<Vec<Value>> = match subject {
                    Value::Tuple(Seq::Exact(items)) => Some(items.to_vec()),
                    Value::Str(_) | Value::Int(_) | Value::None | Value::Float(_) | Value::Bool(_) => {
                        return Ok(Tri::False);
                    }
                    Value::Obj(addr) => match self.object(*addr) {
                        Object::List(Seq::Exact(items)) => Some(items.to_vec()),
                        Object::Dict(_) | Object::Set(_) | Object::FrozenSet(_) => return Ok(Tri::False),
                        _ => None,
                    },
                    _ => None,
                };
                let Some(items) = items else {
                    for &pattern in patterns {
                        self.pattern(pattern, &Value::Unknown(Reason::Operand))?;
                    }
                    return Ok(Tri::opaque());
                };
                let fits = match star {
                    None => items.len() == patterns.len(),
                    Some(_) => items.len() + 1 >= patterns.len(),
                };
                if !fits {
                    return Ok(Tri::False);
                }
                let mut all = Tri::True;
                for (i, &pattern) in patterns.iter().enumerate() {
                    let value = match star {
                        Some(star) if i == star => {
                            let after = patterns.len() - star - 1;
                            self.new_list(items[star..items.len() - after].to_vec())
                        }
                        Some(star) if i > star => items[items.len() - (patterns.len() - i)].clone(),
                        _ => items[i].clone(),
                    };
                    match self.pattern(pattern, &value)? {
                        Tri::True => {}
                        Tri::False => return Ok(Tri::False),
                        Tri::Open(_) => all = Tri::opaque(),
                    }
                }
                Ok(all)
            }
            PatternKind::Star(name) => {
                if let Some(name) = name {
                    let value = if subject.is_unknown() {
                        let seq = self.open_seq(Value::Unknown(Reason::Operand));
                        self.new_object(Object::List(seq))
                    } else {
                        subject.clone()
                    };
                    self.bind(name.name, value);
                }
                Ok(Tri::True)
            }
            PatternKind::Mapping { keys, patterns, rest } => {
                for &key in &code.tree[keys] {
                    self.expr(key)?;
                }
                for &pattern in &code.tree[patterns] {
                    self.pattern(pattern, &Value::Unknown(Reason::Operand))?;
                }
                if let Some(rest) = rest {
                    self.bind(rest.name, Value::Unknown(Reason::Operand));
                }
                Ok(if subject.is_scalar_constant() { Tri::False } else { Tri::opaque() })
            }
            PatternKind::Class { class, positional, keywords } => {
                let class = self.expr(class)?;
                let mut outcome = self.is_instance(subject, &class);
                if outcome == Tri::False {
                    return Ok(Tri::False);
                }
                let whole = class.addr().and_then(|addr| self.class_kind(addr)).is_some();
                for &pattern in &code.tree[positional] {
                    let part = if whole { subject.clone() } else { Value::Unknown(Reason::Operand) };
                    if self.pattern(pattern, &part)? != Tri::True {
                        outcome = Tri::opaque();
                    }
                }
                for keyword in &code.tree[keywords] {
                    let (value, _) = self.capture(|interp| interp.attribute(subject, code.name_of(keyword.name.name)));
                    let value = value.unwrap_or(Value::Unknown(Reason::Operand));
                    if self.pattern(keyword.pattern, &value)? != Tri::True {
                        outcome = Tri::opaque();
                    }
                }
                if !code.tree[positional].is_empty() && !whole {
                    outcome = Tri::opaque();
                }
                Ok(outcome)
            }
        }
    }
}
