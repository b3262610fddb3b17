// What a place must be a multiple of, as the PTX ISA states it per instruction. Each instruction runs once at
// an aligned place, which is silent, and once beside it, which is a finding.
#include <algorithm>

#include "machine_rig.hpp"

using namespace dojo;
using dojo::test::Rig;

namespace {

/// Runs one statement of inline PTX on `s` (shared), `g` (global, 64-bit) and `n`; the findings of it.
std::vector<Diagnostic> findings_of(std::string statement, int shared, int global, int n) {
  std::replace(statement.begin(), statement.end(), '\n', ' ');  // one line, which the finding names
  Rig rig(R"(
__global__ void k(char* memory, int shared, int global, int n) {
  __shared__ __align__(128) char tile[4096];
  for (int i = threadIdx.x; i < 4096; i += 32) tile[i] = 0;
  asm volatile("fence.proxy.async;" ::: "memory"); __syncthreads();
  unsigned s = unsigned(__cvta_generic_to_shared(tile)) + shared;
  unsigned bar = unsigned(__cvta_generic_to_shared(tile)) + 2048;
  char* g = memory + global;
  unsigned a = 0, b = 0, c = 0, d = 0;
  long long w = 0;
  bool first = threadIdx.x == 0;
)" + statement +
          R"(
  if (a + b + c + d + w + n + bar + s == 12345 && first) *g = 1;
})");
  rig.launch("k", {1, 1, 1}, {32, 1, 1}, 0, rig.buffer(std::vector<char>(4096, 0), "memory"), shared, global,
             n);
  rig.found();
  return rig.findings;
}

struct Case {
  const char* statement;
  bool shared;  ///< the place is `s`, else `g`
  int bytes;    ///< what it must be a multiple of
  int n = 16;
};

}  // namespace

TEST_CASE("alignment: each instruction's address is held to the multiple that the PTX ISA states") {
  const Case cases[] = {
      {R"(if (first) asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(s));)", true,
       8},
      {R"(if (first) asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
            : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(s));)",
       true, 16},
      {R"(if (first) asm volatile("ld.shared.v4.u8 {%0, %1, %2, %3}, [%4];"
            : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(s));)",
       true, 4},
      {R"(if (first) asm volatile("st.shared.v2.u64 [%0], {%1, %1};" ::"r"(s), "l"(w));)", true, 16},
      {R"(asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
            : "=r"(a) : "r"(s + threadIdx.x % 8 * 16));)",
       true, 16},
      {R"(asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};"
            ::"r"(s + threadIdx.x % 8 * 16), "r"(a));)",
       true, 16},
      {R"(if (first) asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(s), "l"(g) : "memory");)",
       true, 8},
      {R"(if (first) asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(s), "l"(g) : "memory");)",
       false, 8},
      {R"(if (first) asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(g), "r"(0) : "memory");)",
       false, 4},
      {R"(if (first) asm volatile("red.shared.add.noftz.bf16x2 [%0], %1;" ::"r"(s), "r"(0) : "memory");)",
       true, 4},
      {R"(if (first) asm volatile("red.global.v2.f32.add [%0], {%1, %1};" ::"l"(g), "f"(0.f) : "memory");)",
       false, 8},
      {R"(if (first) asm volatile("red.global.v4.f32.add [%0], {%1, %1, %1, %1};"
            ::"l"(g), "f"(0.f) : "memory");)",
       false, 16},
      {R"(if (first) asm volatile("{ .reg .b128 x, y; mov.b128 x, {%1, %1};"
            "atom.global.b128.exch y, [%0], x; }"
            ::"l"(g),
            "l"(w) : "memory");)",
       false, 16},
      {R"(if (first) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(s) : "memory");)", true, 8},
      {R"(if (first) asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
            ::"l"(g), "r"(s), "r"(n) : "memory");)",
       true, 16},
      {R"(if (first) asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
            ::"l"(g), "r"(s), "r"(n) : "memory");)",
       false, 16},
  };
  for (const Case& c : cases) {
    CAPTURE(c.statement);
    for (const Diagnostic& d : findings_of(c.statement, 0, 0, c.n))
      FAIL_CHECK(to_string(d.kind) << ": " << d.message);
    // The largest power of two below: an address that a narrower access of this kind could have.
    const int beside = c.bytes / 2;
    const auto found = findings_of(c.statement, c.shared ? beside : 0, c.shared ? 0 : beside, c.n);
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind == FindingKind::misaligned);
    CHECK(found[0].where.line == 12);
    CHECK(found[0].message.find("not a multiple of " + std::to_string(c.bytes)) != std::string::npos);
  }
}

