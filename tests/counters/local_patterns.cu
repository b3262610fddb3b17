// Local memory: arrays that ptxas keeps in registers or not, read and written at computed indices, by whole warps and by parts.
#include <cstdio>

constexpr int n = 65536;

/// Sixteen words: comparisons instead of local memory.
__global__ void read_16(const float* in, const int* which, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[16];
  for (int k = 0; k < 16; ++k) v[k] = in[(i + k * 256) & (n - 1)];
  out[i] = v[which[i] & 15];
}

/// Forty words, stored once, of which each thread reads one.
__global__ void read_40(const float* in, const int* which, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[40];
  for (int k = 0; k < 40; ++k) v[k] = in[(i + k * 256) & (n - 1)];
  out[i] = v[which[i] % 40];
}

/// A histogram of its own for each thread: every access at a computed index.
__global__ void count_64(const int* which, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned char bins[64] = {};
#pragma unroll 1
  for (int k = 0; k < 32; ++k) ++bins[which[(i + k * 256) & (n - 1)] & 63];
  out[i] = bins[i & 63];
}

/// The same index for all lanes of a warp: whole lines.
__global__ void rotate_128(const float* in, float* out, int turns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[128];
  for (int k = 0; k < 128; ++k) v[k] = in[(i + k * 256) & (n - 1)];
#pragma unroll 1
  for (int k = 0; k < turns; ++k) v[(k * 7) & 127] += v[(k * 5 + 3) & 127];
  float sum = 0;
  for (int k = 0; k < 128; ++k) sum += v[k];
  out[i] = sum;
}

/// Half of the lanes.
__global__ void half_40(const float* in, const int* which, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 32 >= 16) return;
  float v[40];
  for (int k = 0; k < 40; ++k) v[k] = in[(i + k * 256) & (n - 1)];
  out[i] = v[which[i] % 40];
}

int main() {
  float *in, *out;
  int* which;
  cudaMalloc((void**)&in, n * sizeof(float));
  cudaMalloc((void**)&out, n * sizeof(float));
  cudaMalloc((void**)&which, n * sizeof(int));
  int* host = new int[n];
  for (int i = 0; i < n; ++i) host[i] = i * 7919 % 1009;
  cudaMemcpy(which, host, n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(in, 0, n * sizeof(float));
  const int block = 256, grid = n / block;
  read_16<<<grid, block>>>(in, which, out);
  read_40<<<grid, block>>>(in, which, out);
  count_64<<<grid, block>>>(which, (int*)out);
  rotate_128<<<grid, block>>>(in, out, 64);
  half_40<<<grid, block>>>(in, which, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  delete[] host;
  cudaFree(in);
  cudaFree(out);
  cudaFree(which);
}
