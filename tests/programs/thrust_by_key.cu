// Thrust's algorithms over segments of equal keys. Expected values are those of the toolkit's Thrust.
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

#include <cstdio>

int main() {
  thrust::device_vector<int> keys(1000), values(1000, 1), unique(10), sums(10);
  for (int i = 0; i < 1000; ++i) keys[i] = i * 37 % 10, values[i] = i % 3;
  thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
  const auto ends =
      thrust::reduce_by_key(keys.begin(), keys.end(), values.begin(), unique.begin(), sums.begin());
  printf("%d segments:", int(ends.first - unique.begin()));
  for (int i = 0; i < 10; ++i) printf(" %d=%d", int(unique[i]), int(sums[i]));
  thrust::device_vector<int> before(1000), with(1000);
  thrust::exclusive_scan_by_key(keys.begin(), keys.end(), values.begin(), before.begin());
  thrust::inclusive_scan_by_key(keys.begin(), keys.end(), values.begin(), with.begin());
  printf("\nscans: %d %d", int(before[99]), int(with[99]));
  printf(" %d %d\n", int(before[100]), int(with[101]));
  const auto most =
      thrust::reduce_by_key(keys.begin(), keys.end(), values.begin(), unique.begin(), sums.begin(),
                            thrust::equal_to<int>(), thrust::maximum<int>());
  printf("%d, most in a segment: %d\n", int(most.second - sums.begin()), int(sums[4]));
}
