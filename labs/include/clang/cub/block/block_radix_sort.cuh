// cub::BlockRadixSort, from CUB's documentation: stable, by one bit of the keys per round, with its place counted in
// shared memory. Items are blocked: thread t holds t * N to t * N + N - 1. Keys are integers and floating-point numbers.
#pragma once
#include "block_scan.cuh"
DOJO_SHIM_BEGIN
namespace cub {
struct NullType {};

template <class K, int Threads, int N, class V = NullType, int RadixBits = 4>
class BlockRadixSort {
  template <int bytes, class = void> struct Bits { typedef unsigned type; };
  template <class Any> struct Bits<8, Any> { typedef unsigned long long type; };
  typedef typename Bits<sizeof(K)>::type Word;
  static constexpr bool floats = K(0.5) != K(0), is_signed = K(-1) < K(0), pairs = !__is_same(V, NullType);
  typedef BlockScan<int, Threads> Scan;

 public:
  struct TempStorage {
    typename Scan::TempStorage scan;
    K keys[Threads * N];
    V values[Threads * N];
  };
  DOJO_MEMBER explicit BlockRadixSort(TempStorage& storage) : storage_(storage) {}

  DOJO_MEMBER void Sort(K (&keys)[N], int begin = 0, int end = 8 * sizeof(K)) { sort(keys, none_, begin, end, false, false); }
  DOJO_MEMBER void SortDescending(K (&keys)[N], int begin = 0, int end = 8 * sizeof(K)) { sort(keys, none_, begin, end, true, false); }
  DOJO_MEMBER void Sort(K (&keys)[N], V (&values)[N], int begin = 0, int end = 8 * sizeof(K)) { sort(keys, values, begin, end, false, false); }
  DOJO_MEMBER void SortDescending(K (&keys)[N], V (&values)[N], int begin = 0, int end = 8 * sizeof(K)) { sort(keys, values, begin, end, true, false); }
  DOJO_MEMBER void SortBlockedToStriped(K (&keys)[N], int begin = 0, int end = 8 * sizeof(K)) { sort(keys, none_, begin, end, false, true); }
  DOJO_MEMBER void SortBlockedToStriped(K (&keys)[N], V (&values)[N], int begin = 0, int end = 8 * sizeof(K)) { sort(keys, values, begin, end, false, true); }

 private:
  /// Bits whose order as unsigned numbers is that of the keys.
  static DOJO_MEMBER Word ordered(const K& key, bool descending) {
    Word w = 0;
    __builtin_memcpy(&w, &key, sizeof key);
    const Word top = Word(1) << (8 * sizeof(K) - 1), all = top | (top - 1);
    if (floats)
      w = w & top ? ~w & all : w | top;
    else if (is_signed)
      w ^= top;
    return descending ? ~w & all : w;
  }
  DOJO_MEMBER void sort(K (&keys)[N], V (&values)[N], int begin, int end, bool descending, bool striped) {
    for (int bit = begin; bit < end; ++bit) {
      int zeros = 0, before, all;
#pragma unroll
      for (int i = 0; i < N; ++i) zeros += !(ordered(keys[i], descending) >> bit & 1);
      __syncthreads();
      Scan(storage_.scan).ExclusiveSum(zeros, before, all);
      int ones = all + int(threadIdx.x) * N - before;
      const bool last = bit + 1 == end;
#pragma unroll
      for (int i = 0; i < N; ++i) {
        const int to = ordered(keys[i], descending) >> bit & 1 ? ones++ : before++;
        storage_.keys[to] = keys[i];
        if (pairs) storage_.values[to] = values[i];
      }
      __syncthreads();
#pragma unroll
      for (int i = 0; i < N; ++i) {
        const int from = last && striped ? int(threadIdx.x) + i * Threads : int(threadIdx.x) * N + i;
        keys[i] = storage_.keys[from];
        if (pairs) values[i] = storage_.values[from];
      }
    }
  }
  TempStorage& storage_;
  V none_[N];
};

}  // namespace cub
DOJO_SHIM_END
