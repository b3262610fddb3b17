// Latency and rate of texture fetches and surface accesses, in clock cycles of one SM. All texels stay in the L1.
// Run: warpdojo play tests/microbench/textures.cu --device cuda:0     or: nvcc -arch=native textures.cu && ./a.out
// Prints one "name value unit" a line. Latencies: one thread, each fetch at the place that the last one gave.
// Rates: 32 warps of one block, cycles per fetch of a warp.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

constexpr int kSide = 32;  // of the image: 4 KiB of floats

__global__ void chase_load(const float* data, int steps, long long* cycles, float* sink) {
  int at = 0;
  for (int i = 0; i < kSide; ++i) at = int(data[at]);
  const long long start = clock64();
  for (int i = 0; i < steps; ++i) at = int(data[at]);
  *cycles = clock64() - start;
  *sink = float(at);
}

__global__ void chase_linear_memory(cudaTextureObject_t t, int steps, long long* cycles, float* sink) {
  int at = 0;
  for (int i = 0; i < kSide; ++i) at = int(tex1Dfetch<float>(t, at));
  const long long start = clock64();
  for (int i = 0; i < steps; ++i) at = int(tex1Dfetch<float>(t, at));
  *cycles = clock64() - start;
  *sink = float(at);
}

// The texel holds the next column; the row stays.
__global__ void chase_array(cudaTextureObject_t t, int steps, long long* cycles, float* sink) {
  float at = 0.5f;
  for (int i = 0; i < kSide; ++i) at = tex2D<float>(t, at, 0.5f) + 0.5f;
  const long long start = clock64();
  for (int i = 0; i < steps; ++i) at = tex2D<float>(t, at, 0.5f) + 0.5f;
  *cycles = clock64() - start;
  *sink = at;
}

__global__ void chase_surface(cudaSurfaceObject_t s, int steps, long long* cycles, float* sink) {
  int at = 0;
  for (int i = 0; i < kSide; ++i) at = int(surf2Dread<float>(s, at * 4, 0));
  const long long start = clock64();
  for (int i = 0; i < steps; ++i) at = int(surf2Dread<float>(s, at * 4, 0));
  *cycles = clock64() - start;
  *sink = float(at);
}

__device__ float sum(float v) { return v; }
__device__ float sum(float2 v) { return v.x + v.y; }
__device__ float sum(float4 v) { return v.x + v.y + v.z + v.w; }

// Lanes take texels beside each other, warps rows of their own; `dx` shifts between texels.
template <class T>
__global__ void rate_texture(cudaTextureObject_t t, int steps, float dx, long long* cycles, float* sink) {
  const float x = threadIdx.x % 32 + dx, y = threadIdx.x / 32 + dx;
  float total = sum(tex2D<T>(t, x, y));
  __syncthreads();
  const long long start = clock64();
#pragma unroll 8
  for (int i = 0; i < steps; ++i) total += sum(tex2D<T>(t, x, y + i));
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - start;
  sink[threadIdx.x] = total;
}

__global__ void rate_one_texel(cudaTextureObject_t t, int steps, long long* cycles, float* sink) {
  float total = tex2D<float>(t, 0.5f, 0.5f);
  __syncthreads();
  const long long start = clock64();
#pragma unroll 8
  for (int i = 0; i < steps; ++i) total += tex2D<float>(t, 0.5f, i + 0.5f);
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - start;
  sink[threadIdx.x] = total;
}

__global__ void rate_surface_read(cudaSurfaceObject_t s, int steps, long long* cycles, float* sink) {
  const int x = threadIdx.x % 32 * 4, y = threadIdx.x / 32;
  float total = surf2Dread<float>(s, x, y);
  __syncthreads();
  const long long start = clock64();
#pragma unroll 8
  for (int i = 0; i < steps; ++i) total += surf2Dread<float>(s, x, (y + i) % kSide);
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - start;
  sink[threadIdx.x] = total;
}

__global__ void rate_surface_write(cudaSurfaceObject_t s, int steps, long long* cycles) {
  const int x = threadIdx.x % 32 * 4, y = threadIdx.x / 32;
  __syncthreads();
  const long long start = clock64();
#pragma unroll 8
  for (int i = 0; i < steps; ++i) surf2Dwrite(float(i), s, x, y);
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - start;
}

__global__ void rate_load(const float* data, int steps, long long* cycles, float* sink) {
  const int x = threadIdx.x % 32, y = threadIdx.x / 32;
  float total = data[y * kSide + x];
  __syncthreads();
  const long long start = clock64();
#pragma unroll 8
  for (int i = 0; i < steps; ++i) total += data[(y + i) % kSide * kSide + x];
  __syncthreads();
  if (threadIdx.x == 0) *cycles = clock64() - start;
  sink[threadIdx.x] = total;
}

static long long* cycles;
static float* sink;

