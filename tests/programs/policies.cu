// Algorithms with a policy, common types, and text of a stream that a header brings along.
#include <cuda_runtime.h>

#include <execution>
#include <iostream>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

static_assert(std::is_same<std::common_type_t<const float&, int, unsigned char>, float>::value, "");

__global__ void twice(int* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] *= 2;
}

int main() {
  std::vector<int> v{30, 10, 20};
  int *d, sum = 0;
  cudaMalloc(&d, 3 * sizeof(int));
  std::sort(std::execution::seq, v.begin(), v.end());
  cudaMemcpy(d, v.data(), 3 * sizeof(int), cudaMemcpyHostToDevice);
  twice<<<1, 32>>>(d, 3);
  cudaMemcpy(v.data(), d, 3 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(d);
  std::for_each(v.begin(), v.end(), [&](int x) { sum += x; });
  std::cout << v[0] << ' ' << v[2] << ' ' << sum << std::endl;
  char room[64];
  void* at = room + 1;
  size_t space = sizeof room - 1;
  const bool fits = std::align(16, 32, at, space) != nullptr;
  std::cout << fits << ' ' << size_t(at) % 16 << ' ' << (std::align(16, 64, at, space) == nullptr) << std::endl;
  int* four = new (std::nothrow) int[4]{1, 2, 3, 4};
  std::cout << four[3] << std::endl;
  delete[] four;
  return 0;
}
