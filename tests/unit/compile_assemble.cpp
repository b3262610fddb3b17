#include <doctest/doctest.h>

#include "core/compile.hpp"
#include "core/compile/child.hpp"
#include "run/stored/stored_ptx.hpp"

using namespace dojo;

namespace {
std::string ptx_of(const std::string& source) {
  CompileRequest r;
  r.file = "t.cu";
  r.source = source;
  r.arch = "compute_75";
  Compiled c = compile(r);
  REQUIRE(c.ok);
  return c.ptx;
}
}  // namespace

TEST_CASE("ptxas reports registers, shared memory and stack, and gives machine code") {
  const std::string ptx = ptx_of(
      "__global__ void k(float* x) { __shared__ float s[256]; s[threadIdx.x] = x[threadIdx.x]; "
      "__syncthreads();\n"
      "  x[threadIdx.x] = s[255 - threadIdx.x]; }\n"
      "__global__ void spill(int* x, int n) { int a[100]; for (int i = 0; i < n; ++i) a[i % 100] = x[i];\n"
      "  x[0] = a[n % 100] + a[(n * 7) % 100]; }\n");
  const Assembled a = assemble(ptx, "sm_90");
  CAPTURE(a.message);
  REQUIRE(a.ok);
  CHECK(a.cubin.size() > 1000);
  const KernelResources k = a.kernels.at("_Z1kPf");
  CHECK(k.static_smem == 1024);
  CHECK(k.registers >= 16);
  CHECK_FALSE(k.estimated);
  CHECK(k.local_bytes == 0);
  CHECK(a.kernels.at("_Z5spillPii").local_bytes >= 400);
  CHECK(assemble(ptx, "sm_90").cubin == a.cubin);
}

TEST_CASE("PTX that ptxas refuses gives its one line") {
  const Assembled a =
      assemble(".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k() { nonsense; }\n", "sm_80");
  CHECK_FALSE(a.ok);
  CHECK(a.message.find("ptxas") != std::string::npos);
  CHECK(a.message.find('\n') == std::string::npos);
  CHECK(a.message.find("/tmp") == std::string::npos);
}

TEST_CASE("an architecture that the toolkit dropped is assembled for the nearest one, and says so") {
  const Assembled a = assemble(ptx_of("__global__ void k(float* x) { x[0] = 1; }"), "sm_70");
  if (a.ok && !a.message.empty()) CHECK(a.message.find("sm_75") != std::string::npos);
}

TEST_CASE("a tool's limit is on processor time: waiting does not count") {
  std::string output;
  CHECK(run_child({"/bin/sh", "-c", "sleep 2; echo done"}, "/tmp", 1, &output) == 0);
  CHECK(output == "done\n");
  CHECK(run_child({"/bin/sh", "-c", "while :; do :; done"}, "/tmp", 1, &output) == -2);
}

TEST_CASE("stored PTX keeps the names that a run needs, and PTX from elsewhere has none") {
  Compiled c;
  c.ok = true;
  c.ptx = "//\n.version 9.0\n";
  c.host_variables = {"threads", "\xc3\xa4\"\n"};
  c.managed_variables = {"counter"};
  c.allocation_names = {{7, "d_in"}, {12, "d_out"}};
  const Compiled back = run::from_stored_ptx(run::stored_ptx(c));
  CHECK(back.ok);
  CHECK(back.ptx == c.ptx);
  CHECK(back.host_variables == c.host_variables);
  CHECK(back.managed_variables == c.managed_variables);
  CHECK(back.allocation_names == c.allocation_names);
  for (const char* other : {"", "// warpdojo: ", "// warpdojo: {}\n.version 9.0\n", ".version 9.0\n"}) {
    CHECK(run::from_stored_ptx(other).ptx == other);
    CHECK(run::from_stored_ptx(other).host_variables.empty());
  }
}
