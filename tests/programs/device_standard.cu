// libcu++ in kernels: atomics with orders and scopes, a lock of them, and the types of cuda::std.
#include <cstdio>
#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/cmath>
#include <cuda/std/complex>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <new>

using Counter = cuda::atomic<int, cuda::thread_scope_device>;
template <class T> using Ref = cuda::atomic_ref<T, cuda::thread_scope_device>;

__global__ void count(Counter* counter, float* sum, unsigned long long* most, int* least, double* top) {
  counter->fetch_add(2, cuda::memory_order_relaxed);
  Ref<float>(*sum).fetch_add(0.5f);
  Ref<unsigned long long>(*most).fetch_max(threadIdx.x + 10ull * blockIdx.x, cuda::std::memory_order_relaxed);
  Ref<int>(*least).fetch_min(-int(threadIdx.x));
  Ref<double>(*top).fetch_max(threadIdx.x * 0.25);
}

__global__ void in_turn(Counter* lock, int* n) {
  if (threadIdx.x) return;
  int expected = 0;
  while (!lock->compare_exchange_weak(expected, 1, cuda::memory_order_acquire)) expected = 0;
  ++*n;
  lock->store(0, cuda::memory_order_release);
}

template <class T> __device__ T twice(T x) {
  static_assert(cuda::std::is_arithmetic<T>::value, "a number");
  return x * 2;
}
__device__ cuda::std::optional<int> find(cuda::std::span<const int> in, int value) {
  for (size_t i = 0; i < in.size(); ++i)
    if (in[i] == value) return int(i);
  return cuda::std::nullopt;
}

__global__ void types(float* out, cuda::std::array<float, 3> a) {
  const auto t = cuda::std::make_tuple(1, 2.5f);
  const auto [x, y] = cuda::std::pair<int, float>(3, 4.5f);
  cuda::std::complex<float> z(1, 2);
  z *= z;
  const int numbers[4] = {5, 6, 7, 8};
  const cuda::std::span<const int> all(numbers, 4);
  out[0] = a[0] + a[1] + a[2] + a.size();
  out[1] = cuda::std::get<1>(t) + x + y;
  out[2] = cuda::std::numeric_limits<cuda::std::int16_t>::max();
  out[3] = find(all, 7).value_or(-1) + find(all.subspan(2), 5).value_or(-10);
  out[4] = twice(cuda::std::sqrt(16.0f));
  out[5] = z.real();
  out[6] = z.imag();
  cuda::std::swap(out[0], out[1]);
}

int main() {
  Counter* counter;
  float *sum, *out;
  unsigned long long* most;
  int* least;
  double* top;
  cudaMallocManaged(&counter, sizeof *counter);
  cudaMallocManaged(&sum, sizeof *sum);
  cudaMallocManaged(&most, sizeof *most);
  cudaMallocManaged(&least, sizeof *least);
  cudaMallocManaged(&top, sizeof *top);
  cudaMallocManaged(&out, 7 * sizeof *out);
  new (counter) Counter(5);
  *sum = 0, *most = 0, *least = 7, *top = -1;
  count<<<2, 64>>>(counter, sum, most, least, top);
  cudaDeviceSynchronize();
  printf("%d %g %llu %d %g\n", counter->load(), *sum, *most, *least, *top);
  counter->store(0);
  *least = 0;
  in_turn<<<20, 32>>>(counter, least);
  cudaDeviceSynchronize();
  printf("%d %d\n", *least, counter->load());
  types<<<1, 1>>>(out, {1, 2, 3});
  cudaDeviceSynchronize();
  for (int i = 0; i < 7; ++i) printf("%g ", out[i]);
  printf("\n");
  cudaFree(counter);
  cudaFree(sum);
  cudaFree(most);
  cudaFree(least);
  cudaFree(top);
  cudaFree(out);
}
