// Absent lane: __syncwarp() stands in a branch that only some lanes take, and waits for all.
#include <cstdio>
#include <vector>

__global__ void neighbours(const int* in, int* out, int n) {
  __shared__ int s[32];
  int lane = threadIdx.x;
  s[lane] = 0;
  __syncwarp();
  if (lane < n) {  // fix: if (lane < n) s[lane] = in[lane];
    s[lane] = in[lane];  // fix:
    __syncwarp();  // expect: absent_lane // fix: __syncwarp();
    out[lane] = s[lane ^ 1];  // fix: if (lane < n) out[lane] = s[lane ^ 1];
  }  // fix:
  __syncthreads();
  if (lane >= n) out[lane] = s[31 - lane];
}

int main() {
  const int n = 20;
  std::vector<int> h(n, 3);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  neighbours<<<1, 32>>>(in, out, n);
  cudaMemcpy(h.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h[19]);
  cudaFree(in);
  cudaFree(out);
}
