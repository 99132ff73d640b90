//! What each module refers to: `use` declarations, paths, and calls of methods whose receiver's type can be read off.
//!
//! A receiver's type is known if it is `self`, a parameter or variable with a written type, a field, or the result of
//! a method of the crate. A variable of unknown type counts as the interpreter if only the interpreter has the method.

use std::collections::HashMap;

use syn::spanned::Spanned;
use syn::visit::Visit;

use super::definitions::{CrateDefinitions, type_name, use_paths};
use crate::rust_sources::{RustFile, is_test_only};

/// One place where a module refers to what another one defines.
#[derive(Clone)]
pub(super) struct Reference {
    pub from: String,
    pub to: String,
    /// `Type::method`, or the name of an item.
    pub name: String,
    pub line: usize,
}

/// Method names that the standard library has too: a variable of unknown type that has one is no interpreter.
const COMMON_METHODS: &[&str] = &[
    "all", "any", "as_ref", "clone", "contains", "count", "extend", "find", "first", "get", "insert", "is_empty",
    "iter", "join", "last", "len", "map", "next", "pop", "push", "remove", "replace", "skip", "take", "write",
];

/// The references of one file to other modules of its crate.
pub(super) fn find_references(
    file: &RustFile,
    definitions: &CrateDefinitions,
    interpreters: &[String],
) -> Vec<Reference> {
    let mut finder = ReferenceFinder {
        module: &file.module,
        definitions,
        interpreters,
        owner: None,
        variables: vec![HashMap::new()],
        found: Vec::new(),
    };
    finder.visit_file(&file.syntax);
    finder.found
}

struct ReferenceFinder<'a> {
    module: &'a str,
    definitions: &'a CrateDefinitions,
    interpreters: &'a [String],
    /// The type whose `impl` is being visited.
    owner: Option<String>,
    variables: Vec<HashMap<String, Option<String>>>,
    found: Vec<Reference>,
}

impl ReferenceFinder<'_> {
    fn add(&mut self, to: &str, name: String, line: usize) {
        if to != self.module {
            self.found.push(Reference { from: self.module.to_owned(), to: to.to_owned(), name, line });
        }
    }

    fn add_path(&mut self, path: &[String], line: usize) {
        if path.len() > 1
            && let Some((module, name)) = self.definitions.resolve(self.module, path)
            && !module.is_empty()
        {
            self.add(&module, name, line);
        }
    }

    fn add_method(&mut self, owner: &str, name: &str, line: usize) {
        if let Some(method) = self.definitions.method(owner, name) {
            let module = method.module.clone();
            self.add(&module, format!("{owner}::{name}"), line);
        }
    }

    fn bind(&mut self, pattern: &syn::Pat, ty: Option<String>) {
        match pattern {
            syn::Pat::Ident(name) => {
                if let Some(scope) = self.variables.last_mut() {
                    scope.insert(name.ident.to_string(), ty);
                }
            }
            syn::Pat::Type(typed) => {
                let ty = type_name(&typed.ty).map(|name| self.own_name(name));
                self.bind(&typed.pat, ty);
            }
            _ => {}
        }
    }

    fn own_name(&self, name: String) -> String {
        match &self.owner {
            Some(owner) if name == "Self" => owner.clone(),
            _ => name,
        }
    }

    fn type_of(&self, expression: &syn::Expr) -> Option<String> {
        match expression {
            syn::Expr::Path(path) => {
                let name = path.path.get_ident()?.to_string();
                if name == "self" {
                    return self.owner.clone();
                }
                self.variables.iter().rev().find_map(|scope| scope.get(&name)).cloned().flatten()
            }
            syn::Expr::Reference(inner) => self.type_of(&inner.expr),
            syn::Expr::Paren(inner) => self.type_of(&inner.expr),
            syn::Expr::Try(inner) => self.type_of(&inner.expr),
            syn::Expr::Unary(inner) => self.type_of(&inner.expr),
            syn::Expr::Field(field) => {
                let owner = self.type_of(&field.base)?;
                let name = match &field.member {
                    syn::Member::Named(name) => name.to_string(),
                    syn::Member::Unnamed(index) => index.index.to_string(),
                };
                self.definitions.field(&owner, &name).map(str::to_owned)
            }
            syn::Expr::MethodCall(call) => {
                let owner = self.type_of(&call.receiver)?;
                self.definitions.method(&owner, &call.method.to_string())?.returns.clone()
            }
            syn::Expr::Struct(made) => made.path.segments.last().map(|name| self.own_name(name.ident.to_string())),
            syn::Expr::Call(call) => {
                let syn::Expr::Path(path) = &*call.func else { return None };
                let segments: Vec<String> = path.path.segments.iter().map(|part| part.ident.to_string()).collect();
                let [.., owner, method] = &segments[..] else { return None };
                let owner = self.own_name(owner.clone());
                self.definitions.method(&owner, method)?.returns.clone()
            }
            _ => None,
        }
    }

    /// Whether a receiver is a variable of unknown type.
    fn is_untyped_variable(&self, expression: &syn::Expr) -> bool {
        matches!(expression, syn::Expr::Path(path) if path.path.get_ident().is_some_and(|name| name != "self"))
            && self.type_of(expression).is_none()
    }

    fn in_scope(&mut self, visit: impl FnOnce(&mut Self)) {
        self.variables.push(HashMap::new());
        visit(self);
        self.variables.pop();
    }
}

