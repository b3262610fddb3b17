// Exceptions in host code of whole programs: what is thrown, who catches it, what is destroyed on the way.
#include <doctest/doctest.h>

#include <string>

#include "core/compile.hpp"
#include "core/compile/compiler.hpp"
#include "core/compile/own/cleanups.hpp"
#include "core/compile/own/exceptions.hpp"
#include "core/compile/own/handlers.hpp"
#include "host_play.hpp"

using namespace dojo;
using host_test::Played;

namespace {

const char* const classes = R"(#include <cstdio>
#include <stdexcept>
#include <string>
struct Error {
  int code = 1;
  virtual ~Error() {}
  virtual const char* name() const { return "Error"; }
};
struct Tag {
  int tag = 7;
};
struct FileError : Tag, Error {
  const char* name() const override { return "FileError"; }
};
class Cuda : public std::runtime_error {
 public:
  int status;
  Cuda(int s, const std::string& text) : std::runtime_error(text), status(s) {}
};
class Plain : public std::exception {
 public:
  const char* what() const noexcept override { return "plain"; }
};
class Memory final : public Cuda {
 public:
  using Cuda::Cuda;
};
class Hidden : Error {};
void thrower(int k) {
  if (k == 0) throw FileError();
  if (k == 1) throw Memory(2, "no memory");
  if (k == 2) throw Hidden();
  if (k == 3) throw Plain();
  throw 7;
}
int main() {
  for (int k = 0; k < 5; ++k) {
    try {
      thrower(k);
    } catch (const Cuda& e) {
      printf("Cuda %d %s\n", e.status, e.what());
    } catch (Error& e) {
      printf("%s %d\n", e.name(), e.code);
    } catch (const std::exception& e) {
      printf("exception %s\n", e.what());
    } catch (int n) {
      printf("int %d\n", n);
    } catch (...) {
      puts("other");
    }
  }
  try {
    thrower(0);
  } catch (const Tag& t) {
    printf("tag %d\n", t.tag);
  }
  try {
    thrower(1);
  } catch (const std::exception& e) {
    printf("%s\n", e.what());
  }
}
)";

const char* const nested = R"(#include <cstdio>
#include <stdexcept>
void again() { throw; }
int main() {
  try {
    try {
      throw std::runtime_error("outer");
    } catch (const std::exception&) {
      try {
        throw 5;
      } catch (int n) {
        printf("inner %d\n", n);
      }
      again();
    }
  } catch (const std::exception& e) {
    printf("again %s\n", e.what());
  }
  std::exception_ptr kept;
  try {
    throw std::out_of_range("far");
  } catch (...) {
    kept = std::current_exception();
  }
  try {
    if (kept) std::rethrow_exception(kept);
  } catch (const std::logic_error& e) {
    printf("kept %s\n", e.what());
  }
  printf("%d\n", bool(std::current_exception()));
  throw;
}
)";

const char* const destructors = R"(#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>
struct Loud {
  const char* name;
  explicit Loud(const char* n) : name(n) {}
  Loud(const Loud& o) : name(o.name) {}
  ~Loud() { printf("~%s ", name); }
  explicit operator bool() const { return true; }
};
struct Two {
  Loud a{"member"};
};
void inner(Loud p, int n) {
  Loud a("a"), b("b");
  {
    Loud closed("closed");
  }
  std::unique_ptr<Loud> owned(new Loud("owned"));
  const Two two;
  Loud many[2] = {Loud("m0"), Loud("m1")};
  if (n) throw std::runtime_error("n");
  Loud never("never");
}
int main() {
  Loud outside("outside");
  try {
    Loud in_try("in_try");
    inner(Loud("p"), 1);
  } catch (const std::exception& e) {
    Loud in_handler("in_handler");
    printf("| %s ", e.what());
  }
  try {
    try {
      Loud first("first");
      throw 1;
    } catch (int) {
      Loud second("second");
      throw 2.0;
    }
  } catch (double) {
    printf("| double ");
  }
  for (int i = 0; i < 2; ++i) try {
      Loud of_loop("loop");
      if (i) throw i;
      continue;
    } catch (int) {
    }
  for (int i = 0; i < 6; ++i) try {
      if (Loud head("if"); i == 0) throw i;
      else if (Loud second("second"); i == 1) { throw i; } else if (i == 2) { throw i; }
      for (Loud head("for"); i < 4;) { if (i == 3) throw i; break; }
      while (Loud head = Loud("while")) { throw i; }
    } catch (int n) {
      printf("| %d ", n);
    }
}
)";

