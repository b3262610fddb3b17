// What lies under a source file: PTX and machine code by line, resources, counts.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/compile/disassemble.hpp"
#include "core/error.hpp"
#include "fixture_labs.hpp"
#include "run/list_code.hpp"
#include "run/worker/worker_protocol.hpp"
#include "shell.hpp"

using namespace dojo;

namespace {
const char* const source = R"(__device__ float twice(float v) { return v + v; }
__global__ void scale(const float* in, float* out, int n) {
  __shared__ float part[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  if (i < n)
    out[i] = twice(part[threadIdx.x ^ 1]);
}
void run(const float* in, float* out, int n) {
  scale<<<(n + 63) / 64, 64>>>(in, out, n);
}
)";

CodeListing list(const std::string& text) {
  CompileRequest r;
  r.file = "labs/x.cu";
  r.source = text;
  r.arch = "compute_75";
  return run::list_compiled(compile(r), r.file, DeviceInfo{});
}

std::set<std::string> names_at(const CodeListing::Function& f, int line) {
  std::set<std::string> out;
  for (auto& i : f.ptx)
    if (i.line == line) out.insert(i.text.substr(0, i.text.find(' ')));
  return out;
}
}  // namespace

TEST_CASE("listing: each PTX instruction stands under its line, host functions are left out") {
  const CodeListing c = list(source);
  REQUIRE(c.functions.size() == 1);
  const auto& f = c.functions[0];
  CHECK(f.name == "scale");
  CHECK(f.kernel);
  CHECK(c.target == "sm_75");
  CHECK(names_at(f, 5).count("ld.global.f32") + names_at(f, 5).count("@%p1") +
            names_at(f, 5).count("st.shared.f32") >=
        2);
  CHECK(names_at(f, 6) == std::set<std::string>{"bar.sync"});
  CHECK(names_at(f, 8).count("st.global.f32"));
  CHECK(names_at(f, 1).count("add.f32"));  // inlined: the line in the student's file where it stands
  for (auto& i : f.ptx) {
    CHECK(i.line <= 9);
    CHECK(i.text.find('\n') == std::string::npos);
    CHECK_FALSE(i.text.empty());
  }
}

TEST_CASE("listing: machine code is there by line, with the kernel's resources") {
  const CodeListing c = list(source);
  REQUIRE(c.no_machine_code == "");
  CHECK(c.machine == "sm_90");
  const auto& f = c.functions.at(0);
  CHECK(f.resources.static_smem == 256);
  CHECK(f.resources.registers >= 8);
  CHECK(f.spills.stores == 0);
  CHECK_FALSE(f.resources.estimated);
  REQUIRE(f.sass.size() > 10);
  for (size_t k = 0; k < f.sass.size(); ++k) CHECK(f.sass[k].at == 16 * k);
  auto has = [&](int line, const char* name) {
    return std::any_of(f.sass.begin(), f.sass.end(),
                       [&](auto& i) { return i.line == line && i.text.find(name) != std::string::npos; });
  };
  CHECK(has(6, "BAR"));
  CHECK(has(8, "STG"));
  CHECK(has(5, "STS"));
  // One of the two: operands, or a line that says why not.
  CHECK(c.disassembler.empty() == !c.no_disassembler.empty());
}

TEST_CASE("listing: spills are counted") {
  // 200 values alive at once, with room for 24 registers.
  std::string text =
      "__global__ void __launch_bounds__(1024, 2) wide(const float* in, float* out) {\n  float v[80];\n";
  text +=
      "#pragma unroll\n  for (int k = 0; k < 80; ++k) v[k] = in[threadIdx.x + k * 1024];\n  "
      "__syncthreads();\n";
  text +=
      "#pragma unroll\n  for (int k = 0; k < 80; ++k) out[threadIdx.x + k * 1024] = v[k] * v[(k * 7 + 3) % "
      "80];\n}\n";
  const CodeListing c = list(text);
  REQUIRE(c.functions.size() == 1);
  CHECK(c.functions[0].resources.registers <= 32);
  CHECK(c.functions[0].spills.stores > 0);
  CHECK(resources_text(c.functions[0]).find("spills: ") != std::string::npos);
}

TEST_CASE("listing: what does not compile has a message and no functions") {
  const CodeListing c = list("__global__ void k(int* p) { *p = nope; }\n");
  CHECK(c.functions.empty());
  REQUIRE_FALSE(c.diagnostics.empty());
  CHECK(c.diagnostics[0].where.line == 1);
}

