//! Attributes that no release of a library gives to its modules and classes, and no code of the program either.
//!
//! Tables of all releases say what the library has (`ModuleLoader::lacks_listed_name`). A class of the program that derives from a listed one
//! adds what its body and the stores of the whole program say; whatever may put names there unseen keeps the attribute open.
//!
//! A release newer than the tables may have added a name. So a name is reported only where it is near one that is there (`Linar`): that a
//! library adds a name and that it is taken for a misspelling of another do not come together. The same holds of names of tensors that a
//! layer is asked for (`nn.ReLU(x).sum()`).

use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::object::{Class, Instance, Object};
use crate::value::{Addr, BuiltinType, Value};

impl Interp<'_> {
    /// Whether a module of a library certainly lacks a name: no release has it, and no code of the program puts it there.
    pub(crate) fn lacks_listed_global(&self, dotted: &str, name: Name) -> bool {
        !self.in_model()
            && !name.text().starts_with('_')
            && self.analysis.program.provider.lacks_listed_name(dotted, name.text())
            && self.analysis.program.provider.nearest_name(dotted, name.text()).is_some()
            && !self.may_be_put_there(name)
            && !self.analysis.program.rewrites_modules()
    }

    /// Whether an instance of a listed class, or of one that derives from it, certainly lacks an attribute.
    pub(super) fn lacks_listed_attribute(
        &self,
        receiver: &Value,
        instance: &Instance,
        class: Addr,
        name: Name,
    ) -> bool {
        if self.in_model() || name.is_dunder() || instance.attrs.open {
            return false;
        }
        let Some(addr) = receiver.addr().filter(|addr| !addr.is_summary()) else { return false };
        if let Object::Array(array) = self.object_at(addr)
            // A parameter that is taken for an array may be one of a class that derives from it, and so is what is computed from it.
            && (self.analysis.uncalled_entry || array.born.is_none() || self.has_escaped(addr))
        {
            return false;
        }
        self.lacks_in_listed_mro(class, name)
            && !self.may_be_registered(instance, name)
            && !self.may_be_put_there(name)
            && !self.analysis.program.is_stored_attribute(name)
            && !self.is_written_as_text(class, name)
            && (self.nearest_attribute(instance, class, name).is_some() || self.is_name_of_operand(class, name))
    }

    /// Whether a name that a layer lacks is one of tensors: such a name is no addition of a later release.
    fn is_name_of_operand(&self, class: Addr, name: Name) -> bool {
        let provider = &self.analysis.program.provider;
        self.mro_of(class).iter().filter_map(|base| self.class_at(*base)).any(|base| {
            base.code.as_ref().filter(|_| base.features.is_model).is_some_and(|(code, _)| {
                provider
                    .listed_class(&code.name, &base.name)
                    .is_some_and(|owner| provider.is_name_of_operand(owner, name.text()))
            })
        })
    }

    /// Whether every class of an MRO is listed or read whole, one of them is listed, and none of them has a name.
    fn lacks_in_listed_mro(&self, class: Addr, name: Name) -> bool {
        let provider = &self.analysis.program.provider;
        let mut is_listed = false;
        for addr in self.mro_of(class) {
            let Some(base) = self.class_at(*addr) else { return false };
            match &base.code {
                _ if base.kind == Some(BuiltinType::Object) => {}
                Some((code, _)) if base.features.is_model => match provider.listed_class(&code.name, &base.name) {
                    Some(owner) => {
                        if !provider.lacks_listed_name(owner, name.text())
                            || self.analysis.program.opens_class(&base.name)
                        {
                            return false;
                        }
                        is_listed = true;
                    }
                    // A part of the model alone, below a class whose list holds what it inherits.
                    None if is_listed && base.name.starts_with('_') => {}
                    None => return false,
                },
                _ if base.features.is_model || base.kind.is_some() || !is_read_whole(base) => return false,
                _ => {}
            }
        }
        is_listed
    }

    /// Whether an instance may have registered a name in the tables of its library, under which it is found though it is no attribute here.
    pub(super) fn may_be_registered(&self, instance: &Instance, name: Name) -> bool {
        let tables = self.analysis.program.provider.attribute_tables();
        tables.iter().any(|table| match instance.attrs.get(Name::new(table)).map(|slot| &slot.value) {
            None | Some(Value::None) => false,
            Some(Value::Obj(addr)) => match self.object_at(*addr) {
                Object::Dict(mapping) => {
                    mapping.open.is_some()
                        || mapping.entries.values().any(|entry| entry.key.as_str() == Some(name.text()))
                }
                _ => true,
            },
            Some(_) => true,
        })
    }

    /// Whether some code of the program may give a name to what a library has made.
    fn may_be_put_there(&self, name: Name) -> bool {
        let program = self.analysis.program;
        program.is_stored_from_outside(name)
            || program.is_patched(name)
            || program.is_put_into_namespaces(name)
            || program.opens_builtin_types()
            || self.current_frame().code.file.text().contains(&format!(".{name} ="))
    }

    /// Whether a file that defines the class, or the one that asks, has the name as a text: something may store by it.
    fn is_written_as_text(&self, class: Addr, name: Name) -> bool {
        let quoted = [format!("\"{name}\""), format!("'{name}'")];
        let is_written = |text: &str| quoted.iter().any(|quoted| text.contains(quoted.as_str()));
        is_written(self.current_frame().code.file.text())
            || self.mro_of(class).iter().any(|base| {
                self.class_at(*base)
                    .and_then(|base| base.code.as_ref())
                    .is_some_and(|(code, _)| !code.is_model && is_written(code.file.text()))
            })
    }

    /// Raises for an attribute that an instance of a listed class lacks, and suggests what it has.
    pub(super) fn missing_listed(&mut self, instance: &Instance, class: Addr, name: Name) -> Flow {
        let Some(class_object) = self.class_at(class) else {
            return Ok(Value::Unknown(crate::value::Reason::Lookup(name)));
        };
        let message = format!("'{}' object has no attribute '{name}'", class_object.name);
        let near = self.nearest_attribute(instance, class, name);
        self.raise_missing(message, near)
    }

    /// The attribute that a mistyped name is nearest to: one of the program's own first, then one of the library's.
    fn nearest_attribute(&self, instance: &Instance, class: Addr, name: Name) -> Option<String> {
        let is_own = |held: &Name| !held.text().starts_with("_pytrope") && !held.is_dunder();
        let mut held: Vec<Name> = instance.attrs.iter().map(|(held, _)| held).filter(is_own).collect();
        let mut listed = Vec::new();
        for base in self.mro_of(class).iter().filter_map(|base| self.class_at(*base)) {
            match &base.code {
                Some((code, _)) if base.features.is_model => {
                    listed.extend(self.analysis.program.provider.listed_class(&code.name, &base.name));
                }
                _ => held.extend(base.attrs.iter().map(|(held, _)| held).filter(is_own)),
            }
        }
        let own = pytrope_diagnostics::nearest(name.text(), held.iter().map(|held| held.text()));
        own.or_else(|| {
            listed.into_iter().find_map(|owner| self.analysis.program.provider.nearest_name(owner, name.text()))
        })
        .map(str::to_owned)
    }

    /// An `AttributeError` with the name that may have been meant.
    pub(super) fn raise_missing(&mut self, message: String, near: Option<String>) -> Flow {
        let finding = self.new_finding("missing-attribute", message).raises("AttributeError");
        self.fail_with(match near {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding,
        })
    }

    /// What Python says of the construction of a library's class with arguments that no release takes.
    pub(crate) fn refused_construction(&self, class: &Class, args: &crate::native::CallArgs) -> Option<String> {
        let (code, _) = class.code.as_ref().filter(|_| class.features.is_model)?;
        if self.in_model() || !args.is_exact() {
            return None;
        }
        let program = self.analysis.program;
        let owner = program.provider.listed_class(&code.name, &class.name)?;
        let keywords: Vec<&str> = args.keywords.iter().map(|(keyword, _)| keyword.text()).collect();
        let refusal = program.provider.refused_construction(owner, args.positional.len(), &keywords)?;
        let is_replaced = program.is_stored_from_outside(Name::INIT)
            || self.may_be_put_there(Name::new(&class.name))
            || program.opens_class(&class.name);
        (!is_replaced).then_some(refusal)
    }
}

/// Whether the body of a class of the program, and what the program stores, is all that its instances have.
fn is_read_whole(class: &Class) -> bool {
    !class.open
        && !class.attrs.open
        && !class.features.enumeration
        && class.metaclass.is_none()
        && [Name::GETATTR, Name::GETATTRIBUTE].iter().all(|hook| class.attrs.get(*hook).is_none())
}