const char* const kept = R"(#include <cstdio>
struct Solver {
  int steps = 0;
  void run() {
    try {
      ++steps;
      throw 1;
    } catch (int) {
      printf("steps %d\n", steps);
    }
  }
};
struct Counter {
  int n;
  explicit Counter(int k) : n(k) {
    int local = 0;
    try {
      ++n, local = 5, ++k;
      throw k;
    } catch (int v) {
      printf("counter %d %d %d %d\n", n, local, k, v);
    }
  }
};
int captured(int x) {
  auto add = [&](int y) {
    try {
      x += y;
      throw 1;
    } catch (int) {
      printf("x %d\n", x);
    }
    return x;
  };
  auto none = [&] {
    try {
      x += 10;
      throw 1;
    } catch (int) {
    }
  };
  none();
  return add(3) + add(4);
}
struct Pair {
  int a, b;
};
int main() {
  Solver s;
  s.run();
  Counter c(4);
  printf("%d\n", captured(1));
  auto [p, q] = Pair{1, 2};
  try {
    p = 10, q = 20;
    throw 1;
  } catch (...) {
    printf("%d %d\n", p, q);
  }
}
)";

struct Expected {
  const char *what, *program, *prints;
};
const Expected all[] = {
    {"handlers take derived classes of the program", classes,
     "FileError 1\nCuda 2 no memory\nother\nexception plain\nint 7\ntag 7\nno memory\n"},
    {"a handler throws its own exception again", nested,
     "inner 5\nagain outer\nkept far\n0\nterminate called without an active exception\n"},
    {"destructors run, the last first", destructors,
     "~closed ~m1 ~m0 ~member ~owned ~b ~a ~p ~in_try | n ~in_handler ~first ~second | double ~loop ~loop "
     "~if | 0 ~second ~if | 1 ~second ~if | 2 ~second ~if ~for | 3 ~second ~if ~for ~while | 4 ~second ~if "
     "~for ~while | 5 ~outside "},
    {"a handler finds what the block has made of members, captured and bound variables", kept,
     "steps 1\ncounter 5 5 5 5\nx 14\nx 18\n32\n10 20\n"},
};

}  // namespace

TEST_CASE("exceptions: try and catch become questions to the interpreter, throw keeps its width") {
  using namespace compile_detail;
  const auto passed = [](const std::string& s) { return without_throw(s, tokenize(s)); };
  CHECK(with_handlers("void m() { try { f(); } catch (const E& e) { g(e); } h(); }") ==
        "__attribute__((noinline)) void m() { if (__dojo_try()) { __dojo_Guard _dgrd; f(); } else if "
        "(__dojo_is<const E &>()) { __dojo_Caught _dcgt; const E & e = __dojo_get<const E &>(); (void)e; "
        "g(e); } "
        "else __dojo_go_on(); h(); }");
  CHECK(with_handlers("try { f(); }\ncatch (A&) {\n a();\n} catch (...) { }\nh();") ==
        "if (__dojo_try()) { __dojo_Guard _dgrd; f(); }\nelse if (__dojo_is<A &>()) { __dojo_Caught _dcgt;\n "
        "a();\n} else if (true) { __dojo_Caught _dcgt; } else __dojo_go_on();\nh();");
  // What the block uses of the function's variables stays in memory; types, calls and closed scopes do not.
  const std::string kept = with_handlers(
      "int g(int a, float* b) { using T = int; std::vector<T> v(3), w; int c = a * f(2); { int d = 1; } "
      "auto& [p, q] = v; "
      "for (int i = 0; i < 3; ++i) { try { T x = f(a + c + i) * *b; v[0] = x + q; p.w = d; } catch (int) { } "
      "} "
      "}");
  CHECK(kept.find("if (__dojo_keep(a), __dojo_keep(b), __dojo_keep(c), __dojo_keep(i), __dojo_keep(p), "
                  "__dojo_keep(q), __dojo_keep(v), __dojo_try())") != std::string::npos);
  // A template's arguments are no variables; what stands behind a comparison is.
  const std::string sums = with_handlers(
      "void f() { std::variant<int, float, T> v; std::map<unsigned int, std::pair<K, V>> m; bool a = x < y, "
      "b = a; "
      "try { g<float, int>(v); V u = m[K()]; h(b); } catch (int) { } }");
  CHECK(sums.find("if (__dojo_keep(b), __dojo_keep(m), __dojo_keep(v), __dojo_try())") != std::string::npos);
  const std::string made =
      with_handlers("struct C { C(int n) : a(n), b{2} { try { n = f(); } catch (...) {} } };");
  CHECK(made.find("{ __attribute__((noinline)) C(int n) : a(n), b{2} { if (__dojo_keep(n), __dojo_try())") !=
        std::string::npos);
  CHECK(passed("throw 1;") == "_dthr 1;");
  CHECK(passed("throw;") == "_dret;");
  CHECK(passed("void f() throw();") == "void f() throw();");
}

