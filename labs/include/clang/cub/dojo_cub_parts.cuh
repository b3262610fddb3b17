// What the stand-ins for CUB's block and warp primitives share: sums, and shuffles of any type.
#pragma once
DOJO_SHIM_BEGIN
namespace cub {
namespace dojo_parts {

struct Plus {
  template <class T> DOJO_MEMBER T operator()(const T& a, const T& b) const { return a + b; }
};
template <class T> union Words {
  static constexpr int count = (sizeof(T) + 3) / 4;
  unsigned word[count];
  T value;
  DOJO_MEMBER Words() {}
};
/// Four bytes at a time, whatever the type; from lane - n, within groups of `width` lanes.
template <class T> DOJO_MEMBER T shuffle_up(const T& value, unsigned n, int width = 32) {
  Words<T> u;
  u.value = value;
#pragma unroll
  for (int i = 0; i < Words<T>::count; ++i) u.word[i] = __shfl_up_sync(0xffffffffu, u.word[i], n, width);
  return u.value;
}
template <class T> DOJO_MEMBER T shuffle_down(const T& value, unsigned n, int width = 32) {
  Words<T> u;
  u.value = value;
#pragma unroll
  for (int i = 0; i < Words<T>::count; ++i) u.word[i] = __shfl_down_sync(0xffffffffu, u.word[i], n, width);
  return u.value;
}
template <class T> DOJO_MEMBER T shuffle(const T& value, int lane, int width = 32) {
  Words<T> u;
  u.value = value;
#pragma unroll
  for (int i = 0; i < Words<T>::count; ++i) u.word[i] = __shfl_sync(0xffffffffu, u.word[i], lane, width);
  return u.value;
}
/// Inclusive scan over `width` lanes.
template <class T, class Op> DOJO_MEMBER T scan_lanes(T value, Op op, int width = 32) {
  const int lane = int(threadIdx.x % unsigned(width));
  for (int d = 1; d < width; d *= 2) {
    const T other = shuffle_up(value, unsigned(d), width);
    if (lane >= d) value = op(other, value);
  }
  return value;
}

}  // namespace dojo_parts
}  // namespace cub
DOJO_SHIM_END
