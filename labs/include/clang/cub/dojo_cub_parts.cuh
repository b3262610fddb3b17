// What the stand-ins for CUB's block and warp primitives share: sums, and shuffles of any type.
#pragma once
DOJO_SHIM_BEGIN
namespace cub {
namespace dojo_parts {

struct Plus {
  template <class _T> DOJO_MEMBER _T operator()(const _T& a, const _T& b) const { return a + b; }
};
template <class _T> union Words {
  static constexpr int count = (sizeof(_T) + 3) / 4;
  unsigned word[count];
  _T value;
  DOJO_MEMBER Words() {}
};
/// Four bytes at a time, whatever the type; from lane - n, within groups of `width` lanes.
template <class _T> DOJO_MEMBER _T shuffle_up(const _T& value, unsigned n, int width = 32, unsigned mask = 0xffffffffu) {
  Words<_T> u;
  u.value = value;
#pragma unroll
  for (int i = 0; i < Words<_T>::count; ++i) u.word[i] = __shfl_up_sync(mask, u.word[i], n, width);
  return u.value;
}
template <class _T> DOJO_MEMBER _T shuffle_down(const _T& value, unsigned n, int width = 32, unsigned mask = 0xffffffffu) {
  Words<_T> u;
  u.value = value;
#pragma unroll
  for (int i = 0; i < Words<_T>::count; ++i) u.word[i] = __shfl_down_sync(mask, u.word[i], n, width);
  return u.value;
}
template <class _T> DOJO_MEMBER _T shuffle(const _T& value, int lane, int width = 32, unsigned mask = 0xffffffffu) {
  Words<_T> u;
  u.value = value;
#pragma unroll
  for (int i = 0; i < Words<_T>::count; ++i) u.word[i] = __shfl_sync(mask, u.word[i], lane, width);
  return u.value;
}
/// The lanes of this thread's group of `width`: groups of one warp may be at different places of the program.
DOJO_MEMBER inline unsigned group_of(int width) {
  if (width == 32) return 0xffffffffu;
  const unsigned lane = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  return ((1u << width) - 1) << (lane % 32 / unsigned(width) * unsigned(width));
}
/// Those of the warp's 32 lanes that a one-dimensional block of so many threads has.
template <int Threads> DOJO_MEMBER unsigned lanes_of_block() {
  return Threads % 32 == 0 || threadIdx.x / 32 < Threads / 32 ? 0xffffffffu : (1u << Threads % 32) - 1;
}
/// Inclusive scan over `width` lanes.
template <class _T, class Op> DOJO_MEMBER _T scan_lanes(_T value, Op op, int width = 32, unsigned mask = 0xffffffffu) {
  const int lane = int(threadIdx.x % unsigned(width));
  for (int d = 1; d < width; d *= 2) {
    const _T other = shuffle_up(value, unsigned(d), width, mask);
    if (lane >= d) value = op(other, value);
  }
  return value;
}

}  // namespace dojo_parts
}  // namespace cub
DOJO_SHIM_END
