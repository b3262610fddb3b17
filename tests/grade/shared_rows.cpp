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

TEST_CASE("rows that name a line, and those of findings, crashes and limits, are not shared") {
  SharedRows rows;
  Row r;
  for (const RowStatus status : {RowStatus::finding, RowStatus::timeout, RowStatus::crash,
                                 RowStatus::compile_error, RowStatus::not_graded, RowStatus::missing}) {
    r.status = status;
    rows.add("reduce/5", "key", r);
    CHECK(!rows.find("reduce/5", "key"));
  }
  r.status = RowStatus::wrong;
  r.message = "5-sequential.cu:12: something here";
  rows.add("reduce/5", "key", r);
  CHECK(!rows.find("reduce/5", "key"));
  for (const RowStatus status : {RowStatus::wrong, RowStatus::gate_failed, RowStatus::flagged}) {
    r.status = status;
    r.message = "3 of the results are wrong; out[0] is 1, expected 2";
    rows.add("reduce/5", to_string(status), r);
    CHECK(rows.find("reduce/5", to_string(status)));
  }
  r.status = RowStatus::pass;
  rows.add("reduce/5", "key", r);
  CHECK(rows.find("reduce/5", "key"));
  CHECK(!rows.find("reduce/6", "key"));
  rows.add("reduce/5", "", r);
  CHECK(!rows.find("reduce/5", ""));
}

namespace {

/// Right, with bank conflicts.
const char* const conflicts = R"(__global__ void k(const float* in, float* partials, int n) {
  __shared__ float words[256 * 32];
  const int i = blockIdx.x * 256 + threadIdx.x;
  words[32 * threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int stride = 128; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) words[32 * threadIdx.x] += words[32 * (threadIdx.x + stride)];
    __syncthreads();
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = words[0];
}
void reduce(const float* in, float* partials, int n) { k<<<(n + 255) / 256, 256>>>(in, partials, n); }
)";

}  // namespace

TEST_CASE("a row of a shared program is the row that a run of its own gives") {
  const auto of = [](const char* file) { return read_or_empty(fs::path(DOJO_TEST_ROOT) / "tests" / file); };
  const SmallClass solved;
  const std::pair<std::string, std::string> programs[] = {
      {"pass", solved.solution()},
      {"gate_failed", conflicts},
      {"wrong", of("wrong/01-reduce/5-sequential--ends-too-soon.cu")},
      {"flagged", of("exploits/host-sum.cu")}};
  for (const auto& [status, program] : programs) {
    CAPTURE(status);
    const SmallClass c;
    c.hand_in("ada", program);
    c.hand_in("bob", "// by bob\n\n" + program);
    c.hand_in("carl", program + "int carl_line() { return __LINE__; }\n");  // never shared
    const Catalog catalog = c.catalog();
    for (const int jobs : {1, 2}) {
      auto o = c.options(catalog);
      o.jobs = jobs;
      auto rows = c.grade(o, catalog);
      REQUIRE(rows.size() == 3);
      std::vector<std::string> texts;
      for (Row& r : rows) {
        CHECK(to_string(r.status) == status);
        r.student = "anyone";
        texts.push_back(to_json(r));
      }
      CHECK(texts[0] == texts[1]);
      CHECK(texts[0] == texts[2]);
    }
  }
}
