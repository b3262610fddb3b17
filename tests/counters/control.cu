// Branches, loops, atomics, local memory: what is executed, and by how many lanes. Recorded and compared as
// global_patterns.cu says.
#include <cstdio>

// Two long sides: the compiler keeps the branch.
__global__ void by_lane(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  if (threadIdx.x % 2)
    for (int k = 0; k < 10; ++k) v = sqrtf(v + k);
  else
    for (int k = 0; k < 6; ++k) v = __expf(v) * 0.5f;
  out[i] = v;
}
__global__ void by_warp(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  if (threadIdx.x / 32 % 2)
    for (int k = 0; k < 10; ++k) v = sqrtf(v + k);
  else
    for (int k = 0; k < 6; ++k) v = __expf(v) * 0.5f;
  out[i] = v;
}
__global__ void trips_by_lane(const float* in, float* out, int most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0;
  for (int k = 0; k < i % most; ++k) v += in[(i + k) & 0xffff];
  out[i] = v;
}
__global__ void early_exit(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = in[i] * 2;
}
__global__ void grid_stride(const float* in, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i] * 2;
}
__global__ void chosen(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  out[i] = v > 0.5f ? v * 2 : v - 1;
}
__global__ void switched(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = in[i];
  switch (i % 5) {
    case 0: v += 3; break;
    case 1: v *= 7; break;
    case 2: v ^= 0x55; break;
    case 3: v = v / 3; break;
    default: v = -v;
  }
  out[i] = v;
}
__global__ void local_array(const float* in, float* out, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a[16];
  for (int j = 0; j < 16; ++j) a[j] = in[(i + j) & 0xffff];
  out[i] = a[k] + a[(k + i) & 15];
}
__global__ void atomic_apart(int* out) { atomicAdd(&out[blockIdx.x * blockDim.x + threadIdx.x], 1); }
__global__ void atomic_one(int* out) { atomicAdd(out, 1); }
__global__ void atomic_result(int* out, int* old) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  old[i] = atomicAdd(&out[i % 64], 1);
}
__global__ void shared_atomics(const int* in, int* out) {
  __shared__ int bins[64];
  if (threadIdx.x < 64) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[(in[blockIdx.x * blockDim.x + threadIdx.x] + threadIdx.x) & 63], 1);
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}
__global__ void warp_sum(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) out[i / 32] = v;
}
__global__ void integer_division(const int* in, int* out, int d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = (in[i] + i) / d + i % (d + 1);
}
__global__ void accurate_sine(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = sinf(in[i] + i * 0.01f);
}
__global__ void double_division(const double* in, double* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 1.0 / (in[i] + i + 1);
}

int main() {
  const int n = 1 << 16, block = 256, grid = n / block;
  float *in, *out;
  cudaMalloc(&in, 2 * n * sizeof(float));
  cudaMalloc(&out, 2 * n * sizeof(float));
  cudaMemset(in, 0, 2 * n * sizeof(float));
  cudaMemset(out, 0, 2 * n * sizeof(float));
  by_lane<<<grid, block>>>(in, out);
  by_warp<<<grid, block>>>(in, out);
  trips_by_lane<<<grid, block>>>(in, out, 7);
  early_exit<<<grid, block>>>(in, out, n - 1000);
  grid_stride<<<grid / 8, block>>>(in, out, n - 1000);
  chosen<<<grid, block>>>(in, out);
  switched<<<grid, block>>>((int*)in, (int*)out);
  local_array<<<grid, block>>>(in, out, 5);
  cudaMemset(out, 0, 2 * n * sizeof(float));
  atomic_apart<<<grid, block>>>((int*)out);
  atomic_one<<<grid, block>>>((int*)out);
  atomic_result<<<grid, block>>>((int*)out, (int*)out + n);
  shared_atomics<<<grid, block>>>((int*)in, (int*)out);
  warp_sum<<<grid, block>>>(in, out);
  integer_division<<<grid, block>>>((int*)in, (int*)out, 7);
  accurate_sine<<<grid, block>>>(in, out);
  double_division<<<grid, block>>>((double*)in, (double*)out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
