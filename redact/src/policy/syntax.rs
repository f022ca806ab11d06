//! Regular expressions as RE2 reads them, which is how Go and so gitleaks does, written down again for the regex crate.
//!
//! The two differ in small things that matter: a `{` that begins no repetition is a brace, `[` and `&&` in a class are
//! characters, `\<` is a `<`, `\d` is ASCII while `.` is a character of any script. What only one of them has and the other
//! cannot say (look-around, backreferences, the flags `x`, `u` and `R`) is refused.

use std::str::Chars;

use crate::error::PatternReason;

/// What a pattern is matched against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// Lines, one at a time: anchors stand for the edges of a line, whatever the flags say.
    Line,
    /// A text of its own, such as a path or a secret.
    Whole,
}

/// How deep groups may nest.
const DEPTH: usize = 100;

/// Writes `pattern` in the syntax of the regex crate without Unicode classes (`(?-u)`).
pub(crate) fn translate(pattern: &str, subject: Subject) -> Result<String, PatternReason> {
    let mut reader = Reader {
        rest: pattern.chars(),
        out: String::with_capacity(pattern.len() + 16),
        depth: 0,
        before: Before::Nothing,
    };
    reader.subject(subject)?;
    if reader.depth > 0 { Err(PatternReason::Syntax) } else { Ok(reader.out) }
}

/// What stands before a repetition, and so whether it can be repeated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    Item,
    Repetition,
}

struct Reader<'p> {
    rest: Chars<'p>,
    out: String,
    depth: usize,
    before: Before,
}

/// A piece of a class.
enum Piece {
    /// A character, which may begin a range.
    Char(char),
    /// Anything else, as the regex crate writes it, and whether that is more than ASCII.
    Set(String, bool),
}

const SYNTAX: PatternReason = PatternReason::Syntax;

