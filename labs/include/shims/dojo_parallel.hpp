// Kernels behind our stand-ins for Thrust and CUB's device-wide algorithms (thrust/, cub/device). They are plain ones of
// our own: right, deterministic, checked as any kernel is, and not as fast as the libraries'. Iterators are raw here:
// pointers, or things whose operator[] a kernel may call.
#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
namespace __dojo_par {

constexpr unsigned threads = 256;

inline unsigned blocks(size_t n) { return unsigned(n / threads > 1023 ? 1024 : n / threads + 1); }

template <class _F> __global__ void each_kernel(size_t n, _F f) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) f(i);
}
/// f(i) for every i below n.
template <class _F> void each(size_t n, _F f, cudaStream_t s = 0) {
  if (n) each_kernel<<<blocks(n), threads, 0, s>>>(n, f);
}

template <class _T> struct Scratch {
  _T* at = nullptr;
  cudaStream_t stream;
  Scratch(size_t n, cudaStream_t s) : stream(s) { cudaMallocAsync((void**)(void*)&at, (n ? n : 1) * sizeof(_T), s); }
  ~Scratch() { cudaFreeAsync(at, stream); }
  Scratch(const Scratch&) = delete;
};

/// Sums of the grid's blocks; the operation is commutative, as the libraries ask.
template <class _T, class _I, class _O> __global__ void reduce_kernel(_I in, size_t n, _T* out, _O op, _T start, int with_start) {
  __shared__ alignas(16) unsigned char raw[threads * sizeof(_T)];
  _T* part = reinterpret_cast<_T*>(raw);
  const size_t first = blockIdx.x * size_t(blockDim.x) + threadIdx.x, step = size_t(gridDim.x) * blockDim.x;
  if (first < n) {
    _T sum = in[first];
    for (size_t i = first + step; i < n; i += step) sum = op(sum, _T(in[i]));
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
template <class _T, class _I, class _O>
void reduce(_I in, size_t n, _T* out, _O op, _T start, bool with_start, cudaStream_t s = 0) {
  size_t parts = (n + threads - 1) / threads;
  if (parts > 264) parts = 264;
  if (parts <= 1) {
    reduce_kernel<_T><<<1, threads, 0, s>>>(in, n, out, op, start, int(with_start));
    return;
  }
  Scratch<_T> sums(parts, s);
  reduce_kernel<_T><<<unsigned(parts), threads, 0, s>>>(in, n, sums.at, op, start, 0);
  reduce_kernel<_T><<<1, threads, 0, s>>>((const _T*)sums.at, parts, out, op, start, int(with_start));
}

/// One block walks over the whole range; `exclusive` puts `start` first.
template <class _T, class _I, class _R, class _O>
__global__ void scan_kernel(_I in, _R out, size_t n, _O op, _T start, int with_start, int exclusive) {
  __shared__ alignas(16) unsigned char raw[2][1024 * sizeof(_T)];
  __shared__ alignas(16) unsigned char kept[sizeof(_T)];
  _T* carry = reinterpret_cast<_T*>(kept);
  const unsigned t = threadIdx.x;
  if (t == 0) *carry = start;
  __syncthreads();
  for (size_t base = 0; base < n; base += 1024) {
    const unsigned has = n - base < 1024 ? unsigned(n - base) : 1024;
    _T* from = reinterpret_cast<_T*>(raw[0]);
    _T* to = reinterpret_cast<_T*>(raw[1]);
    if (t < has) from[t] = in[base + t];
    __syncthreads();
    for (unsigned d = 1; d < has; d *= 2) {
      if (t < has) to[t] = t >= d ? op(from[t - d], from[t]) : from[t];
      __syncthreads();
      _T* const other = from;
      from = to;
      to = other;
    }
    const bool carried = with_start || base > 0;
    const _T before = *carry;
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
template <class _T, class _I, class _R, class _O>
void scan(_I in, _R out, size_t n, _O op, _T start, bool with_start, bool exclusive, cudaStream_t s = 0) {
  if (n) scan_kernel<_T><<<1, 1024, 0, s>>>(in, out, n, op, start, int(with_start), int(exclusive));
}

/// One round of a stable merge sort: every element finds its place in the run beside its own.
template <class _K, class _V, class _L>
__global__ void merge_kernel(const _K* keys, const _V* values, _K* keys_to, _V* values_to, size_t n, size_t width, _L less) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) {
    const size_t pair = i / (2 * width) * 2 * width;
    const bool left = i < pair + width;
    size_t lo = left ? pair + width : pair;
    size_t hi = left ? pair + 2 * width : pair + width;
    if (lo > n) lo = n;
    if (hi > n) hi = n;
    const size_t other = lo;
    const _K key = keys[i];
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
template <class _T> struct Copy {
  const _T* from;
  _T* to;
  __device__ void operator()(size_t i) const { to[i] = from[i]; }
};
/// In place; `values` may be null.
template <class _K, class _V, class _L> void sort(_K* keys, _V* values, size_t n, _L less, cudaStream_t s = 0) {
  Scratch<_K> more_keys(n, s);
  Scratch<_V> more_values(values ? n : 1, s);
  _K* k[2] = {keys, more_keys.at};
  _V* v[2] = {values, values ? more_values.at : nullptr};
  int at = 0;
  for (size_t width = 1; width < n; width *= 2, at = 1 - at)
    merge_kernel<<<blocks(n), threads, 0, s>>>((const _K*)k[at], (const _V*)v[at], k[1 - at], v[1 - at], n, width, less);
  if (at == 1) {
    each(n, Copy<_K>{k[1], k[0]}, s);
    if (values) each(n, Copy<_V>{v[1], v[0]}, s);
  }
}

template <class _I, class _P> struct Flag {
  _I in;
  _P keeps;
  __device__ unsigned long long operator[](size_t i) const { return keeps(in, i) ? 1 : 0; }
};
template <class _I, class _R, class _P> struct Put {
  _I in;
  _R out;
  _P keeps;
  const unsigned long long* place;
  __device__ void operator()(size_t i) const {
    if (keeps(in, i)) out[place[i]] = in[i];
  }
};
struct Add {
  template <class _A, class _B> __device__ auto operator()(const _A& a, const _B& b) const { return a + b; }
};
struct Least {
  template <class _A> __device__ _A operator()(const _A& a, const _A& b) const { return b < a ? b : a; }
};
struct Most {
  template <class _A> __device__ _A operator()(const _A& a, const _A& b) const { return a < b ? b : a; }
};
template <class _Q> struct KeepsIf {
  _Q is;
  bool wanted;
  template <class _I> bool operator()(const _I& in, size_t i) const { return bool(is(in[i])) == wanted; }
};
template <class _S, class _Q> struct KeepsByStencil {
  _S stencil;
  _Q is;
  template <class _I> bool operator()(const _I&, size_t i) const { return is(stencil[i]); }
};
struct KeepsNew {
  template <class _I> bool operator()(const _I& in, size_t i) const { return i == 0 || !(in[i] == in[i - 1]); }
};
/// Copies what keeps(in, i) is true for, in order; returns how many.
template <class _I, class _R, class _P> size_t select(_I in, _R out, size_t n, _P keeps, cudaStream_t s = 0) {
  if (!n) return 0;
  Scratch<unsigned long long> place(n, s);
  scan<unsigned long long>(Flag<_I, _P>{in, keeps}, place.at, n, Add(), 0ull, true, false, s);
  unsigned long long kept = 0;
  cudaMemcpyAsync(&kept, place.at + (n - 1), sizeof kept, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  scan<unsigned long long>(Flag<_I, _P>{in, keeps}, place.at, n, Add(), 0ull, true, true, s);
  each(n, Put<_I, _R, _P>{in, out, keeps, place.at}, s);
  return size_t(kept);
}

}  // namespace __dojo_par
DOJO_SHIM_END
#endif
