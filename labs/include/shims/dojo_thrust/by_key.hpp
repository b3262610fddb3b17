// Thrust's algorithms over segments of equal consecutive keys. One thread takes one segment.
#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
namespace _thrst {

/// Does a segment begin at i?
template <class K, class E> struct begins_segment {
  K keys;
  E equal;
  template <class I> bool operator()(const I&, size_t i) const { return i == 0 || !equal(keys[i - 1], keys[i]); }
};
/// Where segments begin and end among n elements.
struct segments_of {
  const size_t* starts;
  size_t count, n;
  size_t first(size_t s) const { return starts[s]; }
  size_t last(size_t s) const { return s + 1 < count ? starts[s + 1] : n; }
};
template <class K, class V, class KR, class VR, class O> struct reduce_segment {
  K keys;
  V values;
  KR keys_out;
  VR values_out;
  O op;
  segments_of segments;
  void operator()(size_t s) const {
    const size_t first = segments.first(s), last = segments.last(s);
    auto sum = value_at<V>(values[first]);
    for (size_t i = first + 1; i < last; ++i) sum = op(sum, values[i]);
    keys_out[s] = keys[first];
    values_out[s] = sum;
  }
};
template <class V, class R, class T, class O> struct scan_segment {
  V values;
  R out;
  O op;
  T start;
  int exclusive;
  segments_of segments;
  void operator()(size_t s) const {
    const size_t first = segments.first(s), last = segments.last(s);
    T sum = start;
    for (size_t i = first; i < last; ++i) {
      const T v = values[i];
      if (exclusive) out[i] = sum;
      sum = i == first && !exclusive ? v : T(op(sum, v));
      if (!exclusive) out[i] = sum;
    }
  }
};

/// Where the segments begin; returns how many there are.
template <class K, class E> size_t find_segments(const device_policy& p, K keys, size_t n, E equal, size_t* starts) {
  return __dojo_par::select(raw(counting_iterator<size_t>(0)), starts, n, begins_segment<K, E>{keys, equal}, p.stream);
}

template <class K, class V, class KR, class VR, class E, class O>
pair<KR, VR> reduce_by_key(const device_policy& p, K first, K last, V values, KR keys_out, VR values_out, E equal, O op) {
  const size_t n = size_t(last - first);
  __dojo_par::Scratch<size_t> starts(n, p.stream);
  const size_t m = find_segments(p, raw(first), n, equal, starts.at);
  run(p, m, reduce_segment<decltype(raw(first)), decltype(raw(values)), decltype(raw(keys_out)), decltype(raw(values_out)), O>{
                raw(first), raw(values), raw(keys_out), raw(values_out), op, {starts.at, m, n}});
  return pair<KR, VR>(keys_out + ptrdiff_t(m), values_out + ptrdiff_t(m));
}
template <class K, class V, class KR, class VR, class E>
pair<KR, VR> reduce_by_key(const device_policy& p, K first, K last, V values, KR keys_out, VR values_out, E equal) {
  return reduce_by_key(p, first, last, values, keys_out, values_out, equal, plus<>());
}
template <class K, class V, class KR, class VR>
pair<KR, VR> reduce_by_key(const device_policy& p, K first, K last, V values, KR keys_out, VR values_out) {
  return reduce_by_key(p, first, last, values, keys_out, values_out, equal_to<>(), plus<>());
}
template <class K, class V, class KR, class VR>
pair<KR, VR> reduce_by_key(K first, K last, V values, KR keys_out, VR values_out) {
  return reduce_by_key(device_policy(), first, last, values, keys_out, values_out, equal_to<>(), plus<>());
}
template <class K, class V, class KR, class VR, class E>
pair<KR, VR> reduce_by_key(K first, K last, V values, KR keys_out, VR values_out, E equal) {
  return reduce_by_key(device_policy(), first, last, values, keys_out, values_out, equal, plus<>());
}
template <class K, class V, class KR, class VR, class E, class O>
pair<KR, VR> reduce_by_key(K first, K last, V values, KR keys_out, VR values_out, E equal, O op) {
  return reduce_by_key(device_policy(), first, last, values, keys_out, values_out, equal, op);
}

template <class K, class V, class R, class T> R scan_by_key(K first, K last, V values, R out, T start, int exclusive) {
  const device_policy p;
  const size_t n = size_t(last - first);
  __dojo_par::Scratch<size_t> starts(n, p.stream);
  const size_t m = find_segments(p, raw(first), n, equal_to<>(), starts.at);
  run(p, m, scan_segment<decltype(raw(values)), decltype(raw(out)), T, plus<>>{
                raw(values), raw(out), plus<>(), start, exclusive, {starts.at, m, n}});
  return out + ptrdiff_t(n);
}
template <class K, class V, class R> R inclusive_scan_by_key(K first, K last, V values, R out) {
  return scan_by_key(first, last, values, out, value_at<V>(0), 0);
}
template <class K, class V, class R> R exclusive_scan_by_key(K first, K last, V values, R out) {
  return scan_by_key(first, last, values, out, value_at<V>(0), 1);
}
template <class K, class V, class R, class T> R exclusive_scan_by_key(K first, K last, V values, R out, T start) {
  return scan_by_key(first, last, values, out, start, 1);
}

}  // namespace _thrst
DOJO_SHIM_END
#endif
