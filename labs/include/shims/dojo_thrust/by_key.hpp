// Thrust's algorithms over segments of equal consecutive keys. One thread takes one segment.
#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
namespace _thrst {

/// Does a segment begin at i?
template <class _K, class _E> struct begins_segment {
  _K keys;
  _E equal;
  template <class _I> bool operator()(const _I&, size_t i) const { return i == 0 || !equal(keys[i - 1], keys[i]); }
};
/// Where segments begin and end among n elements.
struct segments_of {
  const size_t* starts;
  size_t count, n;
  size_t first(size_t s) const { return starts[s]; }
  size_t last(size_t s) const { return s + 1 < count ? starts[s + 1] : n; }
};
template <class _K, class _V, class _KR, class _VR, class _O> struct reduce_segment {
  _K keys;
  _V values;
  _KR keys_out;
  _VR values_out;
  _O op;
  segments_of segments;
  void operator()(size_t s) const {
    const size_t first = segments.first(s), last = segments.last(s);
    auto sum = value_at<_V>(values[first]);
    for (size_t i = first + 1; i < last; ++i) sum = op(sum, values[i]);
    keys_out[s] = keys[first];
    values_out[s] = sum;
  }
};
template <class _V, class _R, class _T, class _O> struct scan_segment {
  _V values;
  _R out;
  _O op;
  _T start;
  int exclusive;
  segments_of segments;
  void operator()(size_t s) const {
    const size_t first = segments.first(s), last = segments.last(s);
    _T sum = start;
    for (size_t i = first; i < last; ++i) {
      const _T v = values[i];
      if (exclusive) out[i] = sum;
      sum = i == first && !exclusive ? v : _T(op(sum, v));
      if (!exclusive) out[i] = sum;
    }
  }
};

/// Where the segments begin; returns how many there are.
template <class _K, class _E> size_t find_segments(const device_policy& p, _K keys, size_t n, _E equal, size_t* starts) {
  return __dojo_par::select(raw(counting_iterator<size_t>(0)), starts, n, begins_segment<_K, _E>{keys, equal}, p.stream);
}

template <class _K, class _V, class _KR, class _VR, class _E, class _O>
pair<_KR, _VR> reduce_by_key(const device_policy& p, _K first, _K last, _V values, _KR keys_out, _VR values_out, _E equal, _O op) {
  const size_t n = size_t(last - first);
  __dojo_par::Scratch<size_t> starts(n, p.stream);
  const size_t m = find_segments(p, raw(first), n, equal, starts.at);
  run(p, m, reduce_segment<decltype(raw(first)), decltype(raw(values)), decltype(raw(keys_out)), decltype(raw(values_out)), _O>{
                raw(first), raw(values), raw(keys_out), raw(values_out), op, {starts.at, m, n}});
  return pair<_KR, _VR>(keys_out + ptrdiff_t(m), values_out + ptrdiff_t(m));
}
template <class _K, class _V, class _KR, class _VR, class _E>
pair<_KR, _VR> reduce_by_key(const device_policy& p, _K first, _K last, _V values, _KR keys_out, _VR values_out, _E equal) {
  return reduce_by_key(p, first, last, values, keys_out, values_out, equal, plus<>());
}
template <class _K, class _V, class _KR, class _VR>
pair<_KR, _VR> reduce_by_key(const device_policy& p, _K first, _K last, _V values, _KR keys_out, _VR values_out) {
  return reduce_by_key(p, first, last, values, keys_out, values_out, equal_to<>(), plus<>());
}
template <class _K, class _V, class _KR, class _VR>
pair<_KR, _VR> reduce_by_key(_K first, _K last, _V values, _KR keys_out, _VR values_out) {
  return reduce_by_key(device_policy(), first, last, values, keys_out, values_out, equal_to<>(), plus<>());
}
template <class _K, class _V, class _KR, class _VR, class _E>
pair<_KR, _VR> reduce_by_key(_K first, _K last, _V values, _KR keys_out, _VR values_out, _E equal) {
  return reduce_by_key(device_policy(), first, last, values, keys_out, values_out, equal, plus<>());
}
template <class _K, class _V, class _KR, class _VR, class _E, class _O>
pair<_KR, _VR> reduce_by_key(_K first, _K last, _V values, _KR keys_out, _VR values_out, _E equal, _O op) {
  return reduce_by_key(device_policy(), first, last, values, keys_out, values_out, equal, op);
}

template <class _K, class _V, class _R, class _T> _R scan_by_key(_K first, _K last, _V values, _R out, _T start, int exclusive) {
  const device_policy p;
  const size_t n = size_t(last - first);
  __dojo_par::Scratch<size_t> starts(n, p.stream);
  const size_t m = find_segments(p, raw(first), n, equal_to<>(), starts.at);
  run(p, m, scan_segment<decltype(raw(values)), decltype(raw(out)), _T, plus<>>{
                raw(values), raw(out), plus<>(), start, exclusive, {starts.at, m, n}});
  return out + ptrdiff_t(n);
}
template <class _K, class _V, class _R> _R inclusive_scan_by_key(_K first, _K last, _V values, _R out) {
  return scan_by_key(first, last, values, out, value_at<_V>(0), 0);
}
template <class _K, class _V, class _R> _R exclusive_scan_by_key(_K first, _K last, _V values, _R out) {
  return scan_by_key(first, last, values, out, value_at<_V>(0), 1);
}
template <class _K, class _V, class _R, class _T> _R exclusive_scan_by_key(_K first, _K last, _V values, _R out, _T start) {
  return scan_by_key(first, last, values, out, start, 1);
}

}  // namespace _thrst
DOJO_SHIM_END
#endif
