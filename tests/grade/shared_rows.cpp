// Programs that several students handed in: which files are one program, and that sharing changes no row.
#include <doctest/doctest.h>

#include "grade/pool/shared_rows.hpp"
#include "small_class.hpp"

using namespace dojo;
using namespace dojo::grade;
using namespace dojo::test;

TEST_CASE("two files are one program when comments and blanks alone differ") {
  const std::string a = program_key("#define N 4\nint f() {\n  return N;  // four\n}\n");
  CHECK(!a.empty());
  CHECK(a == program_key("#define N 4 // a comment\nint f()\n{ return /* x */ N; }"));
  CHECK(a != program_key("#define N 5\nint f() { return N; }\n"));
  // The order of directives and tokens, and where a token ends.
  CHECK(a != program_key("int f() { return N; }\n#define N 4\n"));
  CHECK(program_key("int a = b + +c;") != program_key("int a = b ++ c;"));
  CHECK(program_key("#if A\nint x;\n#endif\n") != program_key("#if A\n#endif\nint x;\n"));
  CHECK(program_key("int a b;") != program_key("int ab;"));
  CHECK(program_key("const char* s = \"a  b\";") != program_key("const char* s = \"a b\";"));
}

TEST_CASE("a file whose meaning may hang on lines or blanks is no one else's program") {
  for (const char* text : {"int l = __LINE__;", "const char* f = __FILE__;", "void f() { assert(1); }",
                           "#define S(x) #x\nint a;", "#line 4\nint a;", "#define L __LINE__\nint a;",
                           "const char* s = R\"(a\nb)\";"})
    CHECK_MESSAGE(program_key(text).empty(), text);
  CHECK(program_key("int a;" + std::string(70000, ' ')).empty());
}

TEST_CASE("only rows that pass are shared") {
  SharedRows rows;
  Row r;
  r.status = "gate_failed";
  rows.add("reduce/5", "key", r);
  CHECK(!rows.find("reduce/5", "key"));
  r.status = "pass";
  rows.add("reduce/5", "key", r);
  CHECK(rows.find("reduce/5", "key"));
  CHECK(!rows.find("reduce/6", "key"));
  rows.add("reduce/5", "", r);
  CHECK(!rows.find("reduce/5", ""));
}

TEST_CASE("a row of a shared program is the row that a run of its own gives") {
  const SmallClass c;
  c.hand_in("ada", c.solution());
  c.hand_in("bob", "// by bob\n" + c.solution());
  c.hand_in("carl", c.solution() + "int carl_line() { return __LINE__; }\n");  // never shared
  const Catalog catalog = c.catalog();
  for (const int jobs : {1, 2}) {
    auto o = c.options(catalog);
    o.jobs = jobs;
    auto rows = c.grade(o, catalog);
    REQUIRE(rows.size() == 3);
    std::vector<std::string> texts;
    for (Row& r : rows) {
      CHECK(r.status == "pass");
      r.student = "anyone";
      texts.push_back(to_json(r));
    }
    CHECK(texts[0] == texts[1]);
    CHECK(texts[0] == texts[2]);
  }
}
