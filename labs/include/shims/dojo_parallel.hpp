// Kernels behind our stand-ins for Thrust and CUB's device-wide algorithms (thrust/, cub/device). They are plain ones of
// our own: right, deterministic, checked as any kernel is, and not as fast as the libraries'. Iterators are raw here:
// pointers, or things whose operator[] a kernel may call.
#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
namespace __dojo_par {

constexpr unsigned threads = 256;

inline unsigned blocks(size_t n) { return unsigned(n / threads > 1023 ? 1024 : n / threads + 1); }

template <class F> __global__ void each_kernel(size_t n, F f) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) f(i);
}
/// f(i) for every i below n.
template <class F> void each(size_t n, F f, cudaStream_t s = 0) {
  if (n) each_kernel<<<blocks(n), threads, 0, s>>>(n, f);
}

template <class T> struct Scratch {
  T* at = nullptr;
  cudaStream_t stream;
  Scratch(size_t n, cudaStream_t s) : stream(s) { cudaMallocAsync((void**)(void*)&at, (n ? n : 1) * sizeof(T), s); }
  ~Scratch() { cudaFreeAsync(at, stream); }
  Scratch(const Scratch&) = delete;
};

/// Sums of the grid's blocks; the operation is commutative, as the libraries ask.
template <class T, class I, class O> __global__ void reduce_kernel(I in, size_t n, T* out, O op, T start, int with_start) {
  __shared__ alignas(16) unsigned char raw[threads * sizeof(T)];
  T* part = reinterpret_cast<T*>(raw);
  const size_t first = blockIdx.x * size_t(blockDim.x) + threadIdx.x, step = size_t(gridDim.x) * blockDim.x;
  if (first < n) {
    T sum = in[first];
    for (size_t i = first + step; i < n; i += step) sum = op(sum, T(in[i]));
    part[threadIdx.x] = sum;
  }
  const size_t begins = blockIdx.x * size_t(blockDim.x);
  const unsigned has = n <= begins ? 0 : n - begins < threads ? unsigned(n - begins) : threads;
  __syncthreads();
  for (unsigned half = threads / 2; half; half /= 2) {
    if (threadIdx.x < half && threadIdx.x + half < has)
      part[threadIdx.x] = op(part[threadIdx.x], part[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    if (has)
      out[blockIdx.x] = with_start ? op(start, part[0]) : part[0];
    else if (with_start)
      out[blockIdx.x] = start;
  }
}
template <class T, class I, class O>
void reduce(I in, size_t n, T* out, O op, T start, bool with_start, cudaStream_t s = 0) {
  size_t parts = (n + threads - 1) / threads;
  if (parts > 264) parts = 264;
  if (parts <= 1) {
    reduce_kernel<T><<<1, threads, 0, s>>>(in, n, out, op, start, int(with_start));
    return;
  }
  Scratch<T> sums(parts, s);
  reduce_kernel<T><<<unsigned(parts), threads, 0, s>>>(in, n, sums.at, op, start, 0);
  reduce_kernel<T><<<1, threads, 0, s>>>((const T*)sums.at, parts, out, op, start, int(with_start));
}

/// One block walks over the whole range; `exclusive` puts `start` first.
template <class T, class I, class R, class O>
__global__ void scan_kernel(I in, R out, size_t n, O op, T start, int with_start, int exclusive) {
  __shared__ alignas(16) unsigned char raw[2][1024 * sizeof(T)];
  __shared__ alignas(16) unsigned char kept[sizeof(T)];
  T* carry = reinterpret_cast<T*>(kept);
  const unsigned t = threadIdx.x;
  if (t == 0) *carry = start;
  __syncthreads();
  for (size_t base = 0; base < n; base += 1024) {
    const unsigned has = n - base < 1024 ? unsigned(n - base) : 1024;
    T* from = reinterpret_cast<T*>(raw[0]);
    T* to = reinterpret_cast<T*>(raw[1]);
    if (t < has) from[t] = in[base + t];
    __syncthreads();
    for (unsigned d = 1; d < has; d *= 2) {
      if (t < has) to[t] = t >= d ? op(from[t - d], from[t]) : from[t];
      __syncthreads();
      T* const other = from;
      from = to;
      to = other;
    }
    const bool carried = with_start || base > 0;
    const T before = *carry;
    if (t < has) {
      if (exclusive)
        out[base + t] = t == 0 ? before : op(before, from[t - 1]);
      else
        out[base + t] = carried ? op(before, from[t]) : from[t];
    }
    __syncthreads();
    if (t == 0) *carry = carried ? op(before, from[has - 1]) : from[has - 1];
    __syncthreads();
  }
}
template <class T, class I, class R, class O>
void scan(I in, R out, size_t n, O op, T start, bool with_start, bool exclusive, cudaStream_t s = 0) {
  if (n) scan_kernel<T><<<1, 1024, 0, s>>>(in, out, n, op, start, int(with_start), int(exclusive));
}

/// One round of a stable merge sort: every element finds its place in the run beside its own.
template <class K, class V, class L>
__global__ void merge_kernel(const K* keys, const V* values, K* keys_to, V* values_to, size_t n, size_t width, L less) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) {
    const size_t pair = i / (2 * width) * 2 * width;
    const bool left = i < pair + width;
    size_t lo = left ? pair + width : pair;
    size_t hi = left ? pair + 2 * width : pair + width;
    if (lo > n) lo = n;
    if (hi > n) hi = n;
    const size_t other = lo;
    const K key = keys[i];
    while (lo < hi) {
      const size_t mid = lo + (hi - lo) / 2;
      const bool before = left ? less(keys[mid], key) : !less(key, keys[mid]);
      if (before)
        lo = mid + 1;
      else
        hi = mid;
    }
    const size_t to = left ? i + (lo - other) : pair + (i - pair - width) + (lo - other);
    keys_to[to] = key;
    if (values) values_to[to] = values[i];
  }
}
template <class T> struct Copy {
  const T* from;
  T* to;
  __device__ void operator()(size_t i) const { to[i] = from[i]; }
};
/// In place; `values` may be null.
template <class K, class V, class L> void sort(K* keys, V* values, size_t n, L less, cudaStream_t s = 0) {
  Scratch<K> more_keys(n, s);
  Scratch<V> more_values(values ? n : 1, s);
  K* k[2] = {keys, more_keys.at};
  V* v[2] = {values, values ? more_values.at : nullptr};
  int at = 0;
  for (size_t width = 1; width < n; width *= 2, at = 1 - at)
    merge_kernel<<<blocks(n), threads, 0, s>>>((const K*)k[at], (const V*)v[at], k[1 - at], v[1 - at], n, width, less);
  if (at == 1) {
    each(n, Copy<K>{k[1], k[0]}, s);
    if (values) each(n, Copy<V>{v[1], v[0]}, s);
  }
}

