// Streams as the host interpreter hands them to the device: priorities, of streams and of single launches,
// and the streams that are always there.
#include <doctest/doctest.h>

#include "../near.hpp"
#include "host_play.hpp"

using namespace dojo;
using dojo::tolerance::within;
using host_test::Loaded;

namespace {

/// How long a small kernel took that was launched behind a large one, microseconds. `streams` makes the
/// streams s and t; `launch` launches small<<<8, 256>>>(x) into t.
double behind_bulk(const std::string& streams, const std::string& launch) {
  Loaded l(R"(
__device__ void spin(float* x) {
  float v = x[threadIdx.x];
  for (int i = 0; i < 200; ++i) v = v * 1.0001f + 1.0f;
  x[threadIdx.x] = v;
}
__global__ void bulk(float* x) { spin(x + 256 * blockIdx.x); }
__global__ void small(float* x) { spin(x + 256 * blockIdx.x); }
void f() {
  float *x, *y;
  cudaMalloc(&x, 8192 * 1024);
  cudaMemset(x, 0, 8192 * 1024);
  cudaMalloc(&y, 8192);
  cudaMemset(y, 0, 8192);
  cudaDeviceSynchronize();
  cudaStream_t s, t;
  )" + streams +
           "\n  bulk<<<8192, 256, 0, s>>>(x);\n  " + launch +
           "\n  cudaDeviceSynchronize();\n  cudaFree(x);\n  cudaFree(y);\n}\n");
  l.session->call("f", {});
  for (const Diagnostic& d : l.session->take_findings()) FAIL_CHECK(d.message);
  const auto launches = l.device->take_launches();
  REQUIRE(launches.size() == 2);
  return launches[1].time_us;
}

const std::string plain = "small<<<8, 256, 0, t>>>(y);",
                  plain_streams =
                      "cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking); "
                      "cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);";

std::string with_priority(int bulk, int small) {
  const auto create = [](const char* name, int priority) {
    return std::string("cudaStreamCreateWithPriority(&") + name + ", cudaStreamNonBlocking, " +
           std::to_string(priority) + "); ";
  };
  return create("s", bulk) + create("t", small);
}

/// What two small kernels take that are launched into two streams, microseconds.
double two_kernels(const std::string& streams) {
  Loaded l(R"(
__global__ void spin(float* x) {
  float v = x[threadIdx.x];
  for (int i = 0; i < 20000; ++i) v = v * 1.0001f + 1.0f;
  x[threadIdx.x] = v;
}
void f() {
  float* x;
  cudaMalloc(&x, 2048);
  cudaMemset(x, 0, 2048);
  cudaDeviceSynchronize();
  cudaStream_t s, t;
  )" + streams +
           R"(
  spin<<<1, 256, 0, s>>>(x);
  spin<<<1, 256, 0, t>>>(x + 256);
  cudaDeviceSynchronize();
  cudaFree(x);
})");
  l.session->call("f", {});
  for (const Diagnostic& d : l.session->take_findings()) FAIL_CHECK(d.message);
  return l.device->end_to_end_us();
}

}  // namespace

TEST_CASE("the stream of a thread runs beside created streams, the legacy stream between them") {
  const double beside = two_kernels("cudaStreamCreate(&s); cudaStreamCreate(&t);");
  const double behind = two_kernels("s = 0; cudaStreamCreate(&t);");
  CHECK(behind > 1.2 * beside);
  CHECK(two_kernels("s = cudaStreamLegacy; cudaStreamCreate(&t);") == within(behind, 1e-6));
  CHECK(two_kernels("s = cudaStreamPerThread; cudaStreamCreate(&t);") == within(beside, 1e-6));
  CHECK(two_kernels("s = cudaStreamPerThread; t = cudaStreamLegacy;") > 1.2 * beside);
  CHECK(two_kernels("s = cudaStreamPerThread; t = s;") > 1.2 * beside);
  const double other = two_kernels("s = 0; cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);");
  CHECK(other < behind / 1.2);
}

TEST_CASE("streams that are always there can't be destroyed") {
  CHECK(host_test::play("int main() {\n  cudaStream_t s;\n  cudaStreamCreate(&s);\n"
                        "  const int own = cudaStreamDestroy(s), of_thread = "
                        "cudaStreamDestroy(cudaStreamPerThread);\n"
                        "  printf(\"%d %d %d\\n\", own, of_thread, cudaStreamDestroy(0));\n"
                        "  cudaGetLastError();\n}\n")
            .printed == "0 400 400\n");
}

TEST_CASE("a launch's priority attribute does what its stream's priority does") {
  const double equal = behind_bulk(plain_streams, plain);
  const double by_stream = behind_bulk(with_priority(0, -5), plain);
  const double by_launch = behind_bulk(plain_streams, R"(
  cudaLaunchAttribute a[1];
  a[0].id = cudaLaunchAttributePriority;
  a[0].val.priority = -5;
  cudaLaunchConfig_t c = {};
  c.gridDim = 8;
  c.blockDim = 256;
  c.stream = t;
  c.attrs = a;
  c.numAttrs = 1;
  cudaLaunchKernelEx(&c, small, y);)");
  CHECK(by_stream < 0.7 * equal);
  CHECK(by_launch == within(by_stream, 1e-6));
}

TEST_CASE("priorities outside the range of streams are taken as the nearest one inside") {
  const double equal = behind_bulk(plain_streams, plain);
  CHECK(behind_bulk(with_priority(9, 0), plain) == within(equal, 1e-6));
  CHECK(behind_bulk(with_priority(-5, -90), plain) == within(equal, 1e-6));
}

TEST_CASE("a priority that a stream gets later holds for the launches behind it, and is copied along") {
  const double by_stream = behind_bulk(with_priority(0, -5), plain);
  const std::string later = plain_streams + R"(
  cudaStreamAttrValue first = {};
  first.priority = -5;)";
  CHECK(behind_bulk(later + "cudaStreamSetAttribute(t, cudaStreamAttributePriority, &first);", plain) ==
        within(by_stream, 1e-6));
  CHECK(behind_bulk(later + R"(
  cudaStream_t u;
  cudaStreamCreate(&u);
  cudaStreamSetAttribute(u, cudaStreamAttributePriority, &first);
  cudaStreamCopyAttributes(t, u);)",
                    plain) == within(by_stream, 1e-6));
}

TEST_CASE("a host function may not queue another: cudaErrorNotPermitted, as long as it runs") {
  const host_test::Played p = host_test::play(R"(#include <cstdio>
int calls = 0;
void again(void*) {
  ++calls;
  printf("%s\n", cudaGetErrorName(cudaLaunchHostFunc(0, again, nullptr)));
}
int main() {
  cudaLaunchHostFunc(0, again, nullptr);
  cudaLaunchHostFunc(0, again, nullptr);
  cudaDeviceSynchronize();
  printf("%d\n", calls);
})");
  CHECK_FALSE(p.stopped);
  CHECK(p.printed == "cudaErrorNotPermitted\ncudaErrorNotPermitted\n2\n");
}
