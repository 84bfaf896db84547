#!/usr/bin/env python3
"""Shows each check of scripts/check a small tree that breaks its rule, and one that does not."""

import unittest

from small_tree import SmallTree


class Check(SmallTree):
    def test_core_must_not_include_runtime(self):
        self.write("src/troupe/core/a.hpp", "// #include <troupe/runtime/b.hpp>\n#include <troupe/core/c.hpp>\n")
        self.write("src/troupe/runtime/b.hpp", "#include <troupe/core/a.hpp>\n")
        self.accepts("includes")
        self.write("src/troupe/core/a.hpp", "#include <troupe/runtime/b.hpp>\n")
        self.refuses("includes", "src/troupe/core/a.hpp:1: core includes runtime")

    def test_no_layer_includes_a_driver(self):
        self.write("src/troupe/runtime/a.hpp", "#include <troupe/drivers/sqlite.hpp>\n")
        self.refuses("includes", "runtime includes drivers")

    def test_core_takes_no_header_that_needs_a_heap(self):
        self.write("src/troupe/core/a.hpp", "#include <chrono>\n#include <string_view>\n")
        self.write("src/troupe/core/a_test.cpp", "#include <vector>\n")
        self.write("src/troupe/runtime/a.hpp", "#include <vector>\n")
        self.accepts("freestanding")
        self.write("src/troupe/core/a.hpp", "#include <vector>\n")
        self.refuses("freestanding", "a.hpp:1: core includes <vector>")

    def test_clocks_and_threads_stay_in_runtime(self):
        self.write("src/troupe/runtime/a.cpp", "auto t = std::chrono::steady_clock::now();\n")
        self.write("src/troupe/core/a_test.cpp", "std::thread t;\n")
        self.write("src/troupe/core/a.cpp", "// std::thread\nauto t = clock.now();\n")
        self.accepts("outside")
        self.write("src/troupe/core/a.cpp", "auto t = std::chrono::steady_clock::now();\n\nstd::random_device d;\n")
        self.refuses("outside", "a.cpp:1: steady_clock::now", "a.cpp:3: random_device")

    def test_atomics_come_from_one_header(self):
        self.write("src/troupe/core/atomic.hpp", "#include <atomic>\nusing A = std::atomic<int>;\n")
        self.write("src/troupe/core/a_test.cpp", "#include <atomic>\n")
        self.accepts("atomics")
        self.write("src/troupe/runtime/a.hpp", "#include <atomic>\nstd::atomic<int> a;\n")
        self.refuses("atomics", "a.hpp:1", "a.hpp:2")

    def test_a_fence_stands_nowhere(self):
        self.write("src/troupe/core/atomic.hpp", "void f() { std::atomic_thread_fence(x); }\n")
        self.refuses("atomics", "atomic.hpp:1: has a standalone fence")

    def test_a_file_of_401_lines_is_warned_of_and_one_of_801_refused(self):
        self.write("src/troupe/core/a.cpp", "\n" * 401)
        self.accepts("sizes")
        self.assertIn("warning: has 401 lines", self.run_script("check", "sizes")[1])
        self.write("src/troupe/core/a.cpp", "\n" * 801)
        self.refuses("sizes", "has 801 lines")

    def test_a_function_of_61_lines_is_refused(self):
        for head, tail in [
            ("void f() {", ""),
            ("TEST(Box, holds) {", ""),
            ("Box::Box(int v) : value_{v}, b_(1), c_{2} {", ""),
            ("template <class T>\n  requires requires(T t) { t.on(); }\nauto f(T t) const noexcept -> Foo<int> {", ""),
            ("class A {\n  bool operator()(int) const {", "};"),
            ("namespace a {\nstruct alignas(64) B : C<decltype(d())> {\nvoid e() && {", "};}"),
        ]:
            line = "\n  x({'}', \"}\"});  // }"
            self.write("src/troupe/core/a.cpp", head + line * 59 + "\n}" + tail)
            self.refuses("functions", "has 61 lines")
            self.write("src/troupe/core/a.cpp", head + line * 58 + "\n}" + tail)
            self.accepts("functions")

    def test_public_names_avoid_empty_words(self):
        self.write("src/troupe/core/CMakeLists.txt", "set(public_headers\n  troupe/core/a.hpp\n)\n")
        self.write("src/troupe/core/a.hpp", "concept Handles = true;\nstd::coroutine_handle<> h; int information; class Implicit;\n")
        self.write("src/troupe/core/inner.hpp", "class FooImpl;\n")
        self.accepts("words")
        self.write("src/troupe/core/a.hpp", "class ActorManager;\nclass ImplBase;\n")
        self.refuses("words", "a.hpp:1: ActorManager contains Manager", "a.hpp:2: ImplBase contains Impl")
        self.write("src/troupe/core/CMakeLists.txt", "set(public_headers troupe/core/ref_util.hpp)\n")
        self.write("src/troupe/core/ref_util.hpp", "\n")
        self.refuses("words", "ref_util.hpp: is named util")

    def test_a_todo_gives_a_reason(self):
        self.write("src/troupe/core/a.hpp", f"// {'TO' + 'DO'}: bound this until the wheel has a limit\n")
        self.accepts("todos")
        self.write("src/troupe/core/a.hpp", f"// {'TO' + 'DO'}: bound this\n")
        self.refuses("todos", "a.hpp:1")

    def test_no_machine_and_no_registry_is_named(self):
        self.write("README.md", "See src/work/a and ./home/b.\n")
        self.accepts("places")
        self.write("README.md", "See /ho" + "me/me.\nFrom registry.np" + "mjs.org\n")
        self.refuses("places", "README.md:1", "README.md:2")

    def test_an_example_shows_what_it_prints(self):
        self.write("examples/hello.cpp", "\n")
        self.refuses("examples", "has no .expected")
        self.write("examples/hello.expected", "\n")
        self.accepts("examples")

    def test_a_built_requirement_is_named_by_a_test(self):
        self.write("build/dev/CTestTestfile.cmake", 'add_test([=[Box.AR_01_FR_003_holds]=] "true")\n')
        self.write("docs/requirements.md", "| AR-01 | x | – | built |\n| FR-003 | x | – | built |\n| AR-02 | x | – | planned |\n")
        self.accepts("requirements")
        self.write("docs/requirements.md", "| AR-01 | x | – | built |\n| AR-02 | x | – | built |\n")
        self.refuses("requirements", "requirements.md:2: AR-02 is marked built", "FR-003 is not in")

    def test_without_a_build_the_list_of_tests_is_not_guessed(self):
        self.refuses("requirements", "Run scripts/build dev")

    def test_a_test_program_holds_a_test(self):
        self.write("build/dev/CTestTestfile.cmake", "")
        self.write("build/dev/core_test", "")
        (self.root / "build/dev/core_test").chmod(0o755)
        self.refuses("programs", "core_test: lists no test")

    def test_each_kind_of_event_is_explained(self):
        self.write("src/troupe/core/event.hpp", "enum class EventKind : char {\n  failed,  // it failed\n  stopped,\n};\n")
        self.write("docs/tutorial.md", "`failed` and `stopped`\n")
        self.write("docs/how-to/observe.md", "| `failed` | It failed. |\n| `stopped` | It ended. |\n\n| `full` | A reason. |\n")
        self.accepts("events")
        self.write("docs/how-to/observe.md", "| `failed` | It failed, or `stopped`. |\n")
        self.refuses("events", "observe.md: has no row for the event `stopped`")
        self.write("docs/how-to/observe.md", "| `failed` | It failed. |\n| `stopped` | It ended. |\n")
        self.write("docs/tutorial.md", "`failed`\n")
        self.refuses("events", "tutorial.md: does not show the event `stopped`")

    def test_a_link_leads_somewhere(self):
        self.write("README.md", "[a](docs/a.md#part), [b](https://example.org/b), [c](#here)\n")
        self.write("docs/a.md", "[up](../README.md)\n```cpp\n[](auto) {};\n```\n`[x](y)`\n")
        self.accepts("links")
        self.write("docs/a.md", "\n[up](README.md)\n")
        self.refuses("links", "docs/a.md:2: links to README.md, which does not exist")


if __name__ == "__main__":
    unittest.main()