TEST_CASE("alignment: a bulk copy into shared memory is held to its size and its mbarrier, too") {
  const std::string copy =
      R"(if (first) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(bar) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
      ::"r"(s), "l"(g), "r"(n), "r"(bar BESIDE) : "memory");
  })";
  const auto of = [&](const char* beside, int shared, int global, int n) {
    std::string text = copy;
    text.replace(text.find("BESIDE"), 6, beside);
    const auto found = findings_of(text, shared, global, n);
    return found.size() == 1 && found[0].kind == FindingKind::misaligned && found[0].where.line == 12
               ? found[0].message
               : "";
  };
  CHECK(findings_of(std::string(copy).erase(copy.find("BESIDE"), 6), 0, 0, 32).empty());
  CHECK(of("", 8, 0, 32) ==
        "Thread 0 copies to element 8 of tile. Its address, shared memory + 8, is not a multiple of 16 "
        "bytes. "
        "cp.async.bulk needs 16-byte aligned addresses. Declare the array as alignas(16).");
  CHECK(of("", 0, 8, 32).find("copies from memory[8]") != std::string::npos);
  CHECK(of("", 0, 0, 24) == "Thread 0 copies 24 bytes. cp.async.bulk needs a multiple of 16 bytes.");
  CHECK(of("+ 4", 0, 0, 32).find("signals the mbarrier at") != std::string::npos);
}

TEST_CASE("alignment: a fragment's address and leading dimension are held to what wmma asks for") {
  struct Fragment {
    const char *type, *element;
    int offset, ld;        ///< in elements
    const char* expected;  ///< part of the message; empty: none
  };
  const Fragment cases[] = {
      {"wmma::accumulator, 16, 16, 16, float", "float", 8, 20, ""},
      {"wmma::accumulator, 16, 16, 16, float", "float", 4, 16, "not a multiple of 32 bytes"},
      {"wmma::accumulator, 16, 16, 16, float", "float", 0, 18, "multiple of 16 bytes: pad to 20 elements"},
      {"wmma::matrix_a, 16, 16, 16, half, wmma::row_major", "half", 16, 24, ""},
      {"wmma::matrix_a, 16, 16, 16, half, wmma::row_major", "half", 8, 16, "not a multiple of 32 bytes"},
      {"wmma::matrix_b, 16, 16, 16, half, wmma::col_major", "half", 0, 20, "pad to 24 elements"},
      {"wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major", "float", 4, 12, ""},
      {"wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major", "float", 2, 8, "multiple of 16"},
  };
  for (const Fragment& f : cases) {
    const std::string type = f.type;
    const bool sum = type.starts_with("wmma::accumulator");
    for (const char* place : {"tile", "memory"}) {
      CAPTURE(type);
      CAPTURE(f.offset);
      CAPTURE(f.ld);
      Rig rig("#include <mma.h>\nusing namespace nvcuda;\n__global__ void k(" + std::string(f.element) +
              "* memory) {\n  __shared__ __align__(128) " + f.element +
              " tile[1024];\n  for (int i = threadIdx.x; i < 1024; i += 32) tile[i] = " + f.element +
              "(1);\n  __syncthreads();\n  wmma::fragment<" + type + "> u;\n  wmma::load_matrix_sync(u, " +
              place + " + " + std::to_string(f.offset) + ", " + std::to_string(f.ld) +
              (sum ? ", wmma::mem_row_major" : "") + ");\n  memory[1000 + threadIdx.x % 2] = u.x[0];\n}");
      rig.launch("k", {1, 1, 1}, {32, 1, 1}, 0, rig.buffer(std::vector<float>(1024, 1.0f), "memory"));
      const std::string found = rig.found();
      if (!*f.expected) {
        // Lanes that store one element alike are a race or none; only the fragment counts here.
        CHECK(found.find("misaligned") == std::string::npos);
        continue;
      }
      REQUIRE(!rig.findings.empty());
      CHECK(rig.findings[0].kind == FindingKind::misaligned);
      CHECK(rig.findings[0].where.line == 8);
      CHECK(rig.findings[0].message.find(f.expected) != std::string::npos);
    }
  }
}
