// The twin of a program whose kernels stamp their blocks for the timeline: it must assemble, and stamp every
// way out.
#include <doctest/doctest.h>

#include <filesystem>

#include "core/compile.hpp"
#include "core/files/whole_file.hpp"
#include "core/paths.hpp"
#include "cuda/timeline_ptx.hpp"
#include "ptx_build.hpp"

using namespace dojo;

namespace {

size_t count(const std::string& text, const std::string& what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("block stamps: a kernel's end is found behind inline assembly in braces") {
  // Conversions of halves are inline assembly that opens and closes a brace in one line: the softmax steps
  // had no block timeline.
  CompileRequest request;
  request.file = "step.cu";
  request.source = R"(
#include <cuda_fp16.h>
__device__ __noinline__ float helper(float v) { return v > 2 ? v * v : 1; }
__global__ void one(const half* x, half* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = __float2half(helper(__half2float(x[i])) + 1);
}
__global__ void two(float* y) { y[threadIdx.x] = helper(y[threadIdx.x]); }
)";
  request.arch = "compute_75";
  const Compiled c = compile(request);
  REQUIRE(c.ok);
  const std::string twin = cuda::add_block_stamps(ptx::strip_host(*ptx::parse(c.ptx, "step.cu")));
  CHECK(count(twin, "mov.u64 %djd2, %globaltimer") == 2);  // a kernel begins once
  CHECK(count(twin, "mov.u64 %djd3, %globaltimer") >= 2);
  const Assembled a = assemble(twin, "sm_90");
  CHECK_MESSAGE(a.ok, a.message);
}

TEST_CASE("block stamps: the twins of the softmax references assemble") {
  for (const auto& entry : std::filesystem::directory_iterator(source_root() / "reference" / "05-softmax")) {
    if (entry.path().extension() != ".cu") continue;
    CAPTURE(entry.path().filename().string());
    CompileRequest request;
    request.file = entry.path().filename().string();
    request.source = read_or_empty(entry.path());
    request.arch = "compute_90";
    const Compiled c = compile(request);
    REQUIRE(c.ok);
    const std::string twin = cuda::add_block_stamps(ptx::strip_host(*ptx::parse(c.ptx, request.file)));
    const Assembled a = assemble(twin, "sm_90");
    CHECK_MESSAGE(a.ok, a.message);
  }
}
