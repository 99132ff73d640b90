//! `match`: each pattern is decided, refused or left open, and binds its captures.

use pytrope_source::tree::{Case, ExprId, List, PatternId, PatternKind};

use crate::cond::Cond;
use crate::interp::{Flow, Interp, Unreachable};
use crate::object::Object;
use crate::state::State;
use crate::value::{Reason, Seq, Value};
use pytrope_dims::ThreeValued;

impl Interp<'_> {
    pub(super) fn match_statement(&mut self, subject: ExprId, cases: List<Case>) -> Flow<()> {
        let code = self.current_code();
        let place = subject;
        let mut subject = self.eval_expr(place)?;
        let mut result: Option<State> = None;
        let mut falls_through = true;
        for case in &code.tree[cases] {
            self.consume_step()?;
            let before = self.run.state.clone();
            let mut outcome = match self.match_pattern(case.pattern, &subject) {
                Ok(outcome) => outcome,
                Err(Unreachable) => {
                    self.run.state = before.clone();
                    ThreeValued::opaque()
                }
            };
            if outcome == ThreeValued::False {
                self.run.state = before;
                continue;
            }
            // What is known where this case is not taken: a pattern that matched has bound its names, whatever the guard says.
            let mut refused = if outcome == ThreeValued::True { None } else { Some(before.clone()) };
            if let Some(guard) = case.guard {
                let guarded = self.eval_condition(guard);
                let here = self.run.state.clone();
                match guarded {
                    Ok(ThreeValued::False) => {
                        self.run.state = self.join_into(refused, &here);
                        continue;
                    }
                    Ok(ThreeValued::Open(cond)) => {
                        if self.assume_condition(&cond.negated()) && self.refine_by_condition(guard, false) {
                            let failed = self.run.state.clone();
                            refused = Some(self.join_into(refused, &failed));
                        }
                        self.run.state = here;
                        self.assume_condition(&cond);
                        self.refine_by_condition(guard, true);
                        outcome = ThreeValued::opaque();
                    }
                    Ok(ThreeValued::True) => {}
                    Err(Unreachable) => match refused {
                        Some(state) => {
                            self.run.state = state;
                            continue;
                        }
                        None => {
                            falls_through = false;
                            break;
                        }
                    },
                }
            }
            let flow = if outcome == ThreeValued::True {
                self.exec_block(case.body)
            } else {
                self.run_branch(|interp| interp.exec_block(case.body))
            };
            if flow.is_ok() {
                let here = self.run.state.clone();
                result = Some(self.join_into(result, &here));
            }
            if outcome == ThreeValued::True {
                falls_through = false;
                break;
            }
            self.run.state = refused.unwrap_or(before);
            let refuses_none =
                case.guard.is_none() && matches!(code.tree[case.pattern].kind, PatternKind::Singleton(None));
            if refuses_none && let Value::Unknown(reason) = subject {
                subject = Value::UnknownNotNone(reason);
                self.exclude_none(place, true);
            }
        }
        if falls_through {
            let here = self.run.state.clone();
            result = Some(self.join_into(result, &here));
        }
        match result {
            Some(state) => {
                self.run.state = state;
                Ok(())
            }
            None => Err(Unreachable),
        }
    }

    /// Matches and binds; captures of a pattern that fails do no harm, since they count as bound only if it matches.
    fn match_pattern(&mut self, pattern: PatternId, subject: &Value) -> Flow<ThreeValued<Cond>> {
        let code = self.current_code();
        match code.tree[pattern].kind {
            PatternKind::Value(expr) => {
                let value = self.eval_expr(expr)?;
                Ok(self.equal_quietly(subject, &value))
            }
            PatternKind::Singleton(singleton) => {
                let value = singleton.map_or(Value::None, Value::Bool);
                Ok(self.is_same(subject, &value))
            }
            PatternKind::As { pattern, name } => {
                let outcome = match pattern {
                    Some(pattern) => self.match_pattern(pattern, subject)?,
                    None => ThreeValued::True,
                };
                if let Some(name) = name {
                    self.bind_name(name.name, subject.clone());
                }
                Ok(outcome)
            }
            PatternKind::Or(patterns) => {
                let mut any = ThreeValued::False;
                for &pattern in &code.tree[patterns] {
                    match self.match_pattern(pattern, subject)? {
                        ThreeValued::True => {
                            return Ok(if any == ThreeValued::False {
                                ThreeValued::True
                            } else {
                                ThreeValued::opaque()
                            });
                        }
                        ThreeValued::False => {}
                        ThreeValued::Open(_) => any = ThreeValued::opaque(),
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
                        return Ok(ThreeValued::False);
                    }
                    Value::Obj(addr) => match self.object_at(*addr) {
                        Object::List(Seq::Exact(items)) => Some(items.to_vec()),
                        Object::Dict(_) | Object::Set(_) | Object::FrozenSet(_) => return Ok(ThreeValued::False),
                        _ => None,
                    },
                    _ => None,
                };
                let Some(items) = items else {
                    for &pattern in patterns {
                        self.match_pattern(pattern, &Value::Unknown(Reason::Operand))?;
                    }
                    return Ok(ThreeValued::opaque());
                };
                let fits = match star {
                    None => items.len() == patterns.len(),
                    Some(_) => items.len() + 1 >= patterns.len(),
                };
                if !fits {
                    return Ok(ThreeValued::False);
                }
                let mut all = ThreeValued::True;
                for (i, &pattern) in patterns.iter().enumerate() {
                    let value = match star {
                        Some(star) if i == star => {
                            let after = patterns.len() - star - 1;
                            self.new_list(items[star..items.len() - after].to_vec())
                        }
                        Some(star) if i > star => items[items.len() - (patterns.len() - i)].clone(),
                        _ => items[i].clone(),
                    };
                    match self.match_pattern(pattern, &value)? {
                        ThreeValued::True => {}
                        ThreeValued::False => return Ok(ThreeValued::False),
                        ThreeValued::Open(_) => all = ThreeValued::opaque(),
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
                    self.bind_name(name.name, value);
                }
                Ok(ThreeValued::True)
            }
            PatternKind::Mapping { keys, patterns, rest } => {
                for &key in &code.tree[keys] {
                    self.eval_expr(key)?;
                }
                for &pattern in &code.tree[patterns] {
                    self.match_pattern(pattern, &Value::Unknown(Reason::Operand))?;
                }
                if let Some(rest) = rest {
                    self.bind_name(rest.name, Value::Unknown(Reason::Operand));
                }
                Ok(if subject.is_scalar_constant() { ThreeValued::False } else { ThreeValued::opaque() })
            }
            PatternKind::Class { class, positional, keywords } => {
                let class = self.eval_expr(class)?;
                let mut outcome = self.is_instance(subject, &class);
                if outcome == ThreeValued::False {
                    return Ok(ThreeValued::False);
                }
                let whole = class.addr().and_then(|addr| self.class_kind(addr)).is_some();
                for &pattern in &code.tree[positional] {
                    let part = if whole { subject.clone() } else { Value::Unknown(Reason::Operand) };
                    if self.match_pattern(pattern, &part)? != ThreeValued::True {
                        outcome = ThreeValued::opaque();
                    }
                }
                for keyword in &code.tree[keywords] {
                    let (value, _) =
                        self.capture_raises(|interp| interp.read_attribute(subject, code.name_of(keyword.name.name)));
                    let value = value.unwrap_or(Value::Unknown(Reason::Operand));
                    if self.match_pattern(keyword.pattern, &value)? != ThreeValued::True {
                        outcome = ThreeValued::opaque();
                    }
                }
                if !code.tree[positional].is_empty() && !whole {
                    outcome = ThreeValued::opaque();
                }
                Ok(outcome)
            }
        }
    }
}
