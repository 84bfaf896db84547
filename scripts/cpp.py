"""C++ text, understood well enough to list declarations and to measure functions.

No compiler is asked, so a header is read as its author wrote it: templates, constraints and default arguments
stay as they are, and nothing of the standard library comes along.
"""

import re
from dataclasses import dataclass, field

COMMENT_OR_LITERAL = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<number>\b\d[\w.']*)
      | (?P<literal>R"(?P<fence>[^(\s]*)\(.*?\)(?P=fence)" | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])+')
      | (?P<directive>^[ \t]*\#(?:[^\n]*\\\n)*[^\n]*)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE)


def blanked(text, *kinds):
    """The text with these kinds of token turned into spaces: every offset and line stays what it was."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match[0]) if any(match[kind] for kind in kinds) else match[0]
    return COMMENT_OR_LITERAL.sub(blank, text)


def code(text):
    """The text without comments and directives, its literals empty: what braces may be counted in."""
    return blanked(text, "comment", "literal", "directive")


@dataclass
class Declaration:
    kind: str  # namespace, type, function or plain
    head: str  # the text before the body, on one line
    access: str  # public, protected or private
    first_line: int  # of the body, for a function
    last_line: int
    members: list = field(default_factory=list)


def declarations(text):
    return Reader(text).scope(0, "public")


CLOSING = {"(": ")", "[": "]", "{": "}"}
MARK = re.compile(r"[][(){};]|(?<!:):(?!:)")
TYPE = re.compile(r"\b(class|struct|union|enum)\b")


class Reader:
    def __init__(self, text):
        self.code = code(text)
        self.shown = blanked(text, "comment", "directive")

    def line(self, at):
        return self.code.count("\n", 0, at) + 1

    def after(self, opening):
        """The offset behind the bracket that closes the one at `opening`."""
        expected, at = [], opening
        while at < len(self.code):
            mark = self.code[at]
            if mark in CLOSING:
                expected.append(CLOSING[mark])
            elif expected and mark == expected[-1]:
                expected.pop()
                if not expected:
                    return at + 1
            at += 1
        return at

    def scope(self, at, access):
        """The declarations from `at` to the brace that ends their scope."""
        found, start, open_type, type_end = [], at, None, 0
        while (mark := MARK.search(self.code, at)) and mark[0] != "}":
            at, head = mark.end(), self.code[start:mark.start()]
            if mark[0] in "([":
                at = self.after(mark.start())
            elif mark[0] == ":":
                if named := re.fullmatch(r"\s*(public|protected|private)\s*", head):
                    access, start = named[1], at
            elif mark[0] == ";":
                if open_type:
                    open_type.head = one_line(f"{open_type.head} {self.shown[type_end:mark.start()]}")
                    found.append(open_type)
                elif head.strip():
                    found.append(self.declaration("plain", start, mark.start(), access))
                start, open_type = at, None
            else:
                kind, at = kind_of(head), self.after(mark.start())
                declaration = self.declaration(kind, start, mark.start(), access)
                if kind in ("namespace", "function"):
                    found.append(declaration)
                    start = at
                elif kind == "type":
                    open_type, type_end = declaration, at  # until its semicolon
        return found

    def declaration(self, kind, start, body, access):
        """What the text from `start` to its body declares; the body is a brace, or the semicolon in its place."""
        end = self.after(body) if self.code[body] == "{" else body + 1
        found = Declaration(kind, one_line(self.shown[start:body]), access, self.line(body), self.line(end - 1))
        if kind == "type" and re.search(r"\benum\b", bare(found.head)):
            found.head += " " + one_line(self.shown[body:end])
        elif kind in ("namespace", "type"):
            hidden = re.search(r"\bclass\b", bare(found.head))
            found.members = self.scope(body + 1, "private" if hidden else "public")
        return found


def one_line(text):
    return re.sub(r"\s+", " ", text).strip()


def bare(head):
    """The head without template parameters, attributes and what stands between brackets."""
    head = without_brackets(head)
    while (at := head.find("template")) >= 0 and (opening := re.match(r"template\s*<", head[at:])):
        depth, end = 1, at + opening.end()
        while depth and end < len(head):
            depth += {"<": 1, ">": -1}.get(head[end], 0)
            end += 1
        head = head[:at] + head[end:]
    return head.strip()


def without_brackets(head):
    kept, depth = [], 0
    for mark in head:
        depth -= mark in ")]}"
        if depth == 0:
            kept.append(mark)
        depth += mark in "([{"
    return "".join(kept).replace("[]", " ")


# Parentheses after these words belong to no parameter list.
PARENTHESISED = re.compile(r"\b(requires|noexcept|alignas|explicit|decltype|sizeof|__attribute__)\s*\(\)")


def parameters(head):
    """The bare head in which a parenthesis means a parameter list."""
    return PARENTHESISED.sub("", re.sub(r"operator\s*(\(\)|\W{1,3}(?=\s*\())", "operator_", head))


def is_out_of_line(head):
    """Whether this defines a member that its class has declared before."""
    return re.search(r"[\w>]::\s*~?\w+\s*$", parameters(bare(head)).partition("(")[0])


def kind_of(head):
    """What the brace behind this head opens."""
    head = bare(head)
    if re.match(r'(inline\s+)?namespace\b|extern\s*$', head):
        return "namespace"
    if TYPE.search(head):
        return "type"
    if re.search(r"(=|&&|\|\||!|\brequires)\s*requires\s*(\(\))?$", head):
        return "requirement"
    plain = parameters(head)
    if "(" not in plain or re.search(r"(?<![=!<>+\-*/%&|^])=(?!=)", plain):
        return "initialiser"
    if re.search(r"\(\)[^:]*(?<!:):(?!:)", plain) and re.search(r"[\w>]$", plain):
        return "initialiser"  # of a member, before a constructor's body
    return "function"