impl Reader<'_> {
    fn subject(&mut self, subject: Subject) -> Result<(), PatternReason> {
        while let Some(c) = self.rest.next() {
            match c {
                '\\' => self.escape(subject)?,
                '[' => self.class()?,
                '(' => self.group(subject)?,
                ')' => {
                    self.depth = self.depth.checked_sub(1).ok_or(SYNTAX)?;
                    self.item(")");
                }
                '|' => {
                    self.out.push('|');
                    self.before = Before::Nothing;
                }
                '*' | '+' | '?' => self.repeat(c.encode_utf8(&mut [0; 4]))?,
                '{' => match self.bounds()? {
                    Some(bounds) => self.repeat(&bounds)?,
                    None => self.item("\\{"),
                },
                '.' => self.item("(?u-i:.)"),
                '^' | '$' => self.item(c.encode_utf8(&mut [0; 4])),
                c => self.literal(c),
            }
        }
        Ok(())
    }

    fn item(&mut self, text: &str) {
        self.out.push_str(text);
        self.before = Before::Item;
    }

    fn literal(&mut self, c: char) {
        let text = if c.is_ascii() { quoted(c) } else { format!("(?u:{c})") };
        self.item(&text);
    }

    fn next_is(&mut self, text: &str) -> bool {
        let found = self.rest.as_str().starts_with(text);
        if found {
            self.rest = self.rest.as_str()[text.len()..].chars();
        }
        found
    }

    fn repeat(&mut self, operator: &str) -> Result<(), PatternReason> {
        if self.before != Before::Item {
            return Err(SYNTAX);
        }
        self.out.push_str(operator);
        if self.next_is("?") {
            self.out.push('?');
        }
        self.before = Before::Repetition;
        Ok(())
    }

    /// What follows a `{`, if that is a repetition.
    fn bounds(&mut self) -> Result<Option<String>, PatternReason> {
        let Some((inside, after)) = self.rest.as_str().split_once('}') else { return Ok(None) };
        let (least, most) = match inside.split_once(',') {
            Some((least, most)) => (least, Some(most)),
            None => (inside, None),
        };
        let is_count = |text: &str| {
            text.bytes().all(|byte| byte.is_ascii_digit())
                && !text.is_empty()
                && (text.len() == 1 || !text.starts_with('0'))
        };
        if !is_count(least) || most.is_some_and(|most| !most.is_empty() && !is_count(most)) {
            return Ok(None);
        }
        let count = |text: &str| text.parse::<u32>().map_err(|_| SYNTAX);
        let low = count(least)?;
        if let Some(most) = most.filter(|most| !most.is_empty())
            && count(most)? < low
        {
            return Err(SYNTAX);
        }
        let bounds = format!("{{{inside}}}");
        self.rest = after.chars();
        Ok(Some(bounds))
    }

    fn group(&mut self, subject: Subject) -> Result<(), PatternReason> {
        self.before = Before::Nothing;
        if !self.next_is("?") {
            return self.open("(");
        }
        if self.next_is("P<")
            || (!self.rest.as_str().starts_with("<=") && !self.rest.as_str().starts_with("<!") && self.next_is("<"))
        {
            let (name, after) = self.rest.as_str().split_once('>').ok_or(SYNTAX)?;
            if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
                return Err(SYNTAX);
            }
            self.rest = after.chars();
            return self.open("(");
        }
        let end = self.rest.as_str().find([':', ')']).ok_or(SYNTAX)?;
        let flags = &self.rest.as_str()[..end];
        let (on, off) = match flags.split_once('-') {
            Some((_, "")) => return Err(SYNTAX),
            Some((on, off)) => (on, off),
            None => (flags, ""),
        };
        if !on.chars().chain(off.chars()).all(|flag| "imsU".contains(flag)) {
            return Err(SYNTAX);
        }
        let kept = |flags: &str| {
            let mut kept = String::new();
            for flag in flags.chars().filter(|flag| *flag != 'm' || subject == Subject::Whole) {
                if !kept.contains(flag) {
                    kept.push(flag);
                }
            }
            kept
        };
        let (on, off) = (kept(on), kept(off));
        if on.chars().any(|flag| off.contains(flag)) {
            return Err(SYNTAX);
        }
        let colon = self.rest.as_str()[end..].starts_with(':');
        if !colon && flags.is_empty() {
            return Err(SYNTAX);
        }
        self.rest = self.rest.as_str()[end + 1..].chars();
        let flags = if off.is_empty() { on } else { format!("{on}-{off}") };
        match (colon, flags.is_empty()) {
            (true, _) => self.open(&format!("(?{flags}:")),
            (false, true) => Ok(()),
            (false, false) => {
                self.out.push_str(&format!("(?{flags})"));
                Ok(())
            }
        }
    }

    fn open(&mut self, text: &str) -> Result<(), PatternReason> {
        self.out.push_str(text);
        self.depth += 1;
        if self.depth > DEPTH { Err(SYNTAX) } else { Ok(()) }
    }

    /// An escape outside of a class.
    fn escape(&mut self, subject: Subject) -> Result<(), PatternReason> {
        let mut ahead = self.rest.clone();
        let c = ahead.next().ok_or(SYNTAX)?;
        let text = match (c, subject) {
            ('A', Subject::Line) => "^",
            ('z', Subject::Line) => "$",
            ('A', Subject::Whole) => "\\A",
            ('z', Subject::Whole) => "\\z",
            ('b', _) => "\\b",
            ('B', _) => "\\B",
            ('Q', _) => {
                self.rest = ahead;
                let rest = self.rest.as_str();
                let (quoted, after) = rest.split_once("\\E").unwrap_or((rest, ""));
                self.rest = after.chars();
                quoted.chars().for_each(|c| self.literal(c));
                return Ok(());
            }
            _ => {
                match self.piece()? {
                    Piece::Char(c) => self.literal(c),
                    Piece::Set(set, false) => self.item(&format!("[{set}]")),
                    Piece::Set(set, true) => {
                        let fold = if set.starts_with('[') { "-i" } else { "" };
                        self.item(&format!("(?u{fold}:[{set}])"));
                    }
                }
                return Ok(());
            }
        };
        self.rest = ahead;
        self.item(text);
        Ok(())
    }

    /// What follows a backslash, in a class or outside.
    fn piece(&mut self) -> Result<Piece, PatternReason> {
        let c = self.rest.next().ok_or(SYNTAX)?;
        let set = |text: &str, more| Ok(Piece::Set(text.to_owned(), more));
        match c {
            'd' => set("0-9", false),
            's' => set("\\t\\n\\x0C\\r ", false),
            'w' => set("0-9A-Za-z_", false),
            'D' => set("[^0-9]", true),
            'S' => set("[^\\t\\n\\x0C\\r ]", true),
            'W' => set("[^0-9A-Za-z_]", true),
            'p' | 'P' => self.property(c == 'P'),
            'x' => self.hexadecimal(),
            'a' => Ok(Piece::Char('\x07')),
            'f' => Ok(Piece::Char('\x0C')),
            'n' => Ok(Piece::Char('\n')),
            'r' => Ok(Piece::Char('\r')),
            't' => Ok(Piece::Char('\t')),
            'v' => Ok(Piece::Char('\x0B')),
            '0'..='7' => {
                let more = self.rest.as_str().bytes().take(2).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
                if c != '0' && more == 0 {
                    return Err(SYNTAX);
                }
                let digits = format!("{c}{}", &self.rest.as_str()[..more]);
                self.rest = self.rest.as_str()[more..].chars();
                character(&digits, 8)
            }
            c if c.is_ascii_punctuation() || c == ' ' || c.is_ascii_control() => Ok(Piece::Char(c)),
            _ => Err(SYNTAX),
        }
    }

    fn property(&mut self, mut negated: bool) -> Result<Piece, PatternReason> {
        let name = if self.next_is("{") {
            negated ^= self.next_is("^");
            let (name, after) = self.rest.as_str().split_once('}').ok_or(SYNTAX)?;
            self.rest = after.chars();
            name.to_owned()
        } else {
            self.rest.next().ok_or(SYNTAX)?.to_string()
        };
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            return Err(SYNTAX);
        }
        Ok(Piece::Set(format!("\\{}{{{name}}}", if negated { 'P' } else { 'p' }), true))
    }

    fn hexadecimal(&mut self) -> Result<Piece, PatternReason> {
        let digits = if self.next_is("{") {
            let (digits, after) = self.rest.as_str().split_once('}').ok_or(SYNTAX)?;
            self.rest = after.chars();
            digits.to_owned()
        } else {
            let digits: String = self.rest.by_ref().take(2).collect();
            if digits.len() == 2 { digits } else { return Err(SYNTAX) }
        };
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(SYNTAX);
        }
        character(&digits, 16)
    }

    fn class(&mut self) -> Result<(), PatternReason> {
        let negated = self.next_is("^");
        let mut more = negated;
        // Whether case can matter; to fold a class for nothing is dear.
        let mut cased = false;
        let mut inside = String::new();
        let mut first = true;
        loop {
            if !first && self.next_is("]") {
                break;
            }
            first = false;
            match self.class_piece()? {
                Piece::Set(set, unicode) => {
                    more |= unicode;
                    cased |= set.starts_with("\\p") || set.starts_with("\\P");
                    inside.push_str(&set);
                }
                Piece::Char(low) => {
                    let mut high = low;
                    let rest = self.rest.as_str();
                    if rest.starts_with('-') && !rest.starts_with("-]") && rest.len() > 1 {
                        self.rest.next();
                        let Piece::Char(c) = self.class_piece()? else { return Err(SYNTAX) };
                        high = c;
                    }
                    if high < low {
                        return Err(SYNTAX);
                    }
                    more |= !high.is_ascii();
                    cased |= high > low || low.is_alphabetic();
                    inside.push_str(&quoted(low));
                    if high > low {
                        inside.push('-');
                        inside.push_str(&quoted(high));
                    }
                }
            }
        }
        let sign = if negated { "^" } else { "" };
        let class = match (more, cased) {
            (false, _) => format!("[{inside}]"),
            (true, true) => format!("(?u:[{sign}{inside}])"),
            (true, false) => format!("(?u-i:[{sign}{inside}])"),
        };
        self.item(&class);
        Ok(())
    }

    fn class_piece(&mut self) -> Result<Piece, PatternReason> {
        if let Some(rest) = self.rest.as_str().strip_prefix("[:")
            && let Some((name, after)) = rest.split_once(":]")
        {
            const NAMES: [&str; 14] = [
                "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
                "upper", "word", "xdigit",
            ];
            let bare = name.strip_prefix('^').unwrap_or(name);
            if !NAMES.contains(&bare) {
                return Err(SYNTAX);
            }
            self.rest = after.chars();
            return Ok(Piece::Set(format!("[:{name}:]"), bare != name));
        }
        match self.rest.next().ok_or(SYNTAX)? {
            '\\' => self.piece(),
            c => Ok(Piece::Char(c)),
        }
    }
}

fn character(digits: &str, radix: u32) -> Result<Piece, PatternReason> {
    u32::from_str_radix(digits, radix).ok().and_then(char::from_u32).map(Piece::Char).ok_or(SYNTAX)
}

/// A character as itself, in a class or outside.
fn quoted(c: char) -> String {
    match c {
        '\\' | '.' | '+' | '*' | '?' | '(' | ')' | '|' | '[' | ']' | '{' | '}' | '^' | '$' | '#' | '&' | '-' | '~' => {
            format!("\\{c}")
        }
        c if c.is_ascii_control() => format!("\\x{:02X}", u32::from(c)),
        c => c.to_string(),
    }
}

#[cfg(test)]
mod tests;
