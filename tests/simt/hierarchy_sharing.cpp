// Who keeps what in an L1.
#include "device_fixture.hpp"

using namespace dojo;
using dojo::test::Kernels;

// Blocks of an SM push each other's lines out of its L1: 32 of them with 256 lines each leave none for the
// next pass, one alone keeps its own. (Replayed by fewer at a time, each found its lines again; products with
// long rows were up to 45 % low.)
TEST_CASE("blocks that share an SM share its L1, also when each makes thousands of accesses") {
  Kernels k(R"(
__global__ void passes(const float* x, float* out) {
  float sum = 0;
  for (int pass = 0; pass < 8; ++pass)
#pragma unroll 1
    for (int row = 0; row < 256; ++row)  // lines that no other block on the SM reads
      sum += x[row * 1024 + blockIdx.x / 132 * 32 + threadIdx.x];
  out[blockIdx.x] = sum;
}
)");
  const uint64_t x = k.buffer_of(std::vector<float>(size_t(256) * 1024, 1.0f)), out = k.buffer(4 * 4224);
  const auto hits = [&](unsigned blocks) {
    return k.run(k.spec("passes", {blocks, 1, 1}, {2, 1, 1}, x, out))
        .counters["l1tex__t_sector_hit_rate.pct"];
  };
  CHECK(hits(132) > 80);
  CHECK(hits(4224) < 10);
}
