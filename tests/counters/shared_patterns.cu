// Shared memory, one access pattern a kernel: wavefronts and conflicts. Recorded and compared as
// global_patterns.cu says. Every kernel stores, synchronises, and loads in the pattern of its name.
#include <cstdio>

__global__ void stride_1(float* out) {
  __shared__ float s[256];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void stride_2(float* out) {
  __shared__ float s[512];
  s[2 * threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = s[2 * (threadIdx.x ^ 1)];
}
__global__ void stride_3(float* out) {
  __shared__ float s[768];
  s[3 * threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = s[3 * (threadIdx.x ^ 1)];
}
__global__ void stride_16(float* out) {
  __shared__ float s[4096];
  s[16 * threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = s[16 * (threadIdx.x ^ 1)];
}
__global__ void stride_32(float* out) {
  __shared__ float s[8192];
  s[32 * threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = s[32 * (threadIdx.x ^ 1)];
}
__global__ void stride_33(float* out) {
  __shared__ float s[8448];
  s[33 * threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = s[33 * (threadIdx.x ^ 1)];
}
__global__ void broadcast(float* out) {
  __shared__ float s[256];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = s[blockIdx.x % 256];
}
__global__ void two_words(float* out) {
  __shared__ float s[256];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = s[(threadIdx.x & 1) * 32 + blockIdx.x % 32];
}
__global__ void bytes_8(float2* out) {
  __shared__ float2 s[256];
  s[threadIdx.x] = make_float2(threadIdx.x, 1);
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void bytes_8_stride_2(float2* out) {
  __shared__ float2 s[512];
  s[2 * threadIdx.x] = make_float2(threadIdx.x, 1);
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = s[2 * (threadIdx.x ^ 1)];
}
__global__ void bytes_16(float4* out) {
  __shared__ float4 s[256];
  s[threadIdx.x] = make_float4(threadIdx.x, 1, 2, 3);
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void bytes_16_stride_2(float4* out) {
  __shared__ float4 s[512];
  s[2 * threadIdx.x] = make_float4(threadIdx.x, 1, 2, 3);
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = s[2 * (threadIdx.x ^ 1)];
}
__global__ void bytes_16_broadcast(float4* out) {
  __shared__ float4 s[256];
  s[threadIdx.x] = make_float4(threadIdx.x, 1, 2, 3);
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x / 16 * 2];
}
__global__ void bytes_1(char* out) {
  __shared__ char s[256];
  s[threadIdx.x] = char(threadIdx.x);
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void bytes_2(short* out) {
  __shared__ short s[256];
  s[threadIdx.x] = short(threadIdx.x);
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void half_a_warp(float* out) {
  __shared__ float s[8192];
  if (threadIdx.x % 2) s[32 * threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x % 2) out[blockIdx.x * 256 + threadIdx.x] = s[32 * (threadIdx.x ^ 2)];
}
__global__ void scattered(float* out) {
  __shared__ float s[1024];
  s[(threadIdx.x * 619) & 1023] = threadIdx.x;
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = s[((threadIdx.x ^ 1) * 619) & 1023];
}
__global__ void column_of_tile(float* out) {
  __shared__ float s[32][32];
  int x = threadIdx.x % 32, y = threadIdx.x / 32;
  for (int j = 0; j < 32; j += 8) s[y + j][x] = threadIdx.x + j;
  __syncthreads();
  for (int j = 0; j < 32; j += 8) out[blockIdx.x * 1024 + (y + j) * 32 + x] = s[x][y + j];
}

int main() {
  const int grid = 64;
  float* out;
  cudaMalloc(&out, grid * 1024 * sizeof(float4));
  stride_1<<<grid, 256>>>(out);
  stride_2<<<grid, 256>>>(out);
  stride_3<<<grid, 256>>>(out);
  stride_16<<<grid, 256>>>(out);
  stride_32<<<grid, 256>>>(out);
  stride_33<<<grid, 256>>>(out);
  broadcast<<<grid, 256>>>(out);
  two_words<<<grid, 256>>>(out);
  bytes_8<<<grid, 256>>>((float2*)out);
  bytes_8_stride_2<<<grid, 256>>>((float2*)out);
  bytes_16<<<grid, 256>>>((float4*)out);
  bytes_16_stride_2<<<grid, 256>>>((float4*)out);
  bytes_16_broadcast<<<grid, 256>>>((float4*)out);
  bytes_1<<<grid, 256>>>((char*)out);
  bytes_2<<<grid, 256>>>((short*)out);
  half_a_warp<<<grid, 256>>>(out);
  scattered<<<grid, 256>>>(out);
  column_of_tile<<<grid, 256>>>(out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
}
