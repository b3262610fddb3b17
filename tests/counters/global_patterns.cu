// Global memory, one access pattern a kernel: what a request touches. Counters of these kernels were recorded on a
// real GPU (assets/recordings/h100-counters.json) and are compared with the machine's by `warpdojo counters`.
//   warpdojo play tests/counters/global_patterns.cu        or: nvcc -O3 tests/counters/global_patterns.cu
#include <cstdio>

const int n = 1 << 16;      // threads
const int room = n * 32 + 64;  // floats: enough for a stride of 32

__global__ void stride_1(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
__global__ void stride_2(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[2 * i];
}
__global__ void stride_3(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[3 * i];
}
__global__ void stride_8(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[8 * i] = in[i];
}
__global__ void stride_32(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[32 * i];
}
__global__ void reversed(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[gridDim.x * blockDim.x - 1 - i];
}
__global__ void one_off(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i + 1] = in[i + 3];
}
__global__ void bytes_1(const char* in, char* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
__global__ void bytes_2(const short* in, short* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
__global__ void bytes_8(const float2* in, float2* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
__global__ void bytes_16(const float4* in, float4* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
__global__ void bytes_16_strided(const float4* in, float4* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[2 * i] = in[3 * i];
}
// Scattered by a bijection of 0 ... n - 1: every lane in a sector of its own.
__global__ void gather(const float* in, float* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[(i * 40503u) & 0xffffu];
}
__global__ void scatter(const float* in, float* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[(i * 40503u) & 0xffffu] = in[i];
}
// All lanes want one word; every fourth lane shares one.
__global__ void broadcast(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[blockIdx.x];
}
__global__ void in_fours(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i / 4];
}
// 20 threads a block: most of a warp, never all of it.
__global__ void partial_warp(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
__global__ void every_other_lane(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2 == 0) out[i] = in[i];
}
__global__ void upper_half(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 32 >= 16) out[i] = in[i];
}
// Structures of three floats: three loads a lane, twelve bytes apart.
struct Point {
  float x, y, z;
};
__global__ void structures(const Point* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i].x + in[i].y + in[i].z;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, room * sizeof(float));
  cudaMalloc(&out, room * sizeof(float));
  cudaMemset(in, 0, room * sizeof(float));
  cudaMemset(out, 0, room * sizeof(float));
  const int block = 256, grid = n / block;
  stride_1<<<grid, block>>>(in, out);
  stride_2<<<grid, block>>>(in, out);
  stride_3<<<grid, block>>>(in, out);
  stride_8<<<grid, block>>>(in, out);
  stride_32<<<grid, block>>>(in, out);
  reversed<<<grid, block>>>(in, out);
  one_off<<<grid, block>>>(in, out);
  bytes_1<<<grid, block>>>((char*)in, (char*)out);
  bytes_2<<<grid, block>>>((short*)in, (short*)out);
  bytes_8<<<grid, block>>>((float2*)in, (float2*)out);
  bytes_16<<<grid, block>>>((float4*)in, (float4*)out);
  bytes_16_strided<<<grid, block>>>((float4*)in, (float4*)out);
  gather<<<grid, block>>>(in, out);
  scatter<<<grid, block>>>(in, out);
  broadcast<<<grid, block>>>(in, out);
  in_fours<<<grid, block>>>(in, out);
  partial_warp<<<n / 20, 20>>>(in, out);
  every_other_lane<<<grid, block>>>(in, out);
  upper_half<<<grid, block>>>(in, out);
  structures<<<grid, block>>>((Point*)in, out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(in);
  cudaFree(out);
}
