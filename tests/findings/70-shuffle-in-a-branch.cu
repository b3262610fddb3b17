// Absent lane: half of the warp shuffles with a mask that names all of it.
// Compute Sanitizer: not found
#include <cstdio>
#include <vector>

__global__ void sum(const float* in, float* out) {
  int lane = threadIdx.x;
  float v = in[lane];
  for (int d = 16; d > 0; d /= 2) {
    if (lane < d) v += __shfl_down_sync(0xffffffffu, v, d);  // expect: absent_lane // fix: float w = __shfl_down_sync(0xffffffffu, v, d); if (lane < d) v += w;
  }
  if (lane == 0) *out = v;
}

int main() {
  std::vector<float> h(32, 1.0f);
  float *in, *out;
  cudaMalloc(&in, 32 * sizeof(float));
  cudaMalloc(&out, sizeof(float));
  cudaMemcpy(in, h.data(), 32 * sizeof(float), cudaMemcpyHostToDevice);
  sum<<<1, 32>>>(in, out);
  cudaMemcpy(h.data(), out, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]);
  cudaFree(in);
  cudaFree(out);
}
