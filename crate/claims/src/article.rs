//! The numbers in the article's text: claims with their ids, and digits that are no claim.

/// A number of the text, with the id of its claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marked {
    pub id: String,
    pub text: String,
}

/// The numbers of an HTML text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    pub marked: Vec<Marked>,
    /// Pieces of prose with a digit, neither in a `<data data-claim>` nor in an element with `data-plain`.
    pub unmarked: Vec<String>,
}

/// Finds the numbers in the body of an HTML text. Comments, and the elements script and style, are no prose.
pub fn numbers(html: &str) -> Numbers {
    let mut numbers = Numbers::default();
    let body = html.split_once("<body").map_or(html, |(_, body)| body);
    let mut rest = body.split_once('>').map_or("", |(_, body)| body);
    while let Some((prose, tag)) = rest.split_once('<') {
        numbers.add_prose(prose);
        if let Some(comment) = tag.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, rest)| rest);
            continue;
        }
        let Some((tag, after)) = tag.split_once('>') else {
            return numbers;
        };
        rest = after;
        let name = tag.split(char::is_whitespace).next().unwrap_or_default();
        let id = attribute(tag, "data-claim");
        let is_passed_over = tag.contains("data-plain") || ["script", "style"].contains(&name);
        if id.is_some() || is_passed_over {
            let end = format!("</{name}");
            let (inside, after) = after.split_once(&end).unwrap_or((after, ""));
            rest = after.split_once('>').map_or("", |(_, rest)| rest);
            numbers.marked.extend(id.map(|id| Marked {
                id: id.to_string(),
                text: inside.trim().to_string(),
            }));
        }
    }
    numbers.add_prose(rest);
    numbers
}

impl Numbers {
    fn add_prose(&mut self, prose: &str) {
        if prose.contains(|letter: char| letter.is_ascii_digit()) {
            self.unmarked.push(prose.trim().to_string());
        }
    }
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, value) = tag.split_once(&format!("{name}=\""))?;
    value.split('"').next()
}

/// Number of decimals in a number's text.
pub fn decimals(text: &str) -> usize {
    text.split_once('.')
        .map_or(0, |(_, decimals)| decimals.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_numbers_have_their_text_and_other_digits_are_found() {
        let html = "<html><head><title>7</title></head><body class=\"a1\"><!-- 8 --><p id=\"p9\">In \
            <span data-plain>60</span> frames <data data-claim=\"rate-10\">2,895.5</data> kbit/s, and 42 \
            more</p><script>let x = 1;</script></body></html>";
        let found = numbers(html);
        let (id, text) = ("rate-10".to_string(), "2,895.5".to_string());
        assert_eq!(found.marked, [Marked { id, text }]);
        assert_eq!(found.unmarked, ["kbit/s, and 42 more"]);
        assert_eq!(["7", "0.98", "2,895"].map(decimals), [0, 2, 0]);
    }
}
