// The kernels of local_rows.cu, without a clock, so that the SIMT machine's time model can run them too.
#pragma once

enum class LocalUse { read, write, update };  // update: a load, an addition and a store of the element

/// `rounds` uses of an array of 64 elements that ptxas keeps in local memory. An index follows from the last
/// one, so that no use starts before the one ahead of it: all lanes of a warp have the same index, or each
/// lane its own (`spread`).
template <typename T, LocalUse USE>
__device__ inline void local_rows_body(int* out, unsigned rounds, unsigned spread) {
  const unsigned lane = threadIdx.x % 32;
  T row[64];
  for (unsigned k = 0; k < 64; ++k) row[k] = T(k * 0 + (out[k] & 1));
  unsigned at = lane * spread;
  int sum = 0;
#pragma unroll 1
  for (unsigned r = 0; r < rounds; ++r) {
    at = at * 5 + 1 & 63;
    if (USE == LocalUse::read) sum += int(row[at]), at += unsigned(row[at]) & 64u;
    if (USE == LocalUse::write) row[at] = T(r);
    if (USE == LocalUse::update) row[at] = T(row[at] + 1), at += unsigned(row[at]) >> 31;
  }
  for (unsigned k = 0; k < 64; ++k) sum += int(row[(k + at) & 63]);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum & 2;
}
