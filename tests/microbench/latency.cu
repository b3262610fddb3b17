// Latencies in clock cycles of one GPU, one dependent access after the other by a single thread (or warp).
// Run: warpdojo play tests/microbench/latency.cu --device cuda:0     or: nvcc -arch=native latency.cu && ./a.out
// Prints one "name value unit" a line; the device files in assets/devices quote these.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

// Each element holds the address of the next: nothing but the load stands between one step and the next.
__global__ void chase_global(void* const* first, int steps, long long* cycles, void** sink) {
  void* at = (void*)first;
  for (int i = 0; i < steps; ++i) at = *(void**)at;  // one untimed round, so that caches hold what they can
  long long start = clock64();
  for (int i = 0; i < steps; ++i) at = *(void**)at;
  cycles[0] = clock64() - start;
  *sink = at;
}

// The same past the L1: loads that are cached in the L2 only.
__global__ void chase_l2(void* const* first, int steps, long long* cycles, void** sink) {
  void* at = (void*)first;
  for (int i = 0; i < steps; ++i) at = (void*)__ldcg((const unsigned long long*)at);
  long long start = clock64();
  for (int i = 0; i < steps; ++i) at = (void*)__ldcg((const unsigned long long*)at);
  cycles[0] = clock64() - start;
  *sink = at;
}

__global__ void chase_shared(int steps, long long* cycles, unsigned* sink) {
  __shared__ unsigned next[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) next[i] = (i + 33) % 1024;
  __syncthreads();
  unsigned at = 0;
  long long start = clock64();
  for (int i = 0; i < steps; ++i) at = next[at];
  long long stop = clock64();
  if (threadIdx.x == 0) {
    cycles[0] = stop - start;
    *sink = at;
  }
}

__global__ void chain_fma(int steps, long long* cycles, float* sink) {
  float x = *sink;
  long long start = clock64();
#pragma unroll 16
  for (int i = 0; i < steps; ++i) x = x * 1.0001f + 0.5f;
  cycles[0] = clock64() - start;
  *sink = x;
}

__global__ void chain_int(int steps, long long* cycles, unsigned* sink) {
  unsigned x = *sink;
  long long start = clock64();
#pragma unroll 16
  for (int i = 0; i < steps; ++i) x = (x ^ 0x55u) + (x & 7u);
  cycles[0] = clock64() - start;
  *sink = x;
}

__global__ void chain_double(int steps, long long* cycles, double* sink) {
  double x = *sink;
  long long start = clock64();
#pragma unroll 16
  for (int i = 0; i < steps; ++i) x = x * 1.0001 + 0.5;
  cycles[0] = clock64() - start;
  *sink = x;
}

__global__ void chain_rsqrt(int steps, long long* cycles, float* sink) {
  float x = *sink;
  long long start = clock64();
#pragma unroll 16
  for (int i = 0; i < steps; ++i) asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x));
  cycles[0] = clock64() - start;
  *sink = x;
}

__global__ void chain_shuffle(int steps, long long* cycles, unsigned* sink) {
  unsigned x = threadIdx.x;
  long long start = clock64();
#pragma unroll 16
  for (int i = 0; i < steps; ++i) x = __shfl_xor_sync(0xffffffffu, x, 1 + (i & 1));
  long long stop = clock64();
  if (threadIdx.x == 0) cycles[0] = stop - start;
  sink[threadIdx.x] = x;
}

__global__ void chain_barrier(int steps, long long* cycles) {
  long long start = clock64();
#pragma unroll 16
  for (int i = 0; i < steps; ++i) __syncthreads();
  long long stop = clock64();
  if (threadIdx.x == 0) cycles[0] = stop - start;
}

__global__ void chain_shared_atomic(int steps, long long* cycles, unsigned* sink) {
  __shared__ unsigned word;
  if (threadIdx.x == 0) word = 0;
  __syncthreads();
  unsigned x = 0;
  long long start = clock64();
  for (int i = 0; i < steps; ++i) x = atomicExch(&word, x + 1);
  cycles[0] = clock64() - start;
  *sink = x;
}

__global__ void chain_global_atomic(unsigned* word, int steps, long long* cycles, unsigned* sink) {
  unsigned x = 0;
  long long start = clock64();
  for (int i = 0; i < steps; ++i) x = atomicExch(word, x + 1);
  cycles[0] = clock64() - start;
  *sink = x;
}

static long long* cycles;
static void* sink;

static void report(const char* name, int steps) {
  if (cudaDeviceSynchronize() != cudaSuccess) {
    printf("%s failed: %s\n", name, cudaGetErrorString(cudaGetLastError()));
    exit(1);
  }
  long long c = 0;
  cudaMemcpy(&c, cycles, sizeof c, cudaMemcpyDeviceToHost);
  printf("%-28s %8.1f cycles\n", name, double(c) / steps);
}

// A cycle through `count` pointers in steps of `stride` pointers.
static void* const* ring(size_t count, size_t stride) {
  void** host = (void**)malloc(count * sizeof(void*));
  void** device;
  cudaMalloc((void**)&device, count * sizeof(void*));
  for (size_t i = 0; i < count; ++i) host[i] = device + (i + stride) % count;
  cudaMemcpy(device, host, count * sizeof(void*), cudaMemcpyHostToDevice);
  free(host);
  return device;
}

int main() {
  cudaMalloc((void**)&cycles, 64);
  cudaMalloc((void**)&sink, 4096);
  cudaMemset(sink, 0, 4096);
  chase_global<<<1, 1>>>(ring(1024, 33), 1024, cycles, (void**)sink);  // 8 KiB: stays in the L1
  report("l1_load", 1024);
  chase_l2<<<1, 1>>>(ring(1024, 33), 1024, cycles, (void**)sink);
  report("l2_load", 1024);
  chase_l2<<<1, 1>>>(ring(size_t(1) << 20, 4099), 4096, cycles, (void**)sink);  // spread over 8 MiB of the L2
  report("l2_load_8MiB", 4096);
  chase_global<<<1, 1>>>(ring(size_t(1) << 27, (size_t(1) << 13) + 67), 4096, cycles, (void**)sink);
  report("dram_load", 4096);  // 1 GiB in steps of 64 KiB: no line is met twice
  chase_shared<<<1, 32>>>(2048, cycles, (unsigned*)sink);
  report("shared_load", 2048);
  chain_fma<<<1, 32>>>(4096, cycles, (float*)sink);
  report("fma_f32", 4096);
  chain_int<<<1, 32>>>(4096, cycles, (unsigned*)sink);
  report("int_two_dependent", 4096);
  chain_double<<<1, 32>>>(4096, cycles, (double*)sink);
  report("fma_f64", 4096);
  chain_rsqrt<<<1, 32>>>(4096, cycles, (float*)sink);
  report("mufu_rsqrt", 4096);
  chain_shuffle<<<1, 32>>>(4096, cycles, (unsigned*)sink);
  report("shuffle", 4096);
  for (int warps = 1; warps <= 32; warps *= 2) {
    char name[32];
    chain_barrier<<<1, 32 * warps>>>(1024, cycles);
    snprintf(name, sizeof name, "barrier_%d_warps", warps);
    report(name, 1024);
  }
  chain_shared_atomic<<<1, 1>>>(1024, cycles, (unsigned*)sink);
  report("shared_atomic", 1024);
  chain_global_atomic<<<1, 1>>>((unsigned*)sink + 512, 1024, cycles, (unsigned*)sink);
  report("global_atomic", 1024);
  return 0;
}