TEST_CASE("listing: counts are entered where they fit") {
  CodeListing c = list(source);
  const std::string name = c.functions[0].mangled;
  run::add_counts({{name, {1, 2}}, {"other", {3}}}, c);
  CHECK_FALSE(c.ran);  // of another text
  run::add_counts({{name, std::vector<uint64_t>(c.functions[0].ptx.size(), 9)}}, c);
  CHECK(c.ran);
  for (auto& i : c.functions[0].ptx) CHECK(i.executed == 9);
}

TEST_CASE("listing: JSON and the worker's channel give it back") {
  CodeListing c = list(source);
  c.functions[0].ptx[1].executed = 12;
  c.functions[0].ptx[0].other = "include/x.cuh:3";
  const CodeListing back = code_listing_from_json(to_json(c));
  CHECK(to_json(back) == to_json(c));
  run::WorkerEvent e;
  e.kind = run::WorkerEvent::report;
  e.exit_status = 0;
  e.code = std::make_shared<CodeListing>(c);
  uint64_t id = 0;
  const auto got = run::decode_event(run::encode(e, 7), &id);
  REQUIRE(got);
  CHECK(id == 7);
  REQUIRE(got->code);
  CHECK(to_json(*got->code) == to_json(c));
  CHECK_THROWS_AS(code_listing_from_json("{\"file\": 3}"), Error);
}

TEST_CASE("listing: both disassemblers' texts are read") {
  const char* nvdisasm = R"(	.section	.nv.info,"",@"SHT_CUDA_INFO"
        /*0000*/ 	.byte	0x04, 0x2f
	.section	.text._Z4sumsPKfPfi,"ax",@progbits
_Z4sumsPKfPfi:
.text._Z4sumsPKfPfi:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/                   S2R R0, SR_TID.X ;
.L_x_0:
        /*0020*/              @!P0 BRA `(.L_x_0) ;
)";
  auto a = parse_disassembly(nvdisasm);
  REQUIRE(a.size() == 1);
  CHECK(a["_Z4sumsPKfPfi"].size() == 3);
  CHECK(a["_Z4sumsPKfPfi"][0x10] == "S2R R0, SR_TID.X");
  CHECK(a["_Z4sumsPKfPfi"][0x20] == "@!P0 BRA `(.L_x_0)");
  const char* cuobjdump = R"(
	code for sm_90
		Function : _Z4sumsPKfPfi
	.headerflags	@"EF_CUDA_SM90"
        /*0000*/                   LDC R1, c[0x0][0x28] ;                    /* 0x00000a00ff017b82 */
                                                                             /* 0x000fe20000000800 */
        /*0010*/                   EXIT ;                                    /* 0x000000000000794d */
		..........
		Function : other
        /*0000*/                   BRA 0x0;                                  /* 0x0 */
)";
  auto b = parse_disassembly(cuobjdump);
  REQUIRE(b.size() == 2);
  CHECK(b["_Z4sumsPKfPfi"].size() == 2);
  CHECK(b["_Z4sumsPKfPfi"][0] == "LDC R1, c[0x0][0x28]");
  CHECK(b["other"][0] == "BRA 0x0");
  CHECK(parse_disassembly("").empty());
}

TEST_CASE("warpdojo code: a line, no code, a file that does not compile, wrong usage") {
  test::TempFolder t;
  test::write_demo_lab(t);
  auto bench = [&](const std::string& line) { return test::shell(t, t.path.string(), line); };
  t.write("labs/01-demo/1-first.cu", source);
  auto s = bench("$W code demo/1 --device simt:h100 --line 6");
  CHECK(s.status == 0);
  CHECK(s.out.find("bar.sync 0") != std::string::npos);
  CHECK(s.out.find("st.shared") == std::string::npos);
  CHECK(s.out.find("__syncthreads();") != std::string::npos);
  CHECK(s.out.find("no spills") != std::string::npos);
  s = bench("$W code demo/1 --device simt:h100 --line 10");
  CHECK(s.status == 0);
  CHECK(s.out.find("line 10 became no code") != std::string::npos);
  s = bench("$W code demo/1 --device simt:h100 --sass --json");
  CHECK(s.status == 0);
  CHECK(code_listing_from_json(s.out).functions.size() == 1);
  t.write("labs/01-demo/2-second.cu", "__global__ void k() {}\nvoid f() { nope(); }\n");
  s = bench("$W code demo/2 --device simt:h100");
  CHECK(s.status == 3);
  CHECK(s.out.find("2-second.cu:2:") != std::string::npos);
  s = bench("$W code demo/9 --device simt:h100");
  CHECK(s.status == 2);
  CHECK(test::one_line(s.err));
  s = bench("$W code demo/1 --device simt:nothing");
  CHECK(s.status == 2);
}
