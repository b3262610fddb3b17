// Findings name a thread's own arrays by the debug information of code that is compiled as written.
#include "device_fixture.hpp"

using namespace dojo;

namespace {

std::vector<Diagnostic> findings(const std::string& body) {
  simt::register_simt();
  auto device = open_device("simt:h100");
  CompileRequest request;
  request.file = "k.cu";
  request.source = "extern \"C\" __global__ void k(float* out, int n) {\n" + body + "\n}\n";
  request.debug = true;
  const Compiled c = compile(request);
  REQUIRE(c.ok);
  RunControl control;
  control.threads = 1;
  control.timing = false;
  device->set_control(control);
  device->load(ptx::parse(ptx::strip_host(*ptx::parse(c.ptx, "k.cu")), "k.cu"), {});
  uint64_t out = 0;
  REQUIRE(device->allocate(&out, 4096, Owner::device, "out", {}).ok());
  LaunchSpec s;
  s.kernel = "k";
  s.grid = s.cluster = {1, 1, 1};
  s.block = {32, 1, 1};
  s.params.resize(12);
  const int n = 40;
  std::memcpy(s.params.data(), &out, 8);
  std::memcpy(s.params.data() + 8, &n, 4);
  REQUIRE(device->launch(s).ok());
  std::vector<Diagnostic> all;
  try {
    device->synchronize();
  } catch (const RunStopped& stop) {
    all.push_back(stop.why);
  }
  for (auto& d : device->take_findings()) all.push_back(d);
  return all;
}

}  // namespace

TEST_CASE("findings: an index beyond a local array is named with the array and its length") {
  const auto all = findings(
      "  float t[32];\n"
      "  for (int i = 0; i <= n; ++i) t[i] = i;\n"
      "  out[threadIdx.x] = t[3];");
  REQUIRE(!all.empty());
  CHECK(all[0].kind == FindingKind::out_of_bounds);
  CHECK(all[0].where.line == 3);
  CHECK(all[0].message == "Thread 0 writes t[32]; t has 32 elements.");
}

TEST_CASE("findings: an index outside a local array of two dimensions has both indices") {
  for (const bool before : {true, false}) {
    const auto all = findings(
        "  float m[4][8];\n"
        "  for (int i = 0; i < 32; ++i) m[i / 8][i % 8] = 1;\n" +
        std::string("  out[threadIdx.x] = m[n - ") + (before ? "41" : "36") + "][7];");
    REQUIRE(!all.empty());
    CHECK(all[0].kind == FindingKind::out_of_bounds);
    CHECK(all[0].message == (before ? "Thread 0 reads m[-1][7]; m has 4 × 8 elements."
                                    : "Thread 0 reads m[4][7]; m has 4 × 8 elements."));
  }
}

TEST_CASE("findings: an element of a local array that was never written is named") {
  const auto all = findings(
      "  float a[16], b[16];\n"
      "  for (int i = 0; i < 16; ++i) a[i] = i;\n"
      "  for (int i = 0; i < n - 28; ++i) b[i] = a[i];\n"
      "  out[threadIdx.x] = b[n - 26] * 2;");
  REQUIRE(!all.empty());
  CHECK(all[0].kind == FindingKind::uninitialized);
  CHECK(all[0].message == "Thread 0 reads b[14], which it has not written.");
}