TEST_CASE("exceptions: classes name their bases, and variables of host code enter the list of destructors") {
  using namespace compile_detail;
  CHECK(with_bases("class A final : public B<int>, C, private D { int n; }; struct E : virtual F {};") ==
        "class A final : public B<int>, C, private D { public: typedef __dojo_Bases<A, B < int >> "
        "__dojo_bases; "
        "private: int n; }; struct E : virtual F { public: typedef __dojo_Bases<E, F> __dojo_bases;};");
  CHECK(with_bases("struct S { int n; }; enum class E : int { a }; template <class T> struct U;") ==
        "struct S { int n; }; enum class E : int { a }; template <class T> struct U;");
  const auto entered = [](const std::string& source) {
    bool any = false;
    const std::string out = with_cleanups(source, {}, any);
    CHECK(any == (out != source));
    std::string names;
    for (size_t at = out.find(" _dcl_"); at != out.npos; at = out.find(" _dcl_", at + 1))
      names += out.substr(at + 6, out.find('(', at) - at - 6) + " ";
    return names;
  };
  CHECK(entered("void f(Buffer p, int q, Buffer& r) { Buffer a(1), b; int c = 2; Buffer* d = &a; if (q) g(a, "
                "b); }") == "p a b ");
  CHECK(entered("void f() { a = b, c = d; return; x.y(z); cout << a * b; static Buffer s; for (int i = 0;"
                ";) {} while (a = b) {} do {} while (a * b); switch (Buffer s(1); k) { case 1:; } }") == "");
  CHECK(entered("__global__ void k() { Buffer a(1); } struct S { Buffer m; void f() { Buffer n(2); } };") ==
        "n ");
  CHECK(entered("void f() { auto g = [=] /*dddddd*/ (int i) { Buffer a(i); }; std::thread t([&] { Buffer "
                "b(1); }); }") == "g b t ");
  CHECK(
      entered("void f() { if (Buffer a(1); a.ok()) { g(); } else if (Buffer b(2)) throw 1; else { h(); } for "
              "(Buffer c : all) g(c); while (Buffer d = next()) { } if (Buffer e(1)) g(); else h(); if (k) "
              "g(); else h(); }") == "a a b a b c d e e ");
  CHECK(entered("void f(int k) { switch (k) { case 0: Buffer a; Buffer b(1); } }") == "b ");
  CHECK(entered("void f(int k) { switch (k) { case A::b: Buffer b(1); break; default: Buffer c(2); } }") ==
        "b c ");
}

TEST_CASE("exceptions: a function's own try has its handlers, a constructor's throws again") {
  const Played p = host_test::play(R"(#include <stdexcept>
#include <cstdio>
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};
int check(int n) try {
  if (n > 5) throw Error("large");
  return n;
} catch (const Error& e) {
  printf("%s %d\n", e.what(), n);
  return -1;
}
struct Part {
  int n;
  Part(int k) try : n(k) {
    if (k == 3) throw Error("three");
  } catch (const Error&) {
    puts("part");
  }
};
int main(int argc, char**) try {
  if (argc > 9) throw Error("usage");
  printf("%d %d\n", check(2), check(7));
  Part a(1);
  Part b(3);
  puts("never");
} catch (const std::exception& e) {
  printf("main %s\n", e.what());
  return 4;
}
)");
  for (const Diagnostic& d : p.findings) MESSAGE(d.message);
  CHECK(p.printed == "large 7\n2 -1\npart\nmain three\n");
  CHECK(p.exit_status == 4);
}

TEST_CASE(
    "exceptions: derived classes, throw again, destructors, and variables in handlers; both compilers") {
  for (const char* compiler : {"nvrtc", "clang"}) {
    const host_test::ChosenCompiler chosen(compiler);
    if (!compiler_available(nullptr)) continue;
    for (const Expected& e : all) {
      CAPTURE(e.what);
      CAPTURE(compiler);
      CHECK(host_test::play(e.program).printed == e.prints);
    }
  }
}
