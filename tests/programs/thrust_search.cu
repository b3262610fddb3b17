// Searches in sorted vectors by Thrust, of one value and of many; thrust::device before plain pointers.
#include <cstdio>
#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <vector>

int main() {
  const std::vector<int> sorted = {1, 3, 3, 3, 8, 9};
  thrust::device_vector<int> v(sorted.begin(), sorted.end());
  printf("%d %d\n", int(thrust::lower_bound(v.begin(), v.end(), 3) - v.begin()),
         int(thrust::upper_bound(v.begin(), v.end(), 3) - v.begin()));
  printf("%d %d %d\n", thrust::binary_search(v.begin(), v.end(), 8), thrust::binary_search(v.begin(), v.end(), 7),
         thrust::binary_search(thrust::device, v.begin(), v.end(), 9));
  thrust::device_vector<int> wanted(11), places(11);
  thrust::sequence(wanted.begin(), wanted.end());
  thrust::upper_bound(v.begin(), v.end(), wanted.begin(), wanted.end(), places.begin());
  const thrust::host_vector<int> h = places;
  for (int p : h) printf("%d ", p);
  thrust::device_vector<bool> there(11);
  thrust::binary_search(thrust::device, v.begin(), v.end(), wanted.begin(), wanted.end(), there.begin());
  const thrust::host_vector<bool> found = there;
  for (bool b : found) printf("%d", int(b));
  printf("\n%d\n", int(thrust::lower_bound(thrust::host, sorted.begin(), sorted.end(), 8) - sorted.begin()));
  int* numbers = thrust::raw_pointer_cast(v.data());
  thrust::exclusive_scan(thrust::device, numbers, numbers + 6, numbers);
  printf("%d\n", int(v[5]));
}
