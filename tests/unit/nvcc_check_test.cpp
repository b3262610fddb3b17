// Machine code of the two ways to a GPU, compared.
#include <doctest/doctest.h>

#include "core/compile.hpp"
#include "core/error.hpp"
#include "core/paths.hpp"
#include "ptx/module.hpp"
#include "run/audits/nvcc_check.hpp"
#include "run/runner.hpp"

using namespace dojo;
using namespace dojo::run;

namespace {

ptx::SassInstruction operation(uint16_t opcode, uint8_t width = 0, int64_t target = -1) {
  ptx::SassInstruction i;
  i.opcode = opcode, i.width = width, i.target = target;
  return i;
}

MachineCode code(std::vector<ptx::SassInstruction> list, int registers = 16) {
  ptx::SassFunction f;
  f.registers = registers;
  for (size_t i = 0; i < list.size(); ++i) {
    list[i].address = uint32_t(16 * i);
    f.code.push_back(list[i]);
  }
  return machine_code(f);
}

}  // namespace

TEST_CASE("nvcc: what fills the end of a function is no instruction of it") {
  namespace s = ptx::sass;
  const MachineCode c = code({operation(s::lds, 16), operation(s::bra, 0, 0), operation(s::exit),
                              operation(s::bra, 0, 48), operation(s::nop), operation(s::nop)});
  CHECK(c.instructions == 3);  // the branch back to the start is the function's own
  CHECK(c.sequence == std::vector<std::string>{"LDS.128", "BRA", "EXIT"});
  CHECK(c.operations.at("LDS.128") == 1);
}

TEST_CASE("nvcc: differences name the accesses first, then what differs most") {
  namespace s = ptx::sass;
  ComparedCode c;
  c.here = code({operation(s::lds, 4), operation(s::lds, 4), operation(s::mov), operation(s::exit)});
  c.nvcc = code({operation(s::lds, 8), operation(s::exit)});
  CHECK_FALSE(c.same_accesses());
  CHECK(c.difference() == "LDS.32 2, nvcc 0; LDS.64 0, nvcc 1");
  c.nvcc = code({operation(s::lds, 4), operation(s::lds, 4), operation(s::exit)});
  CHECK(c.same_accesses());
  CHECK_FALSE(c.same());
  CHECK(c.difference() == "MOV 1, nvcc 0");
  c.nvcc = code({operation(s::mov), operation(s::lds, 4), operation(s::lds, 4), operation(s::exit)});
  CHECK(c.difference() == "the same operations in another order");
  c.nvcc = c.here;
  CHECK(c.same());
  CHECK(c.difference().empty());
  c.nvcc.registers = 17;
  CHECK_FALSE(c.same());
}

TEST_CASE("nvcc: registers read from machine code are those that ptxas prints") {
  const char* text = R"(
__global__ void few(float* a) { a[threadIdx.x] = 1; }
__global__ void many(const float4* in, float* out) {
  float4 v[8];
  for (int k = 0; k < 8; ++k) v[k] = in[k * 32 + threadIdx.x];
  float s = 0;
  for (int k = 0; k < 8; ++k) s += v[k].x * v[7 - k].y + v[k].z * v[7 - k].w;
  out[threadIdx.x] = s;
}
)";
  CompileRequest r;
  r.file = "two.cu", r.source = text, r.arch = "compute_75";
  const Compiled compiled = compile(r);
  REQUIRE(compiled.ok);
  const auto whole = ptx::parse(compiled.ptx, "two.cu");
  const Assembled a = assemble(ptx::strip_host(*whole), "sm_75");
  REQUIRE(a.ok);
  const ptx::Cubin cubin = ptx::read_cubin(a.cubin);
  CHECK(a.kernels.size() == 2);
  for (const auto& [name, resources] : a.kernels) {
    REQUIRE(cubin.find(name));
    CHECK(cubin.find(name)->registers == resources.registers);
  }
}

TEST_CASE("nvcc: a plain kernel is the same machine code either way") {
  register_devices();
  const Catalog catalog = load_catalog(source_root());
  std::vector<std::string> said;
  const auto all = compare_with_nvcc(catalog, {&catalog.find("first-launch/2-index")},
                                     [&](const std::string& s) { said.push_back(s); });
  CHECK(said.empty());
  REQUIRE(all.size() == 1);
  CHECK(all[0].here.instructions > 8);
  CHECK(all[0].same_accesses());
  CHECK(all[0].here.operations.at("STG.32") == 1);
  const std::string text = nvcc_markdown(all, nvcc_version(), "2026-11-28", "c0ffee");
  CHECK(text.find("`warpdojo bench nvcc` on 2026-11-28 at commit c0ffee.") != std::string::npos);
  CHECK(text.find("Of 1 kernels") != std::string::npos);
  CHECK(nvcc_version().find('.') != std::string::npos);
}
