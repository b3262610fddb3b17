// Throughputs of one GPU: lanes a cycle and SM for each pipe, bytes a cycle for each level of memory, blocks a
// second. Run: warpdojo play tests/microbench/throughput.cu --device cuda:0   or: nvcc -arch=native throughput.cu
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

constexpr int kThreads = 1024, kSteps = 512;

// Eight independent chains a thread keep a pipe full; cycles of block 0 are taken.
__global__ void pipe_fma(long long* cycles, float* sink) {
  float x[8];
  for (int j = 0; j < 8; ++j) x[j] = threadIdx.x + j;
  __syncthreads();
  long long start = clock64();
#pragma unroll 4
  for (int i = 0; i < kSteps; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) x[j] = x[j] * 1.0001f + 0.5f;
  __syncthreads();
  long long stop = clock64();
  float s = 0;
  for (int j = 0; j < 8; ++j) s += x[j];
  sink[blockIdx.x * blockDim.x + threadIdx.x] = s;
  if (threadIdx.x == 0 && blockIdx.x == 0) cycles[0] = stop - start;
}

__global__ void pipe_int(long long* cycles, unsigned* sink) {
  unsigned x[8];
  for (int j = 0; j < 8; ++j) x[j] = threadIdx.x + j;
  __syncthreads();
  long long start = clock64();
#pragma unroll 4
  for (int i = 0; i < kSteps; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) asm volatile("add.u32 %0, %0, %1;" : "+r"(x[j]) : "r"(x[(j + 1) % 8]));
  __syncthreads();
  long long stop = clock64();
  unsigned s = 0;
  for (int j = 0; j < 8; ++j) s += x[j];
  sink[blockIdx.x * blockDim.x + threadIdx.x] = s;
  if (threadIdx.x == 0 && blockIdx.x == 0) cycles[0] = stop - start;
}

__global__ void pipe_imad(long long* cycles, unsigned* sink) {
  unsigned x[8];
  for (int j = 0; j < 8; ++j) x[j] = threadIdx.x + j;
  __syncthreads();
  long long start = clock64();
#pragma unroll 4
  for (int i = 0; i < kSteps; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) asm volatile("mad.lo.u32 %0, %0, %0, %1;" : "+r"(x[j]) : "r"(x[(j + 1) % 8]));
  __syncthreads();
  long long stop = clock64();
  unsigned s = 0;
  for (int j = 0; j < 8; ++j) s += x[j];
  sink[blockIdx.x * blockDim.x + threadIdx.x] = s;
  if (threadIdx.x == 0 && blockIdx.x == 0) cycles[0] = stop - start;
}

__global__ void pipe_mufu(long long* cycles, float* sink) {
  float x[8];
  for (int j = 0; j < 8; ++j) x[j] = threadIdx.x + j + 1;
  __syncthreads();
  long long start = clock64();
#pragma unroll 4
  for (int i = 0; i < kSteps; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x[j]));
  __syncthreads();
  long long stop = clock64();
  float s = 0;
  for (int j = 0; j < 8; ++j) s += x[j];
  sink[blockIdx.x * blockDim.x + threadIdx.x] = s;
  if (threadIdx.x == 0 && blockIdx.x == 0) cycles[0] = stop - start;
}

__global__ void pipe_double(long long* cycles, double* sink) {
  double x[8];
  for (int j = 0; j < 8; ++j) x[j] = threadIdx.x + j;
  __syncthreads();
  long long start = clock64();
#pragma unroll 4
  for (int i = 0; i < kSteps; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) x[j] = x[j] * 1.0001 + 0.5;
  __syncthreads();
  long long stop = clock64();
  double s = 0;
  for (int j = 0; j < 8; ++j) s += x[j];
  sink[blockIdx.x * blockDim.x + threadIdx.x] = s;
  if (threadIdx.x == 0 && blockIdx.x == 0) cycles[0] = stop - start;
}

__global__ void pipe_shuffle(long long* cycles, unsigned* sink) {
  unsigned x[8];
  for (int j = 0; j < 8; ++j) x[j] = threadIdx.x + j;
  __syncthreads();
  long long start = clock64();
#pragma unroll 4
  for (int i = 0; i < kSteps; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) x[j] = __shfl_xor_sync(0xffffffffu, x[j], 5);
  __syncthreads();
  long long stop = clock64();
  unsigned s = 0;
  for (int j = 0; j < 8; ++j) s += x[j];
  sink[blockIdx.x * blockDim.x + threadIdx.x] = s;
  if (threadIdx.x == 0 && blockIdx.x == 0) cycles[0] = stop - start;
}

