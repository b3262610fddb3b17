// cub::BlockRadixSort, from CUB's documentation: stable, by one bit of the keys per round, with its place counted in
// shared memory. Items are blocked: thread t holds t * N to t * N + N - 1. Keys are integers and floating-point numbers.
#pragma once
#include "block_scan.cuh"
DOJO_SHIM_BEGIN
namespace cub {
struct NullType {};

template <class _K, int Threads, int _N, class _V = NullType, int RadixBits = 4>
class BlockRadixSort {
  template <int bytes, class = void> struct Bits { typedef unsigned type; };
  template <class Any> struct Bits<8, Any> { typedef unsigned long long type; };
  typedef typename Bits<sizeof(_K)>::type Word;
  static constexpr bool floats = _K(0.5) != _K(0), is_signed = _K(-1) < _K(0), pairs = !__is_same(_V, NullType);
  typedef BlockScan<int, Threads> Scan;

 public:
  struct TempStorage {
    typename Scan::TempStorage scan;
    _K keys[Threads * _N];
    _V values[Threads * _N];
  };
  DOJO_MEMBER explicit BlockRadixSort(TempStorage& storage) : storage_(storage) {}

  DOJO_MEMBER void Sort(_K (&keys)[_N], int begin = 0, int end = 8 * sizeof(_K)) { sort(keys, none_, begin, end, false, false); }
  DOJO_MEMBER void SortDescending(_K (&keys)[_N], int begin = 0, int end = 8 * sizeof(_K)) { sort(keys, none_, begin, end, true, false); }
  DOJO_MEMBER void Sort(_K (&keys)[_N], _V (&values)[_N], int begin = 0, int end = 8 * sizeof(_K)) { sort(keys, values, begin, end, false, false); }
  DOJO_MEMBER void SortDescending(_K (&keys)[_N], _V (&values)[_N], int begin = 0, int end = 8 * sizeof(_K)) { sort(keys, values, begin, end, true, false); }
  DOJO_MEMBER void SortBlockedToStriped(_K (&keys)[_N], int begin = 0, int end = 8 * sizeof(_K)) { sort(keys, none_, begin, end, false, true); }
  DOJO_MEMBER void SortBlockedToStriped(_K (&keys)[_N], _V (&values)[_N], int begin = 0, int end = 8 * sizeof(_K)) { sort(keys, values, begin, end, false, true); }

 private:
  /// Bits whose order as unsigned numbers is that of the keys.
  static DOJO_MEMBER Word ordered(const _K& key, bool descending) {
    Word w = 0;
    __builtin_memcpy(&w, &key, sizeof key);
    const Word top = Word(1) << (8 * sizeof(_K) - 1), all = top | (top - 1);
    if (floats)
      w = w & top ? ~w & all : w | top;
    else if (is_signed)
      w ^= top;
    return descending ? ~w & all : w;
  }
  DOJO_MEMBER void sort(_K (&keys)[_N], _V (&values)[_N], int begin, int end, bool descending, bool striped) {
    for (int bit = begin; bit < end; ++bit) {
      int zeros = 0, before, all;
#pragma unroll
      for (int i = 0; i < _N; ++i) zeros += !(ordered(keys[i], descending) >> bit & 1);
      __syncthreads();
      Scan(storage_.scan).ExclusiveSum(zeros, before, all);
      int ones = all + int(threadIdx.x) * _N - before;
      const bool last = bit + 1 == end;
#pragma unroll
      for (int i = 0; i < _N; ++i) {
        const int to = ordered(keys[i], descending) >> bit & 1 ? ones++ : before++;
        storage_.keys[to] = keys[i];
        if (pairs) storage_.values[to] = values[i];
      }
      __syncthreads();
#pragma unroll
      for (int i = 0; i < _N; ++i) {
        const int from = last && striped ? int(threadIdx.x) + i * Threads : int(threadIdx.x) * _N + i;
        keys[i] = storage_.keys[from];
        if (pairs) values[i] = storage_.values[from];
      }
    }
  }
  TempStorage& storage_;
  _V none_[_N];
};

}  // namespace cub
DOJO_SHIM_END
