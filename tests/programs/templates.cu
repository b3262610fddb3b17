// Kernel templates, functors, structs by value, host-device functions.
#include <cstdio>

struct Scale {
  float factor;
  __host__ __device__ float operator()(float x) const { return x * factor; }
};
template <typename T> struct Square {
  __device__ T operator()(T x) const { return x * x; }
};

template <typename T, class F, int UNROLL> __global__ void apply(T* x, int n, F f) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * UNROLL;
#pragma unroll
  for (int k = 0; k < UNROLL; ++k)
    if (i + k < n) x[i + k] = f(x[i + k]);
}

template <typename T> void show(const char* name, const T* d, int n) {
  T h[8];
  cudaMemcpy(h, d, n * sizeof(T), cudaMemcpyDeviceToHost);
  printf("%s:", name);
  for (int i = 0; i < n; ++i) printf(" %g", double(h[i]));
  printf("\n");
}

int main() {
  float hf[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int hi[5] = {1, -2, 3, -4, 5};
  float* f;
  int* i;
  cudaMalloc(&f, sizeof hf);
  cudaMalloc(&i, sizeof hi);
  cudaMemcpy(f, hf, sizeof hf, cudaMemcpyHostToDevice);
  cudaMemcpy(i, hi, sizeof hi, cudaMemcpyHostToDevice);
  Scale half{0.5f};
  apply<float, Scale, 2><<<1, 4>>>(f, 8, half);
  apply<int, Square<int>, 1><<<1, 8>>>(i, 5, Square<int>());
  show("float", f, 8);
  show("int", i, 5);
  printf("host %g\n", half(3));
  cudaFree(f);
  cudaFree(i);
}
