// Thrust on sorted ranges and by choice: sets, merges, partitions, and iterators that permute and discard.
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>

struct even {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

template <class V> void show(const char* name, const V& v, long n) {
  std::printf("%s:", name);
  for (long i = 0; i < n; ++i) std::printf(" %d", int(v[i]));
  std::printf("\n");
}

int main() {
  const int odd[] = {1, 3, 3, 5, 7, 9, 11}, mixed[] = {2, 3, 5, 6, 9};
  thrust::device_vector<int> a(odd, odd + 7), b(mixed, mixed + 5), out(12);
  auto end = thrust::set_union(a.begin(), a.end(), b.begin(), b.end(), out.begin());
  show("union", out, end - out.begin());
  end = thrust::set_intersection(a.begin(), a.end(), b.begin(), b.end(), out.begin());
  show("intersection", out, end - out.begin());
  end = thrust::set_difference(a.begin(), a.end(), b.begin(), b.end(), out.begin());
  show("difference", out, end - out.begin());
  end = thrust::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), out.begin());
  show("symmetric difference", out, end - out.begin());
  end = thrust::merge(thrust::device, a.begin(), a.end(), b.begin(), b.end(), out.begin(), thrust::less<int>());
  show("merge", out, end - out.begin());

  thrust::device_vector<int> n(10), yes(10), no(10);
  thrust::sequence(n.begin(), n.end());
  const auto ends = thrust::partition_copy(n.begin(), n.end(), yes.begin(), no.begin(), even());
  show("even", yes, ends.first - yes.begin());
  show("odd", no, ends.second - no.begin());
  const auto middle = thrust::stable_partition(n.begin(), n.end(), even());
  show("partitioned", n, n.size());
  std::printf("%ld even ones, all %d, any %d, none %d\n", long(middle - n.begin()),
              thrust::all_of(n.begin(), middle, even()), thrust::any_of(middle, n.end(), even()),
              thrust::none_of(n.begin(), n.end(), even()));

  const int order[] = {3, 0, 2}, keys[] = {1, 1, 2, 2, 2, 3}, values[] = {1, 2, 3, 4, 5, 6};
  thrust::device_vector<int> map(order, order + 3), k(keys, keys + 6), v(values, values + 6), sums(6);
  const auto permuted = thrust::make_permutation_iterator(a.begin(), map.begin());
  std::printf("permuted sum %d\n", thrust::reduce(permuted, permuted + 3));
  thrust::copy(b.begin(), b.begin() + 3, thrust::make_permutation_iterator(out.begin(), map.begin()));
  std::printf("scattered %d %d %d\n", int(out[3]), int(out[0]), int(out[2]));
  const auto last =
      thrust::reduce_by_key(k.begin(), k.end(), v.begin(), thrust::make_discard_iterator(), sums.begin());
  show("sums by key", sums, last.second - sums.begin());
}
