// cuRAND's device functions: repeated seeds, subsequences and offsets, and the moments of distributions.
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>

constexpr int threads = 128, draws = 64, kinds = 6;

__global__ void prepare(curandState* states, unsigned long long seed) {
  curand_init(seed, threadIdx.x, 0, &states[threadIdx.x]);
}

// Sums and sums of squares of each kind of numbers.
__global__ void moments(curandState* states, double* sums) {
  curandState s = states[threadIdx.x];
  double sum[kinds] = {}, squares[kinds] = {};
  for (int i = 0; i < draws; ++i) {
    const float2 pair = curand_normal2(&s);
    const double v[kinds] = {curand_uniform(&s),
                             curand_normal(&s),
                             curand_uniform_double(&s),
                             curand_normal_double(&s),
                             pair.x,
                             double(curand_poisson(&s, 4))};
    for (int k = 0; k < kinds; ++k) sum[k] += v[k], squares[k] += v[k] * v[k];
  }
  states[threadIdx.x] = s;
  for (int k = 0; k < kinds; ++k) atomicAdd(&sums[2 * k], sum[k]), atomicAdd(&sums[2 * k + 1], squares[k]);
}

__global__ void compare(int* same) {
  curandStatePhilox4_32_10_t a, b, c;
  curand_init(7, 3, 0, &a);
  curand_init(7, 3, 5, &b);
  curand_init(7, 4, 0, &c);
  for (int i = 0; i < 5; ++i) curand(&a);
  const unsigned int fifth = curand(&a);
  same[0] = fifth == curand(&b);
  same[1] = fifth == curand(&c);
  const float4 four = curand_uniform4(&a);
  same[2] = four.x > 0 && four.x <= 1 && four.w > 0 && four.w <= 1;
}

int main() {
  curandState* states;
  double *sums, h[2 * kinds];
  int *same, equal[3];
  cudaMalloc(&states, threads * sizeof(curandState));
  cudaMalloc(&sums, sizeof h);
  cudaMalloc(&same, sizeof equal);
  cudaMemset(sums, 0, sizeof h);
  prepare<<<1, threads>>>(states, 42);
  moments<<<1, threads>>>(states, sums);
  compare<<<1, 1>>>(same);
  cudaMemcpy(h, sums, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpy(equal, same, sizeof equal, cudaMemcpyDeviceToHost);
  const double mean[kinds] = {0.5, 0, 0.5, 0, 0, 4}, variance[kinds] = {1 / 12., 1, 1 / 12., 1, 1, 4};
  for (int k = 0; k < kinds; ++k) {
    const double n = threads * draws, m = h[2 * k] / n, v = h[2 * k + 1] / n - m * m;
    const bool right = fabs(m - mean[k]) < 0.08 && fabs(v / variance[k] - 1) < 0.08;
    printf("%d: %s\n", k, right ? "as it should be" : "wrong");
  }
  printf("offset %d, other subsequence %d, range %d\n", equal[0], equal[1], equal[2]);
  cudaFree(states);
  cudaFree(sums);
  cudaFree(same);
}
