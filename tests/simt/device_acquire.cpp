#include "device_fixture.hpp"

using namespace dojo;
using dojo::test::Kernels;

namespace {

// The first blocks wait for the others, of which each goes round a chain of lines that its L1 holds.
// (tests/microbench/acquire.cu: 39 cycles a load beside nobody and beside one who asks by volatile loads, 283
// beside one who asks by loads that acquire.)
const char* kBeside = R"(
__device__ unsigned acquire(const unsigned* p) {
  unsigned v;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
  return v;
}
__global__ void beside(const int* next, unsigned* done, int* out, int loads, int how) {
  const unsigned half = gridDim.x / 2;
  if (blockIdx.x < half) {
    unsigned* flag = done + blockIdx.x;
    if (how == 0) while (*(volatile unsigned*)flag == 0) {}
    if (how == 1) while (acquire(flag) == 0) {}
    if (how == 2) while (acquire(flag) == 0) while (*(volatile unsigned*)flag == 0) {}
    return;
  }
  int p = 0;
  for (int i = 0; i < loads; ++i) p = next[p];
  out[blockIdx.x] = p;
  __threadfence();
  atomicExch(done + blockIdx.x - half, 1u);
}
__global__ void fenced(const float* in, float* out, int rounds, int fence) {
  float sum = 0;
  for (int i = 0; i < rounds; ++i) {
    sum += in[threadIdx.x];
    if (fence == 1) __threadfence_block();
    if (fence == 2) __threadfence();
  }
  out[threadIdx.x] = sum;
}
)";

double l1_hit(Kernels& k, int fence) {
  const std::vector<float> numbers(64, 1.0f);
  REQUIRE(k.device
              ->launch(k.spec("fenced", {1, 1, 1}, {32, 1, 1}, k.buffer_of(numbers), k.buffer_of(numbers), 10,
                              fence))
              .ok());
  k.device->synchronize();
  return k.device->take_launches().at(0).counters.at("l1tex__t_sector_hit_rate.pct");
}

}  // namespace

TEST_CASE("blocks that wait by loads that acquire slow down who works from the L1 beside them") {
  Kernels k(kBeside);
  std::vector<int> next(32 * 32);
  for (int line = 0; line < 32; ++line) next[size_t(line) * 32] = (line + 1) % 32 * 32;
  const uint32_t blocks = 2 * uint32_t(k.device->info().sms);
  double us[3];
  for (int how = 0; how < 3; ++how) {
    const uint64_t done = k.buffer_of(std::vector<unsigned>(blocks, 0u)),
                   out = k.buffer_of(std::vector<int>(blocks, 0));
    REQUIRE(
        k.device->launch(k.spec("beside", {blocks, 1, 1}, {1, 1, 1}, k.buffer_of(next), done, out, 2000, how))
            .ok());
    k.device->synchronize();
    us[how] = k.device->take_launches().at(0).time_us;
  }
  const double cycles = k.device->info().clock_mhz / 2000.0;  // of a load, by microseconds
  CHECK(us[0] * cycles > 35);
  CHECK(us[0] * cycles < 60);   // with the launch
  CHECK(us[1] * cycles > 230);  // the GPU's 283 are of the near half of the L2, the model's are of both
  CHECK(us[1] * cycles < 430);
  CHECK(us[2] * cycles < 60);  // only the first look and the last acquire
}

TEST_CASE("a fence of the GPU's scope empties the L1, one of the block's doesn't") {
  Kernels k(kBeside);
  CHECK(l1_hit(k, 1) > 80);
  CHECK(l1_hit(k, 2) < 5);
}
