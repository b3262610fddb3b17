// How many conversions from int to float, and how many additions of floats, one SM executes per cycle.
// nvcc -O3 -arch=sm_90 conversions.cu && ./a.out
#include <cstdio>

constexpr int threads = 1024, rounds = 256, chains = 8;

__global__ void convert(float* out, long long* cycles, int first) {
  int value[chains];
  float result[chains];
  for (int i = 0; i < chains; ++i) value[i] = first + i + threadIdx.x;
  __syncthreads();
  const long long begin = clock64();
  for (int r = 0; r < rounds; ++r)
#pragma unroll
    for (int i = 0; i < chains; ++i) {
      asm volatile("cvt.rn.f32.s32 %0, %1;" : "=f"(result[i]) : "r"(value[i]));
      value[i] = __float_as_int(result[i]);
    }
  const long long end = clock64();
  float sum = 0.0f;
  for (int i = 0; i < chains; ++i) sum += result[i];
  out[blockIdx.x * threads + threadIdx.x] = sum;
  if (threadIdx.x == 0) cycles[blockIdx.x] = end - begin;
}

__global__ void add(float* out, long long* cycles, float step) {
  float sums[chains];
  for (int i = 0; i < chains; ++i) sums[i] = step + i;
  __syncthreads();
  const long long begin = clock64();
  for (int r = 0; r < rounds; ++r)
#pragma unroll
    for (int i = 0; i < chains; ++i) asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(sums[i]) : "f"(step));
  const long long end = clock64();
  float sum = 0.0f;
  for (int i = 0; i < chains; ++i) sum += sums[i];
  out[blockIdx.x * threads + threadIdx.x] = sum;
  if (threadIdx.x == 0) cycles[blockIdx.x] = end - begin;
}

int main() {
  constexpr int sms = 132;
  float* out;
  long long* cycles;
  cudaMallocManaged(&out, sms * threads * sizeof(float));
  cudaMallocManaged(&cycles, sms * sizeof(long long));
  for (int repeat = 0; repeat < 3; ++repeat) {
    convert<<<sms, threads>>>(out, cycles, 1);
    cudaDeviceSynchronize();
    printf("convert,%.1f\n", double(threads) * rounds * chains / cycles[0]);
    add<<<sms, threads>>>(out, cycles, 1.5f);
    cudaDeviceSynchronize();
    printf("add,%.1f\n", double(threads) * rounds * chains / cycles[0]);
  }
}