// stride in words: 1 is free of conflicts, 32 has one bank serve all lanes.
__global__ void shared_loads(int stride, long long* cycles, float* sink) {
  __shared__ float s[32 * 32 + 32];
  for (int i = threadIdx.x; i < 32 * 32 + 32; i += blockDim.x) s[i] = i;
  __syncthreads();
  const int at = threadIdx.x % 32 * stride;
  float x[8] = {};
  volatile float* v = s;
  long long start = clock64();
#pragma unroll 4
  for (int i = 0; i < 128; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) x[j] += v[(at + j) % 1056];
  __syncthreads();
  long long stop = clock64();
  float sum = 0;
  for (int j = 0; j < 8; ++j) sum += x[j];
  sink[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  if (threadIdx.x == 0 && blockIdx.x == 0) cycles[0] = stop - start;
}

// Reads `words4` float4 again and again; which level serves them is a matter of the footprint.
__global__ void read_again(const float4* in, size_t words4, int times, float* sink) {
  float4 sum = make_float4(0, 0, 0, 0);
  const size_t stride = size_t(gridDim.x) * blockDim.x;
  for (int t = 0; t < times; ++t)
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < words4; i += stride) {
      float4 v = __ldcg(in + i);
      sum.x += v.x;
      sum.y += v.y;
      sum.z += v.z;
      sum.w += v.w;
    }
  if (sum.x + sum.y + sum.z + sum.w == 12345.0f) *sink = 1;
}

__global__ void empty() {}

__global__ void one_counter(unsigned* word) { atomicAdd(word, 1u); }
__global__ void own_counter(unsigned* words) { atomicAdd(words + (blockIdx.x * blockDim.x + threadIdx.x) % (1 << 20), 1u); }

static long long* cycles;
static void* sink;
static int sms;

static void per_sm(const char* name, double lanes_work) {
  if (cudaDeviceSynchronize() != cudaSuccess) {
    printf("%s failed: %s\n", name, cudaGetErrorString(cudaGetLastError()));
    exit(1);
  }
  long long c = 0;
  cudaMemcpy(&c, cycles, sizeof c, cudaMemcpyDeviceToHost);
  printf("%-28s %8.1f lanes/cycle/SM\n", name, lanes_work / double(c));
}

int main() {
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  sms = p.multiProcessorCount;
  printf("device %s, %d SMs\n", p.name, sms);
  cudaMalloc((void**)&cycles, 64);
  cudaMalloc((void**)&sink, size_t(2048) * 1024 * 8);
  const double work = double(kThreads) * kSteps * 8;
  pipe_fma<<<sms, kThreads>>>(cycles, (float*)sink);
  per_sm("fma_f32", work);
  pipe_int<<<sms, kThreads>>>(cycles, (unsigned*)sink);
  per_sm("add_u32", work);
  pipe_imad<<<sms, kThreads>>>(cycles, (unsigned*)sink);
  per_sm("mad_u32", work);
  pipe_mufu<<<sms, kThreads>>>(cycles, (float*)sink);
  per_sm("mufu_ex2", work);
  pipe_double<<<sms, kThreads>>>(cycles, (double*)sink);
  per_sm("fma_f64", work);
  pipe_shuffle<<<sms, kThreads>>>(cycles, (unsigned*)sink);
  per_sm("shuffle", work);
  for (int stride = 1; stride <= 32; stride *= 2) {
    char name[32];
    shared_loads<<<sms, kThreads>>>(stride, cycles, (float*)sink);
    snprintf(name, sizeof name, "shared_load_stride_%d", stride);
    per_sm(name, double(kThreads) * 128 * 8);
  }

  cudaEvent_t a, b;
  cudaEventCreate(&a);
  cudaEventCreate(&b);
  float ms = 0;
  float4* data;
  const size_t bytes = size_t(1) << 30;
  cudaMalloc((void**)&data, bytes);
  cudaMemset(data, 0, bytes);
  for (int mib = 8; mib <= 1024; mib *= 2) {
    const size_t words4 = size_t(mib) << 16;
    const int times = 2048 / mib;
    for (int pass = 0; pass < 2; ++pass) {
      cudaEventRecord(a);
      read_again<<<sms * 2, kThreads>>>(data, words4, times, (float*)sink);
      cudaEventRecord(b);
      cudaEventSynchronize(b);
      cudaEventElapsedTime(&ms, a, b);
    }
    printf("read_%d_MiB%*s %8.0f GB/s\n", mib, 18 - (mib > 999 ? 1 : 0), "", double(words4) * 16 * times / (ms * 1e6));
  }
  for (int blocks = 1024; blocks <= 131072; blocks *= 2) {
    for (int pass = 0; pass < 2; ++pass) {
      cudaEventRecord(a);
      empty<<<blocks, 256>>>();
      cudaEventRecord(b);
      cudaEventSynchronize(b);
      cudaEventElapsedTime(&ms, a, b);
    }
    printf("empty_grid_%d_blocks %18.2f us\n", blocks, ms * 1e3);
  }
  for (int pass = 0; pass < 2; ++pass) {
    cudaEventRecord(a);
    one_counter<<<4096, 256>>>((unsigned*)sink);
    cudaEventRecord(b);
    cudaEventSynchronize(b);
    cudaEventElapsedTime(&ms, a, b);
  }
  printf("atomic_one_address %20.2f ns/warp\n", ms * 1e6 / (4096 * 8));
  for (int pass = 0; pass < 2; ++pass) {
    cudaEventRecord(a);
    own_counter<<<4096, 256>>>((unsigned*)sink);
    cudaEventRecord(b);
    cudaEventSynchronize(b);
    cudaEventElapsedTime(&ms, a, b);
  }
  printf("atomic_own_address %20.2f ns/warp\n", ms * 1e6 / (4096 * 8));
  return 0;
}
