//! Types as one role's program writes them: `At[T, R]` is `T`, a choreography is its projection.

use pytrope_source::tree::{ExprId, ExprKind, StmtKind};

use crate::declaration::{ChoreographicClass, ClassId, Meaning, Surface, Unit, World};
use crate::role::RoleId;
use crate::surface;

/// Writes the types of one class for one of its roles.
pub(crate) struct TypeText<'a> {
    pub world: &'a World,
    pub class: &'a ChoreographicClass,
    pub role: RoleId,
}

/// What the parameters of an alias stand for, as text.
type AliasArguments = Vec<(String, String)>;

impl TypeText<'_> {
    /// `None` where the role has nothing to say, as for a channel.
    pub fn project_type(&self, unit: &Unit, expr: ExprId, given: &AliasArguments) -> Option<String> {
        let tree = &unit.tree;
        match tree[expr].kind {
            ExprKind::Subscript { value, index, .. } => self.project_subscript(unit, value, index, given),
            ExprKind::Name { .. } | ExprKind::Attribute { .. } => {
                if let Some(Meaning::Alias { .. }) = unit.binding(expr) {
                    return self.project_alias(unit, expr, &[], given);
                }
                if let Some((_, text)) = given.iter().find(|(name, _)| name == unit.expr_text(expr)) {
                    return Some(text.clone());
                }
                match self.named_choreography(unit, expr) {
                    Some(class) => self.projected_class(unit, class, None, given),
                    None => Some(unit.expr_text(expr).to_owned()),
                }
            }
            ExprKind::BinOp { left, right, .. } => {
                let (left, right) = (self.project_type(unit, left, given)?, self.project_type(unit, right, given)?);
                Some(format!("{left} | {right}"))
            }
            ExprKind::Str(text) => {
                let text = tree.text(text);
                let mentions = ["At[", "Channel["].iter().any(|word| text.contains(word));
                (!mentions).then(|| unit.expr_text(expr).to_owned())
            }
            _ => Some(unit.expr_text(expr).to_owned()),
        }
    }

    fn project_subscript(&self, unit: &Unit, value: ExprId, index: ExprId, given: &AliasArguments) -> Option<String> {
        let arguments = surface::subscript_elements(unit, index);
        match surface::surface_of_expr(unit, value) {
            Some(Surface::At) => return self.project_type(unit, *arguments.first()?, given),
            Some(_) => return None,
            None => {}
        }
        if let Some(Meaning::Alias { .. }) = unit.binding(value) {
            return self.project_alias(unit, value, &arguments, given);
        }
        if let Some(class) = self.named_choreography(unit, value) {
            return self.projected_class(unit, class, Some(&arguments), given);
        }
        let head = unit.expr_text(value);
        if let (true, &[parameters, returns]) = (head.ends_with("Callable"), arguments.as_slice())
            && let ExprKind::List { elements, .. } = unit.tree[parameters].kind
        {
            // A role calls its part of a function with its own arguments.
            let own = unit.tree[elements].iter().filter(|&&part| !self.is_elsewhere(unit, part, given));
            let parameters: Vec<String> = own.map(|&part| self.part_text(unit, part, given)).collect();
            let elsewhere = self.is_elsewhere(unit, returns, given);
            let returns = if elsewhere { "None".to_owned() } else { self.part_text(unit, returns, given) };
            return Some(format!("{head}[[{}], {returns}]", parameters.join(", ")));
        }
        let parts: Vec<String> = arguments
            .into_iter()
            .map(|part| {
                if self.is_elsewhere(unit, part, given) {
                    "object".to_owned()
                } else {
                    self.part_text(unit, part, given)
                }
            })
            .collect();
        Some(format!("{head}[{}]", parts.join(", ")))
    }

    fn part_text(&self, unit: &Unit, part: ExprId, given: &AliasArguments) -> String {
        self.project_type(unit, part, given).unwrap_or_else(|| "object".to_owned())
    }

    fn project_alias(&self, unit: &Unit, name: ExprId, arguments: &[ExprId], given: &AliasArguments) -> Option<String> {
        let Some(Meaning::Alias { unit: declared, stmt }) = unit.binding(name) else {
            return None;
        };
        let declared = self.world.unit(*declared);
        let tree = &declared.tree;
        let (value, names) = match tree[*stmt].kind {
            StmtKind::TypeAlias { value, type_params, .. } => {
                let names = tree[type_params].iter().map(|parameter| tree.text(parameter.name.name).to_owned());
                (value, names.collect())
            }
            StmtKind::Assign { value, .. } | StmtKind::AnnAssign { value: Some(value), .. } => (value, Vec::new()),
            _ => return None,
        };
        let texts = arguments.iter().map(|&argument| {
            let role = role_text(unit, argument, given);
            if self.class.role_by_name(&role).is_some() {
                role
            } else {
                self.project_type(unit, argument, given).unwrap_or(role)
            }
        });
        self.project_type(declared, value, &names.into_iter().zip(texts).collect())
    }

    fn is_elsewhere(&self, unit: &Unit, part: ExprId, given: &AliasArguments) -> bool {
        let ExprKind::Subscript { value, index, .. } = unit.tree[part].kind else {
            return false;
        };
        if surface::surface_of_expr(unit, value) != Some(Surface::At) {
            return false;
        }
        let own = &self.class.roles[self.role.index()];
        let arguments = surface::subscript_elements(unit, index);
        let Some(&roles) = arguments.get(1) else { return false };
        let text = role_text(unit, roles, given);
        !text.split('|').any(|name| name.trim().rsplit('.').next() == Some(own))
    }

    fn named_choreography(&self, unit: &Unit, expr: ExprId) -> Option<ClassId> {
        if unit.tree.as_name(expr).is_some_and(|name| unit.tree.text(name) == "Self") {
            return Some(self.class.id);
        }
        match unit.binding(expr)? {
            Meaning::Choreography(class) => Some(*class),
            _ => None,
        }
    }

    fn projected_class(
        &self,
        unit: &Unit,
        class: ClassId,
        arguments: Option<&[ExprId]>,
        given: &AliasArguments,
    ) -> Option<String> {
        let declared = self.world.class(class);
        let own = &self.class.roles[self.role.index()];
        let position = match arguments {
            None => declared.roles.iter().position(|role| role == own)?,
            Some(arguments) => {
                let names: Vec<String> = match &declared.role_positions {
                    Some(positions) => positions
                        .iter()
                        .filter_map(|&at| arguments.get(at))
                        .map(|&role| role_text(unit, role, given))
                        .collect(),
                    None => arguments.iter().map(|&role| role_text(unit, role, given)).collect(),
                };
                names.iter().position(|name| name == own)?
            }
        };
        // Annotations are not evaluated, so the class need not be there for them.
        Some(declared.projected_name(RoleId(position as u8)))
    }
}

/// A role as the class calls it.
fn role_text(unit: &Unit, expr: ExprId, given: &AliasArguments) -> String {
    let name = unit.role_name(expr);
    given.iter().find(|(parameter, _)| parameter == name).map_or_else(|| name.to_owned(), |(_, text)| text.clone())
}