static void report(const char* name, int steps) {
  if (cudaDeviceSynchronize() != cudaSuccess) {
    printf("%s failed: %s\n", name, cudaGetErrorString(cudaGetLastError()));
    exit(1);
  }
  long long c = 0;
  cudaMemcpy(&c, cycles, sizeof c, cudaMemcpyDeviceToHost);
  printf("%-28s %8.2f cycles\n", name, double(c) / steps);
}

// An array of kSide x kSide texels of T, each component the column of the texel's right neighbour.
template <class T>
static cudaArray_t image_of(unsigned flags) {
  constexpr int components = sizeof(T) / 4;
  static float host[kSide * kSide * 4];
  for (int i = 0; i < kSide * kSide * components; ++i) host[i] = float((i / components % kSide + 1) % kSide);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  cudaArray_t a;
  cudaMallocArray(&a, &format, kSide, kSide, flags);
  cudaMemcpy2DToArray(a, 0, 0, host, kSide * sizeof(T), kSide * sizeof(T), kSide, cudaMemcpyHostToDevice);
  return a;
}

static cudaTextureObject_t texture_of(cudaArray_t a, cudaTextureFilterMode filter) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = a;
  cudaTextureDesc sampler = {};
  sampler.addressMode[0] = sampler.addressMode[1] = cudaAddressModeClamp;
  sampler.filterMode = filter;
  cudaTextureObject_t t = 0;
  cudaCreateTextureObject(&t, &resource, &sampler, nullptr);
  return t;
}

static cudaTextureObject_t texture_of(float* data) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = data;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = kSide * kSide * sizeof(float);
  cudaTextureDesc sampler = {};
  cudaTextureObject_t t = 0;
  cudaCreateTextureObject(&t, &resource, &sampler, nullptr);
  return t;
}

int main() {
  cudaMalloc((void**)&cycles, 64);
  cudaMalloc((void**)&sink, 4096);
  static float host[kSide * kSide];
  for (int i = 0; i < kSide * kSide; ++i) host[i] = float((i + 1) % kSide);
  float* data;
  cudaMalloc((void**)&data, sizeof host);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  const cudaArray_t one = image_of<float>(cudaArraySurfaceLoadStore), two = image_of<float2>(0),
                    four = image_of<float4>(0);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = one;
  cudaSurfaceObject_t surface = 0;
  cudaCreateSurfaceObject(&surface, &resource);
  const cudaTextureObject_t point = texture_of(one, cudaFilterModePoint),
                            linear = texture_of(one, cudaFilterModeLinear), memory = texture_of(data);
  const cudaTextureObject_t point2 = texture_of(two, cudaFilterModePoint),
                            linear2 = texture_of(two, cudaFilterModeLinear);
  const cudaTextureObject_t point4 = texture_of(four, cudaFilterModePoint),
                            linear4 = texture_of(four, cudaFilterModeLinear);

  chase_load<<<1, 1>>>(data, 1024, cycles, sink);
  report("load", 1024);
  chase_linear_memory<<<1, 1>>>(memory, 1024, cycles, sink);
  report("fetch_linear_memory", 1024);
  chase_array<<<1, 1>>>(point, 1024, cycles, sink);
  report("fetch_array_point", 1024);
  chase_array<<<1, 1>>>(linear, 1024, cycles, sink);
  report("fetch_array_linear", 1024);
  chase_surface<<<1, 1>>>(surface, 1024, cycles, sink);
  report("surface_read", 1024);

  constexpr int steps = 64, warps = 32;
  rate_load<<<1, 32 * warps>>>(data, steps, cycles, sink);
  report("load_rate", steps * warps);
  rate_texture<float><<<1, 32 * warps>>>(point, steps, 0.5f, cycles, sink);
  report("point_rate_4_bytes", steps * warps);
  rate_texture<float2><<<1, 32 * warps>>>(point2, steps, 0.5f, cycles, sink);
  report("point_rate_8_bytes", steps * warps);
  rate_texture<float4><<<1, 32 * warps>>>(point4, steps, 0.5f, cycles, sink);
  report("point_rate_16_bytes", steps * warps);
  rate_texture<float><<<1, 32 * warps>>>(linear, steps, 0.75f, cycles, sink);
  report("linear_rate_4_bytes", steps * warps);
  rate_texture<float2><<<1, 32 * warps>>>(linear2, steps, 0.75f, cycles, sink);
  report("linear_rate_8_bytes", steps * warps);
  rate_texture<float4><<<1, 32 * warps>>>(linear4, steps, 0.75f, cycles, sink);
  report("linear_rate_16_bytes", steps * warps);
  rate_one_texel<<<1, 32 * warps>>>(point, steps, cycles, sink);
  report("one_texel_rate", steps * warps);
  rate_surface_read<<<1, 32 * warps>>>(surface, steps, cycles, sink);
  report("surface_read_rate", steps * warps);
  rate_surface_write<<<1, 32 * warps>>>(surface, steps, cycles);
  report("surface_write_rate", steps * warps);
  return 0;
}
