//! Stage 2: secrets that stand where a command or statement has them, with no key before them.

mod shell;

use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};

use crate::error::Error;
use crate::hit::Hit;
use crate::kind::{self, Kind};
use crate::words::{is_name, is_place, is_stand_in};
use shell::Words;

/// How far a statement is looked at.
const REACH: usize = 512;

/// What a command's flag is followed by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// A password.
    Secret,
    /// A user and a password with a colon between.
    Pair,
    /// A password that stands in the same word, right behind the flag.
    Joined,
    /// `pass:` and a password.
    Pass,
    /// A user and a password with a percent sign between.
    Percent,
}

/// A command, and its flags that take secrets.
struct Command {
    name: &'static str,
    flags: &'static [(&'static str, Takes)],
}

const fn command(name: &'static str, flags: &'static [(&'static str, Takes)]) -> Command {
    Command { name, flags }
}

/// Commands, each with a literal that begins a call of it.
const COMMANDS: &[Command] = &[
    command("mysql", &[("-p", Takes::Joined)]),
    command("mariadb", &[("-p", Takes::Joined)]),
    command(
        "curl ",
        &[
            ("-u", Takes::Pair),
            ("--user", Takes::Pair),
            ("-U", Takes::Pair),
            ("--proxy-user", Takes::Pair),
            ("--oauth2-bearer", Takes::Secret),
            ("--pass", Takes::Secret),
        ],
    ),
    command("http ", &[("-a", Takes::Pair), ("--auth", Takes::Pair)]),
    command("sshpass ", &[("-p", Takes::Secret)]),
    command("login ", &[("-p", Takes::Secret)]),
    command("redis-cli", &[("-a", Takes::Secret), ("--pass", Takes::Secret)]),
    command("mongo", &[("-p", Takes::Secret)]),
    command("ldap", &[("-w", Takes::Secret)]),
    command("sqlcmd", &[("-P", Takes::Secret)]),
    command("plink", &[("-pw", Takes::Secret)]),
    command("pscp", &[("-pw", Takes::Secret)]),
    command("smbclient", &[("-U", Takes::Percent)]),
    command(
        "openssl ",
        &[("-passin", Takes::Pass), ("-passout", Takes::Pass), ("-pass", Takes::Pass), ("-k", Takes::Secret)],
    ),
    command("mosquitto_", &[("-P", Takes::Secret)]),
    command("ipmitool", &[("-P", Takes::Secret)]),
    command("rabbitmqadmin", &[("-p", Takes::Secret)]),
    command("psexec", &[("-p", Takes::Secret)]),
    command("unzip ", &[("-P", Takes::Secret)]),
];

/// The third string of a call: host, user and password.
const CONNECT: &str = r#"[a-z_ .>-]+\(\s*['"][^'"\n]*['"]\s*,\s*['"][^'"\n]*['"]\s*,\s*['"]([^'"\n]+)['"]"#;

/// A literal in lower case, and the pattern that begins with it; groups are what goes.
const STATEMENTS: &[(&str, &str)] = &[
    ("requirepass ", r#"requirepass\s+['"]?([^\s'"]+)"#),
    ("masterauth ", r#"masterauth\s+['"]?([^\s'"]+)"#),
    ("identified ", r#"identified\s+(?:with\s+\S+\s+)?(?:by|as)\s+(?:password\s+)?\\?['"]([^'"\n\\]+)\\?['"]"#),
    ("auth=(", r#"auth=\(\s*['"][^'"\n]*['"]\s*,\s*['"]([^'"\n]+)['"]"#),
    ("sessionid=", r"sessionid=([A-Za-z0-9._%!~-]{12,})"),
    (":5432:", r"^:5432:[^:\s]+:[^:\s]+:(\S{4,})"),
    ("basicauth(", r#"basicauth\(\s*['"][^'"\n]*['"]\s*,\s*['"]([^'"\n]+)['"]"#),
    ("mysqli_connect(", CONNECT),
    ("mysql_connect(", CONNECT),
    ("mysql_pconnect(", CONNECT),
    ("new mysqli(", CONNECT),
    ("new pdo(", CONNECT),
    ("dbi->connect(", CONNECT),
    ("dbi.connect(", CONNECT),
    ("convertto-securestring", r#"convertto-securestring(?:\s+-[a-z]+)*\s+\\?['"]?([^\s'"\\]{6,})"#),
    ("snmp-server community ", r"snmp-server community (\S+) R[OW]"),
    ("$8$", r"(\$8\$[./A-Za-z0-9]{8,16}\$[./A-Za-z0-9]{43})"),
    ("chpasswd", r#"chpasswd\s*<<<\s*['"]?[A-Za-z0-9_.-]+:([^\s'"]+)"#),
    ("$apr1$", r"(\$apr1\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{20,43})"),
    ("$argon2", r"(\$argon2(?:id|i|d)\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]{8,}\$[A-Za-z0-9+/]{16,})"),
    ("$2a$", r"(\$2a\$\d\d\$[./A-Za-z0-9]{53})"),
    ("$2b$", r"(\$2b\$\d\d\$[./A-Za-z0-9]{53})"),
    ("$2y$", r"(\$2y\$\d\d\$[./A-Za-z0-9]{53})"),
    ("$6$", r"(\$6\$(?:rounds=\d+\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{86})"),
    ("$5$", r"(\$5\$(?:rounds=\d+\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43})"),
    ("$1$", r"(\$1\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22})"),
    ("{ssha", r"(\{ssha(?:256|512)?\}[A-Za-z0-9+/]{32,}={0,2})"),
];

pub(crate) fn literals() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|command| command.name).chain(STATEMENTS.iter().map(|(literal, _)| *literal))
}

/// How many literals there are.
pub(crate) fn count() -> usize {
    COMMANDS.len() + STATEMENTS.len()
}

/// Judges the command at `at`; returns where it was looked at up to.
pub(crate) fn judge(text: &[u8], at: usize, index: usize, hits: &mut Vec<Hit>) -> Result<usize, Error> {
    match COMMANDS.get(index) {
        Some(command) => Ok(command.judge(text, at, hits)),
        None => statement(text, at, index - COMMANDS.len(), hits),
    }
}

impl Command {
    /// Looks at the words of the command at `at`, up to its end.
    fn judge(&self, text: &[u8], at: usize, hits: &mut Vec<Hit>) -> usize {
        let whole =
            at == 0 || !(text[at - 1].is_ascii_alphanumeric() || matches!(text[at - 1], b'_' | b'.' | b'$' | b'@'));
        let named = self.name.trim_end().len();
        let rest =
            text[at + named..].iter().take(24).take_while(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(byte));
        let start = at + named + rest.count();
        if !whole || !matches!(text.get(start), Some(b' ' | b'\t')) {
            return start;
        }
        let mut words = Words::new(text, start);
        while let Some(word) = words.next() {
            let said = &text[word.clone()];
            if said.first() != Some(&b'-') {
                continue;
            }
            for (flag, takes) in self.flags {
                let Some(behind) = said.strip_prefix(flag.as_bytes()) else { continue };
                let value = match behind.first() {
                    None if *takes == Takes::Joined => continue,
                    None => match words.next() {
                        Some(next) => next,
                        None => break,
                    },
                    Some(b'=') if flag.starts_with("--") || *takes != Takes::Joined => {
                        word.start + flag.len() + 1..word.end
                    }
                    Some(_) if flag.len() == 2 => word.start + flag.len()..word.end,
                    Some(_) => continue,
                };
                self.take(text, value, *takes, hits);
                break;
            }
        }
        words.end()
    }

    fn take(&self, text: &[u8], value: Range<usize>, takes: Takes, hits: &mut Vec<Hit>) {
        let said = &text[value.clone()];
        let ranges = match takes {
            Takes::Secret | Takes::Joined => [Some(value), None],
            Takes::Pass => [said.strip_prefix(b"pass:").map(|_| value.start + 5..value.end), None],
            Takes::Percent => [memchr::memchr(b'%', said).map(|at| value.start + at + 1..value.end), None],
            Takes::Pair => match pair(text, value) {
                Some(parts) => parts,
                None => return,
            },
        };
        for range in ranges.into_iter().flatten() {
            let range = shell::unquoted(text, range);
            // `mkdir -p`, `-p 8080`: what a password's flag means elsewhere.
            let number = takes != Takes::Pair && text[range.clone()].iter().all(u8::is_ascii_digit) && range.len() < 6;
            if !number && is_secret(&text[range.clone()], takes == Takes::Pair) {
                hits.push(Hit::new(range, Kind::SecretPattern, "command-secret"));
            }
        }
    }
}

/// The secrets of `user:password`: the password, or the user where nothing stands behind the colon.
fn pair(text: &[u8], value: Range<usize>) -> Option<[Option<Range<usize>>; 2]> {
    let outer = shell::unquoted(text, value);
    let said = &text[outer.clone()];
    // A quoted user may have a colon in it: the colon behind the quote counts.
    let colon = match said.first() {
        Some(quote @ (b'"' | b'\'')) => 1 + memchr::memchr(*quote, &said[1..])? + 1,
        _ => memchr::memchr(b':', said)?,
    };
    if said.get(colon) != Some(&b':') {
        return None;
    }
    let password = outer.start + colon + 1..outer.end;
    let user = outer.start..outer.start + colon;
    let lone = password.is_empty() && user.len() >= 8 && text[user.clone()].iter().any(u8::is_ascii_digit);
    Some(if lone { [Some(user), None] } else { [Some(password), None] })
}

fn is_secret(value: &[u8], pair: bool) -> bool {
    let plain = value.iter().all(|byte| byte.is_ascii_lowercase() || b"_.-[]()<>{}".contains(byte));
    let marked = memchr::memmem::find(value, kind::OPENING).is_some();
    value.len() >= if pair { 3 } else { 4 }
        && !plain
        && !marked
        && !is_stand_in(value)
        && !is_place(value)
        && !matches!(value[0], b'$' | b'-' | b'<')
}

/// Judges the statement at `at` by its pattern.
fn statement(text: &[u8], at: usize, index: usize, hits: &mut Vec<Hit>) -> Result<usize, Error> {
    static PATTERNS: OnceLock<Vec<OnceLock<Option<Regex>>>> = OnceLock::new();
    let patterns = PATTERNS.get_or_init(|| STATEMENTS.iter().map(|_| OnceLock::new()).collect());
    let pattern = patterns.get(index).and_then(|cell| {
        let compile = || {
            let pattern = format!("^(?:{})", STATEMENTS[index].1);
            RegexBuilder::new(&pattern).unicode(false).case_insensitive(true).build().ok()
        };
        cell.get_or_init(compile).as_ref()
    });
    let pattern = pattern.ok_or_else(|| Error::Rule { rule: "command".to_owned() })?;
    let window = &text[at..text.len().min(at + REACH)];
    let window = &window[..memchr::memchr(b'\n', window).unwrap_or(window.len())];
    let Some(groups) = pattern.captures(window) else { return Ok(at + STATEMENTS[index].0.len()) };
    let hash = matches!(STATEMENTS[index].0.as_bytes()[0], b'$' | b'{');
    let mut end = at;
    for group in groups.iter().skip(1).flatten() {
        let named = STATEMENTS[index].0 == "identified " && is_name(group.as_bytes());
        if hash || is_secret(group.as_bytes(), false) && !named {
            let rule = if hash { "password-hash" } else { "command-secret" };
            hits.push(Hit::new(at + group.start()..at + group.end(), Kind::SecretPattern, rule));
        }
        end = at + group.end();
    }
    Ok(end.max(at + 1))
}
