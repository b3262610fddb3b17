#include "device_fixture.hpp"
#include "microbench.hpp"

using namespace dojo;
using dojo::test::Kernels;

namespace {

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
  Kernels k(dojo::test::kernel_source("beside.cu"));
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
  Kernels k(dojo::test::kernel_source("beside.cu"));
  CHECK(l1_hit(k, 1) > 80);
  CHECK(l1_hit(k, 2) < 5);
}

TEST_CASE("generic atomics on scattered words are counted in the memory that they reach") {
  Kernels k(R"(
__global__ void scattered(int* out, int in_shared) {
  __shared__ int words[32];
  words[threadIdx.x] = 0;
  __syncwarp();
  int* to = (in_shared ? words : out) + threadIdx.x * threadIdx.x % 13;
  asm volatile("red.add.s32 [%0], 1;" ::"l"(to) : "memory");
})");
  for (const int in_shared : {0, 1}) {
    REQUIRE(k.device
                ->launch(k.spec("scattered", {1, 1, 1}, {32, 1, 1}, k.buffer_of(std::vector<int>(32, 0)),
                                in_shared))
                .ok());
    k.device->synchronize();
    auto counters = k.device->take_launches().at(0).counters;
    CHECK(counters["dojo__atomics.sum"] == 1);
    CHECK(counters["dojo__shared_atomics.sum"] == in_shared);
  }
}

TEST_CASE(
    "a generic load that goes to shared memory in one round and to global memory in the next counts as "
    "both") {
  Kernels k(R"(
__global__ void either(const float* in, float* out, int rounds) {
  __shared__ float words[32];
  words[threadIdx.x] = 1;
  __syncwarp();
  float sum = 0;
  for (int k = 0; k < rounds; ++k) {
    const float* from = (k % 4 == 0 ? in : words) + threadIdx.x;
    float v;
    asm volatile("ld.f32 %0, [%1];" : "=f"(v) : "l"(from) : "memory");
    sum += v;
  }
  out[threadIdx.x] = sum;
})");
  const std::vector<float> numbers(32, 1.0f);
  REQUIRE(
      k.device->launch(k.spec("either", {1, 1, 1}, {32, 1, 1}, k.buffer_of(numbers), k.buffer_of(numbers), 8))
          .ok());
  k.device->synchronize();
  auto counters = k.device->take_launches().at(0).counters;
  CHECK(counters["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] == 2);
  CHECK(counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] == 8);
  CHECK(counters["dojo__lane_bytes_global_op_ld.sum"] == 256);
  CHECK(counters["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] == 6);
  CHECK(counters["dojo__lane_bytes_shared_op_ld.sum"] == 768);
}
