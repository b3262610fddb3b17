// Thrust's most used algorithms, by its stand-in: vectors, sorts, sums, scans, choices and iterators that
// compute.
#include <thrust/adjacent_difference.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#include <cstdio>

struct Square {
  __host__ __device__ float operator()(float x) const { return x * x; }
};
struct Odd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
struct SumOfBoth {
  template <class T>
  __host__ __device__ int operator()(T t) const {
    return thrust::get<0>(t) + thrust::get<1>(t);
  }
};

int main() {
  const int n = 1000;
  thrust::device_vector<int> v(n);
  thrust::sequence(v.begin(), v.end());
  printf("sum %d\n", thrust::reduce(v.begin(), v.end()));
  thrust::device_vector<float> f(n, 2.0f);
  thrust::transform(f.begin(), f.end(), f.begin(), Square());
  printf("squares %g\n", thrust::reduce(f.begin(), f.end(), 0.0f, thrust::plus<float>()));
  thrust::host_vector<int> h(n);
  for (int i = 0; i < n; ++i) h[i] = i * 7919 % 1009;
  v = h;
  thrust::sort(v.begin(), v.end(), thrust::greater<int>());
  h = v;
  bool falls = true;
  for (int i = 1; i < n; ++i) falls = falls && h[i - 1] >= h[i];
  printf("falls %d, first %d\n", falls, h[0]);
  thrust::device_vector<int> sums(n);
  thrust::exclusive_scan(v.begin(), v.end(), sums.begin());
  int total = 0;
  for (int i = 0; i < n - 1; ++i) total += h[i];
  printf("scan %d\n", int(sums[n - 1]) == total);
  const auto odd = thrust::copy_if(v.begin(), v.end(), sums.begin(), Odd());
  int count = 0;
  for (int i = 0; i < n; ++i) count += h[i] % 2;
  printf("odd %d\n", int(odd - sums.begin()) == count);
  int* raw = thrust::raw_pointer_cast(v.data());
  thrust::sort(thrust::device, raw, raw + n);
  printf("least %d, largest at %d\n", int(v[0]) == h[n - 1],
         int(thrust::max_element(v.begin(), v.end()) - v.begin()));
  thrust::device_vector<int> a(10, 3), b(10, 4);
  auto both = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
  printf("zip %d\n", thrust::transform_reduce(both, both + 10, SumOfBoth(), 0, thrust::plus<int>()));
  const int given[5] = {4, 1, 3, 1, 0};
  thrust::device_vector<int> keys(given, given + 5), values(5);
  thrust::sequence(values.begin(), values.end());
  thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
  for (int i = 0; i < 5; ++i) printf("%d:%d ", int(keys[i]), int(values[i]));
  printf("\n");
  // The 10000th number of this engine from its first seed is fixed by the C++ standard.
  thrust::default_random_engine engine;
  engine.discard(9999);
  thrust::device_vector<int> steps(5);
  const int squares[5] = {0, 1, 4, 9, 16};
  thrust::device_vector<int> from(squares, squares + 5);
  thrust::adjacent_difference(from.begin(), from.end(), steps.begin());
  printf("random %u, differences %d\n", engine(), int(steps[4]));
}
