#!/usr/bin/env python3
"""The public API: it is listed, and no change of it goes unnoticed or unexplained."""

import re
import unittest

from small_tree import ROOT, SmallTree


class Api(SmallTree):
    def write_header(self, text):
        self.write("src/troupe/core/CMakeLists.txt", "set(public_headers troupe/core/a.hpp)\n")
        self.write("src/troupe/core/a.hpp", f"namespace troupe {{ {text} }}\n")

    def write_listing(self):
        self.assertEqual(self.run_script("api", "--update")[0], 0)

    def begin_with(self, text):
        """A branch whose API is this so far."""
        self.write_header(text)
        self.write_listing()
        self.write("CHANGELOG.md", "# Changelog\n")
        self.commit()
        self.git("checkout", "-q", "-b", "branch")

    def test_FR_010_the_listing_says_what_users_see(self):
        self.write("src/troupe/core/CMakeLists.txt", "set(public_headers troupe/core/a.hpp)\n")
        self.write("src/troupe/core/a.hpp", """namespace troupe {
class Later;
template <class T, class U = int>
  requires(sizeof(T) > 1)
class Box : public Base {
 public:
  explicit Box(T value) : value_{value} {}  // A comment.
  [[nodiscard]] T value() const noexcept { return value_; }
  bool operator==(const Box&) const = default;
 protected:
  ~Box() = default;
 private:
  T value_;
};
template <class T, class U>
T Box<T, U>::more() { return 1; }
enum class Code : char { ok, /* fine */ failed };
template <class A, class M>
concept Handles = requires(A a, M m) { a.on(m); };
namespace detail { void hidden(); }
}
""")
        self.assertEqual(self.run_script("api", "--update")[0], 0)
        self.assertEqual((self.root / "api/troupe.txt").read_text(), """<troupe/core/a.hpp>
  template <class T, class U = int> requires(sizeof(T) > 1) class Box : public Base
    explicit Box(T value)
    [[nodiscard]] T value() const noexcept
    bool operator==(const Box&) const = default
    protected: ~Box() = default
  enum class Code : char { ok, failed }
  template <class A, class M> concept Handles = requires(A a, M m) { a.on(m); }
""")
        self.accepts("api")

    def test_FR_010_a_changed_api_is_refused_until_its_listing_says_so(self):
        self.begin_with("void f(); int g();")
        self.accepts("api")
        for changed in ("void f(); long g();", "void f();", "void f(); int g(); int h();"):
            self.write_header(changed)
            self.refuses("api", "scripts/api --update and say why in CHANGELOG.md")
            self.write_listing()
            self.accepts("api")

    def test_FR_010_a_changed_listing_is_refused_until_the_changelog_says_why(self):
        self.begin_with("void f();")
        self.accepts("changes")
        self.write_header("void f(); void g();")
        self.write_listing()
        self.refuses("changes", "CHANGELOG.md: says nothing new, but the public API has changed: void g()")
        self.commit()
        self.refuses("changes", "void g()")
        self.write("CHANGELOG.md", "# Changelog\n- `g`, for those who cannot wait for `f`.\n")
        self.accepts("changes")
        self.git("checkout", "-q", "main")
        self.git("merge", "-q", "--no-ff", "branch", "-m", "merge")  # on the main branch its last step is looked at
        self.write("CHANGELOG.md", "# Changelog\n")
        self.refuses("changes", "void g()")

    def test_FR_010_a_breaking_change_is_refused_until_the_changelog_gives_reason_and_migration(self):
        self.begin_with("void f(int a); void g();")
        self.write_header("void f(long a); void g();")
        self.write_listing()
        for entry in ("`f` takes a long.", "`f` takes a long. Why: more room.", "`f` takes a long. Instead: cast."):
            self.write("CHANGELOG.md", f"# Changelog\n- {entry}\n")
            self.refuses("changes", "CHANGELOG.md: does not say `Why:` and `Instead:`, but the public API lost: void f(int a)")
        self.write("CHANGELOG.md", "# Changelog\n- `f` takes a long. Why: more room. Instead: cast.\n")
        self.accepts("changes")

    def test_FR_010_pages_tell_users_of_other_systems_what_differs(self):
        for front, folder in (("README.md", "docs/coming-from"), ("docs/README.md", "coming-from")):
            linked = re.findall(rf"\]\({folder}/([\w-]+)\.md\)", (ROOT / front).read_text())
            self.assertEqual(linked, ["protoactor-go", "pekko", "caf", "orleans"], front)
        for name in linked:
            page = (ROOT / f"docs/coming-from/{name}.md").read_text()
            self.assertIn("\n## What surprises\n", page)
            self.assertGreater(len(re.findall(r"^\| ", page, re.MULTILINE)), 10, f"{name}: a table of words compares")


if __name__ == "__main__":
    unittest.main()