template <class I, class P> struct Flag {
  I in;
  P keeps;
  __device__ unsigned long long operator[](size_t i) const { return keeps(in, i) ? 1 : 0; }
};
template <class I, class R, class P> struct Put {
  I in;
  R out;
  P keeps;
  const unsigned long long* place;
  __device__ void operator()(size_t i) const {
    if (keeps(in, i)) out[place[i]] = in[i];
  }
};
struct Add {
  template <class A, class B> __device__ auto operator()(const A& a, const B& b) const { return a + b; }
};
struct Least {
  template <class A> __device__ A operator()(const A& a, const A& b) const { return b < a ? b : a; }
};
struct Most {
  template <class A> __device__ A operator()(const A& a, const A& b) const { return a < b ? b : a; }
};
template <class Q> struct KeepsIf {
  Q is;
  bool wanted;
  template <class I> bool operator()(const I& in, size_t i) const { return bool(is(in[i])) == wanted; }
};
template <class S, class Q> struct KeepsByStencil {
  S stencil;
  Q is;
  template <class I> bool operator()(const I&, size_t i) const { return is(stencil[i]); }
};
struct KeepsNew {
  template <class I> bool operator()(const I& in, size_t i) const { return i == 0 || !(in[i] == in[i - 1]); }
};
/// Copies what keeps(in, i) is true for, in order; returns how many.
template <class I, class R, class P> size_t select(I in, R out, size_t n, P keeps, cudaStream_t s = 0) {
  if (!n) return 0;
  Scratch<unsigned long long> place(n, s);
  scan<unsigned long long>(Flag<I, P>{in, keeps}, place.at, n, Add(), 0ull, true, false, s);
  unsigned long long kept = 0;
  cudaMemcpyAsync(&kept, place.at + (n - 1), sizeof kept, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  scan<unsigned long long>(Flag<I, P>{in, keeps}, place.at, n, Add(), 0ull, true, true, s);
  each(n, Put<I, R, P>{in, out, keeps, place.at}, s);
  return size_t(kept);
}

}  // namespace __dojo_par
DOJO_SHIM_END
#endif