impl<'ast> Visit<'ast> for ReferenceFinder<'_> {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test_only(&item.attrs) {
            syn::visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        // What a module passes on of its own children is no dependency: the children's users depend on them.
        let passes_on = !matches!(item.vis, syn::Visibility::Inherited);
        let line = item.span().start().line;
        for (_, path) in use_paths(&item.tree) {
            let path = if path.last().is_some_and(|name| name == "*") { &path[..path.len() - 1] } else { &path[..] };
            if !passes_on {
                self.add_path(path, line);
            }
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if is_test_only(&item.attrs) {
            return;
        }
        let outer = std::mem::replace(&mut self.owner, type_name(&item.self_ty));
        syn::visit::visit_item_impl(self, item);
        self.owner = outer;
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_test_only(&item.attrs) {
            self.in_scope(|finder| syn::visit::visit_item_fn(finder, item));
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.in_scope(|finder| syn::visit::visit_impl_item_fn(finder, item));
    }

    fn visit_fn_arg(&mut self, argument: &'ast syn::FnArg) {
        if let syn::FnArg::Typed(typed) = argument {
            let ty = type_name(&typed.ty).map(|name| self.own_name(name));
            self.bind(&typed.pat, ty);
        }
        syn::visit::visit_fn_arg(self, argument);
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.in_scope(|finder| {
            for input in &closure.inputs {
                finder.bind(input, None);
            }
            syn::visit::visit_expr_closure(finder, closure);
        });
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.in_scope(|finder| syn::visit::visit_block(finder, block));
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        syn::visit::visit_local(self, local);
        let ty = local.init.as_ref().and_then(|init| self.type_of(&init.expr));
        self.bind(&local.pat, ty);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let name = call.method.to_string();
        let line = call.method.span().start().line;
        if let Some(owner) = self.type_of(&call.receiver).filter(|owner| self.definitions.is_type(owner)) {
            self.add_method(&owner, &name, line);
        } else if self.is_untyped_variable(&call.receiver)
            && !COMMON_METHODS.contains(&&*name)
            && let Some(owner) = self.definitions.only_owner(&name)
            && self.interpreters.iter().any(|interpreter| interpreter == owner)
        {
            let owner = owner.to_owned();
            self.add_method(&owner, &name, line);
        }
        syn::visit::visit_expr_method_call(self, call);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<String> = path.segments.iter().map(|part| part.ident.to_string()).collect();
        let line = path.span().start().line;
        if let [.., owner, name] = &segments[..] {
            let owner = self.own_name(owner.clone());
            if self.definitions.is_type(&owner) {
                self.add_method(&owner, name, line);
            }
        }
        self.add_path(&segments, line);
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, found: &'ast syn::Macro) {
        use syn::parse::Parser;
        let parser = syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        if let Ok(arguments) = parser.parse2(found.tokens.clone()) {
            for argument in &arguments {
                self.visit_expr(argument);
            }
        } else if found.path.is_ident("matches") {
            // `matches!(expression, pattern)`: the expression ends at the first comma outside brackets.
            let tokens = found.tokens.clone().into_iter();
            let first = tokens
                .take_while(|token| !matches!(token, proc_macro2::TokenTree::Punct(mark) if mark.as_char() == ','));
            if let Ok(expression) = syn::parse2::<syn::Expr>(first.collect()) {
                self.visit_expr(&expression);
            }
        }
    }
}
