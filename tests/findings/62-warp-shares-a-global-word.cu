// Race, global, one warp: lane 0 leaves a base index in global memory, and the other lanes read it at once.
#include <cstdio>
#include <vector>

__global__ void reserve(int* cursor, int* slot, int* out) {
  int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (lane == 0) slot[warp] = atomicAdd(cursor, 32);  // expect: race // fix: if (lane == 0) slot[warp] = atomicAdd(cursor, 32);
  // fix: __syncwarp();
  int base = slot[warp];  // other side
  out[base + lane] = warp;
}

int main() {
  const int warps = 8;
  std::vector<int> h(warps * 32);
  int *cursor, *slot, *out;
  cudaMalloc(&cursor, sizeof(int));
  cudaMalloc(&slot, warps * sizeof(int));
  cudaMalloc(&out, h.size() * sizeof(int));
  cudaMemset(cursor, 0, sizeof(int));
  cudaMemset(slot, 0, warps * sizeof(int));
  reserve<<<2, 128>>>(cursor, slot, out);
  cudaMemcpy(h.data(), out, h.size() * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(cursor);
  cudaFree(slot);
  cudaFree(out);
}
