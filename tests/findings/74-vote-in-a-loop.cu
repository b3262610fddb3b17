// Absent lane: lanes leave the loop one by one, and those that stay go on voting with all.
#include <cstdio>
#include <vector>

__global__ void rounds(const int* need, int* out) {
  int left = need[threadIdx.x], n = 0;
  while (left > 0) {  // fix: while (__any_sync(0xffffffffu, left > 0)) {
    --left;
    n += __popc(__ballot_sync(0xffffffffu, left > 0));  // expect: absent_lane // fix: n += __popc(__ballot_sync(0xffffffffu, left > 0));
  }
  out[threadIdx.x] = n;
}

int main() {
  std::vector<int> h(32);
  for (int i = 0; i < 32; ++i) h[i] = 1 + i / 8;
  int *need, *out;
  cudaMalloc(&need, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemcpy(need, h.data(), 32 * sizeof(int), cudaMemcpyHostToDevice);
  rounds<<<1, 32>>>(need, out);
  cudaMemcpy(h.data(), out, 32 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[31]);
  cudaFree(need);
  cudaFree(out);
}
