// Shared memory may be declared outside of any function, in static and in dynamic size.
#include <cstdio>

__shared__ int tile[64];
extern __shared__ float dynamic[];

__device__ void fill(int t) {
  tile[t] = t;
  dynamic[t] = 0.5f;
}

extern "C" __global__ void mirror(int* out, int n, float add) {
  const int t = threadIdx.x;
  fill(t);
  __syncthreads();
  if (t < n) out[t] = tile[n - 1 - t] + int(2 * dynamic[t] + add);
}

int main() {
  int host[64], *out;
  cudaMalloc(&out, sizeof host);
  mirror<<<1, 64, 64 * sizeof(float)>>>(out, 64, 1.0f);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  printf("%d %d\n", host[0], host[63]);
}
