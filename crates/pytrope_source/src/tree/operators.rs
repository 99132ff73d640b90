//! Python's operators, their symbols and the special methods behind them.

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOperator {
    Add,
    Sub,
    Mult,
    MatMult,
    Div,
    Mod,
    Pow,
    LShift,
    RShift,
    BitOr,
    BitXor,
    BitAnd,
    FloorDiv,
}

impl BinaryOperator {
    pub const ALL: [Self; 13] = [
        Self::Add,
        Self::Sub,
        Self::Mult,
        Self::MatMult,
        Self::Div,
        Self::Mod,
        Self::Pow,
        Self::LShift,
        Self::RShift,
        Self::BitOr,
        Self::BitXor,
        Self::BitAnd,
        Self::FloorDiv,
    ];

    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mult => "*",
            Self::MatMult => "@",
            Self::Div => "/",
            Self::Mod => "%",
            Self::Pow => "**",
            Self::LShift => "<<",
            Self::RShift => ">>",
            Self::BitOr => "|",
            Self::BitXor => "^",
            Self::BitAnd => "&",
            Self::FloorDiv => "//",
        }
    }

    /// The special method that implements the operator, without its underscores (`add`, `matmul`); `r` and `i` forms are made from it.
    pub const fn method(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Sub => "sub",
            Self::Mult => "mul",
            Self::MatMult => "matmul",
            Self::Div => "truediv",
            Self::Mod => "mod",
            Self::Pow => "pow",
            Self::LShift => "lshift",
            Self::RShift => "rshift",
            Self::BitOr => "or",
            Self::BitXor => "xor",
            Self::BitAnd => "and",
            Self::FloorDiv => "floordiv",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOperator {
    Invert,
    Not,
    Plus,
    Minus,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BoolOperator {
    And,
    Or,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    Eq,
    NotEq,
    Lt,
    LtE,
    Gt,
    GtE,
    Is,
    IsNot,
    In,
    NotIn,
}

impl Comparison {
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Eq => "==",
            Self::NotEq => "!=",
            Self::Lt => "<",
            Self::LtE => "<=",
            Self::Gt => ">",
            Self::GtE => ">=",
            Self::Is => "is",
            Self::IsNot => "is not",
            Self::In => "in",
            Self::NotIn => "not in",
        }
    }
}
