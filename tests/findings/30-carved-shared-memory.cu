// Misaligned: dynamic shared memory holds n ints and then doubles; with an odd n the doubles are not aligned.
#include <cstdio>
#include <vector>

__global__ void weigh(const int* key, const double* weight, double* out, int n) {
  extern __shared__ unsigned char raw[];
  int* keys = (int*)raw;
  double* weights = (double*)(raw + n * sizeof(int));  // fix: double* weights = (double*)(raw + (n + 1) / 2 * 2 * sizeof(int));
  int t = threadIdx.x;
  if (t < n) {
    keys[t] = key[t];
    weights[t] = weight[t];  // expect: misaligned // fix: weights[t] = weight[t];
  }
  __syncthreads();
  if (t < n) out[t] = weights[n - 1 - t] * keys[t];
}

int main() {
  const int n = 33;
  std::vector<int> k(n, 2);
  std::vector<double> w(n, 0.5);
  int* key;
  double *weight, *out;
  cudaMalloc(&key, n * sizeof(int));
  cudaMalloc(&weight, n * sizeof(double));
  cudaMalloc(&out, n * sizeof(double));
  cudaMemcpy(key, k.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(weight, w.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  weigh<<<1, 64, (n + 1) * sizeof(int) + n * sizeof(double)>>>(key, weight, out, n);
  cudaMemcpy(w.data(), out, n * sizeof(double), cudaMemcpyDeviceToHost);
  printf("%g\n", w[0]);
  cudaFree(key);
  cudaFree(weight);
  cudaFree(out);
}
