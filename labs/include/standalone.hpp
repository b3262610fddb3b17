// A small main for one lab file, to take it to plain nvcc, Nsight Compute or compute-sanitizer:
//
//   nvcc -std=c++17 -arch=native -lineinfo -x cu -include labs/02-conv1d/2-shared.cu -DENTRY=conv1d
//        labs/include/standalone.hpp -o conv1d
//   ./conv1d 33554432
//
// It looks at the entry's parameters: numbers come from the command line in order, pointers get device buffers with
// content, large enough for what the numbers multiply to. Then it calls the entry, times it and prints the time. It
// does not check results: that is what `warpdojo run` does. docs/standalone.md says more.
#ifndef DOJO_STANDALONE_HPP
#define DOJO_STANDALONE_HPP
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace standalone {

inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}

/// What the command line says: `--elements`, `--repeat`, `--managed`, and numbers in order.
struct Options {
  std::vector<double> numbers;
  size_t elements = 0;  ///< of each buffer; 0: from the numbers
  int repeat = 20;      ///< timed calls
  bool managed = false; ///< buffers that host code may touch, too
};

inline Options parse(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool more = i + 1 < argc;
    if (word == "--elements" && more) o.elements = std::strtoull(argv[++i], nullptr, 10);
    else if (word == "--repeat" && more) o.repeat = std::max(1, std::atoi(argv[++i]));
    else if (word == "--managed") o.managed = true;
    else {
      char* end = nullptr;
      o.numbers.push_back(std::strtod(word.c_str(), &end));
      if (end == word.c_str() || *end) {
        std::fprintf(stderr, "usage: %s [NUMBER ...] [--elements N] [--repeat N] [--managed]\n", argv[0]);
        std::exit(2);
      }
    }
  }
  return o;
}

/// Content for buffers: floating point in [-1, 1), whole numbers below `count` (so that they may serve as indices).
template <class T>
__global__ void fill(T* out, size_t count, unsigned seed) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < count; i += size_t(gridDim.x) * blockDim.x) {
    unsigned h = unsigned(i) * 2654435761u + seed * 40503u;
    h = (h ^ h >> 15) * 2246822519u;
    h ^= h >> 13;
    if constexpr (std::is_floating_point_v<T>) {
      out[i] = T(h >> 8) * T(1.0 / 8388608) - T(1);
    } else if constexpr (std::is_integral_v<T>) {
      out[i] = T(h % (count < 2147483647 ? count : 2147483647));
    } else if constexpr (sizeof(T) == 2) {  // half: its bits, 1 to 2, either sign
      const unsigned short bits = (h & 0x8000) | 0x3c00 | (h >> 16 & 0x3ff);
      memcpy(&out[i], &bits, 2);
    } else {
      memset(&out[i], 0, sizeof(T));
    }
  }
}

/// Buffers of the arguments; freed by the end of the process.
template <class T>
T* buffer(size_t count, const Options& o, unsigned seed) {
  using Plain = std::conditional_t<std::is_void_v<T>, unsigned char, std::remove_const_t<T>>;
  void* p = nullptr;
  const size_t bytes = count * sizeof(Plain);
  check(o.managed ? cudaMallocManaged(&p, bytes) : cudaMalloc(&p, bytes), "allocating a buffer");
  fill<<<1024, 256>>>(static_cast<Plain*>(p), count, seed);
  check(cudaDeviceSynchronize(), "filling a buffer");
  return static_cast<T*>(p);
}

/// Elements that a buffer may need: the product of the numbers, capped, but never less than the two largest make.
inline size_t elements_for(std::vector<double> whole) {
  const double cap = double(1 << 28);
  double all = 1;
  for (double v : whole) all *= std::max(1.0, v);
  std::sort(whole.rbegin(), whole.rend());
  double two = 1;
  for (size_t i = 0; i < whole.size() && i < 2; ++i) two *= std::max(1.0, whole[i]);
  return size_t(std::max(two, std::min(all, cap))) + 65536;  // and some for halos
}

template <class Tuple, class Entry, size_t... I>
int run(Entry entry, const char* name, const Options& o, std::index_sequence<I...>) {
  Tuple values{};  // the entry's arguments
  // Numbers first: they say how large the buffers are.
  constexpr size_t scalars = (size_t(0) + ... + size_t(std::is_arithmetic_v<std::tuple_element_t<I, Tuple>>));
  std::vector<double> whole;
  size_t next = 0;
  auto number = [&](auto& v) {
    using T = std::decay_t<decltype(v)>;
    if constexpr (std::is_arithmetic_v<T>) {
      const double otherwise = std::is_floating_point_v<T> ? 1.0 : scalars == 1 ? double(1 << 24) : 1024.0;
      v = T(next < o.numbers.size() ? o.numbers[next] : otherwise);
      ++next;
      if (std::is_integral_v<T>) whole.push_back(double(v));
    }
  };
  (number(std::get<I>(values)), ...);
  if (o.numbers.size() > scalars) {
    std::fprintf(stderr, "%s takes %zu numbers, %zu were given\n", name, scalars, o.numbers.size());
    return 2;
  }
  const size_t elements = o.elements ? o.elements : elements_for(whole);
  auto pointer = [&](auto& v, unsigned seed) {
    using T = std::decay_t<decltype(v)>;
    if constexpr (std::is_pointer_v<T>) v = buffer<std::remove_pointer_t<T>>(elements, o, seed);
  };
  (pointer(std::get<I>(values), unsigned(I) + 1), ...);

  auto checked = [&] {
    (void)std::apply(entry, values);
    check(cudaGetLastError(), name);
  };
  for (int i = 0; i < 3; ++i) checked();
  check(cudaDeviceSynchronize(), name);
  cudaEvent_t start, stop;
  check(cudaEventCreate(&start), "creating an event");
  check(cudaEventCreate(&stop), "creating an event");
  std::vector<float> us;
  for (int i = 0; i < o.repeat; ++i) {
    check(cudaEventRecord(start), "recording an event");
    checked();
    check(cudaEventRecord(stop), "recording an event");
    check(cudaEventSynchronize(stop), name);
    float ms = 0;
    check(cudaEventElapsedTime(&ms, start, stop), "reading the time");
    us.push_back(1000 * ms);
  }
  std::sort(us.begin(), us.end());
  std::printf("%s(", name);
  for (size_t i = 0; i < whole.size(); ++i) std::printf("%s%.0f", i ? ", " : "", whole[i]);
  std::printf("): %.2f us (median of %d calls; %.2f to %.2f), buffers of %zu elements\n", us[us.size() / 2], o.repeat,
              us.front(), us.back(), elements);
  return 0;
}

/// Calls a lab's entry function, whatever its parameters.
template <class R, class... P>
int run(R (*entry)(P...), const char* name, int argc, char** argv) {
  return run<std::tuple<std::decay_t<P>...>>(entry, name, parse(argc, argv), std::index_sequence_for<P...>{});
}

}  // namespace standalone

#ifdef ENTRY
#define DOJO_STANDALONE_TEXT_(x) #x
#define DOJO_STANDALONE_TEXT(x) DOJO_STANDALONE_TEXT_(x)
int main(int argc, char** argv) { return standalone::run(ENTRY, DOJO_STANDALONE_TEXT(ENTRY), argc, argv); }
#endif
#endif  // DOJO_STANDALONE_HPP
