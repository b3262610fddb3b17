// Misaligned: a 64-bit count is stored behind a 32-bit header, and read as it lies there.
#include <cstdio>
#include <vector>

__global__ void counts(const int* records, long long* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int* record = records + 4 * i;
  out[i] = *reinterpret_cast<const long long*>(record + 1);  // expect: misaligned // fix: out[i] = *reinterpret_cast<const long long*>(record + 2);
}

int main() {
  const int n = 100;
  std::vector<int> h(4 * n, 1);
  std::vector<long long> r(n);
  int* records;
  long long* out;
  cudaMalloc(&records, h.size() * sizeof(int));
  cudaMalloc(&out, n * sizeof(long long));
  cudaMemcpy(records, h.data(), h.size() * sizeof(int), cudaMemcpyHostToDevice);
  counts<<<1, 128>>>(records, out, n);
  cudaMemcpy(r.data(), out, n * sizeof(long long), cudaMemcpyDeviceToHost);
  printf("%lld\n", r[3]);
  cudaFree(records);
  cudaFree(out);
}
