//! Types of TypeScript, read from text.

/// A type of TypeScript, as far as the declarations use the language.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    Number,
    String,
    Boolean,
    Null,
    Undefined,
    Unknown,
    Literal(String),
    Array(Box<Type>),
    Record(Box<Type>),
    Union(Vec<Type>),
    Object(Vec<Field>),
    /// A declared type, with the types for its parameters.
    Named(String, Vec<Type>),
}

impl Type {
    /// The type with another one in place of a parameter.
    pub(super) fn with(&self, parameter: &str, argument: &Type) -> Type {
        let inner = |of: &Type| of.with(parameter, argument);
        match self {
            Type::Named(name, _) if name == parameter => argument.clone(),
            Type::Named(name, arguments) => {
                Type::Named(name.clone(), arguments.iter().map(inner).collect())
            }
            Type::Array(of) => Type::Array(Box::new(inner(of))),
            Type::Record(of) => Type::Record(Box::new(inner(of))),
            Type::Union(of) => Type::Union(of.iter().map(inner).collect()),
            Type::Object(fields) => {
                let field = |field: &Field| Field {
                    of: inner(&field.of),
                    ..field.clone()
                };
                Type::Object(fields.iter().map(field).collect())
            }
            _ => self.clone(),
        }
    }
}

/// A field of an object, or the type of all fields without one of their own.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    /// None for all others.
    pub(super) name: Option<String>,
    pub(super) optional: bool,
    pub(super) of: Type,
}

/// Reads a text piece by piece.
pub(super) struct Reader<'t> {
    text: &'t str,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Reader<'t> {
        Reader { text }
    }

    /// The text that is still to be read, without comments before it.
    pub(super) fn rest(&mut self) -> &'t str {
        loop {
            self.text = self.text.trim_start();
            match self.text.strip_prefix("/*") {
                Some(comment) => self.text = comment.split_once("*/").unwrap().1,
                None => return self.text,
            }
        }
    }

    pub(super) fn takes(&mut self, piece: &str) -> bool {
        let rest = self.rest().strip_prefix(piece);
        let is_word = piece.chars().all(char::is_alphanumeric);
        let rest = rest.filter(|rest| !(is_word && rest.starts_with(is_of_a_word)));
        self.text = rest.unwrap_or(self.text);
        rest.is_some()
    }

    pub(super) fn expect(&mut self, piece: &str) {
        assert!(
            self.takes(piece),
            "{piece} is missing before {:?}",
            self.text
        );
    }

    pub(super) fn word(&mut self) -> String {
        let rest = self.rest();
        let end = rest.find(|c| !is_of_a_word(c)).unwrap_or(rest.len());
        assert!(end > 0, "a name is missing before {rest:?}");
        self.text = &rest[end..];
        rest[..end].to_string()
    }

    pub(super) fn of_type(&mut self) -> Type {
        self.takes("|");
        let mut alternatives = vec![self.alternative()];
        while self.takes("|") {
            alternatives.push(self.alternative());
        }
        match alternatives.len() {
            1 => alternatives.remove(0),
            _ => Type::Union(alternatives),
        }
    }

    fn alternative(&mut self) -> Type {
        let mut of = self.simple();
        while self.takes("[]") {
            of = Type::Array(Box::new(of));
        }
        of
    }

    fn simple(&mut self) -> Type {
        if self.takes("{") {
            return self.object();
        }
        if self.takes("\"") {
            let (text, rest) = self.text.split_once('"').unwrap();
            self.text = rest;
            return Type::Literal(text.to_string());
        }
        match self.word().as_str() {
            "number" => Type::Number,
            "string" => Type::String,
            "boolean" => Type::Boolean,
            "null" => Type::Null,
            "undefined" => Type::Undefined,
            "unknown" => Type::Unknown,
            "Record" => {
                self.expect("<");
                self.expect("string");
                self.expect(",");
                let of = self.of_type();
                self.expect(">");
                Type::Record(Box::new(of))
            }
            name => {
                let mut arguments = Vec::new();
                if self.takes("<") {
                    arguments.push(self.of_type());
                    self.expect(">");
                }
                Type::Named(name.to_string(), arguments)
            }
        }
    }

    fn object(&mut self) -> Type {
        let mut fields = Vec::new();
        while !self.takes("}") {
            let name = if self.takes("[") {
                self.word();
                self.expect(":");
                self.expect("string");
                self.expect("]");
                None
            } else {
                Some(self.word())
            };
            let optional = self.takes("?");
            self.expect(":");
            let of = self.of_type();
            fields.push(Field { name, optional, of });
            self.takes(";");
        }
        Type::Object(fields)
    }
}

fn is_of_a_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
