// The algorithms of Thrust's stand-in. Each has a form with a policy and one without; without it plain pointers are host
// memory, as those of a host_vector, and everything else is the device's.
#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
namespace _thrst {

template <class _T> host_policy where(_T*) { return {}; }
template <class _I> device_policy where(const _I&) { return {}; }

template <class _F> struct hosted {
  static void each(size_t n, _F f) {
    for (size_t i = 0; i < n; ++i) f(i);
  }
};
template <class _F> void run(const host_policy&, size_t n, _F f) { hosted<_F>::each(n, f); }
template <class _F> void run(const device_policy& p, size_t n, _F f) { __dojo_par::each(n, f, p.stream); }

// One value per element.
template <class _R, class _T> struct do_fill {
  _R out;
  _T v;
  void operator()(size_t i) const { out[i] = v; }
};
template <class _R, class _T> struct do_sequence {
  _R out;
  _T first, step;
  void operator()(size_t i) const { out[i] = _T(first + _T(i) * step); }
};
template <class _I, class _R> struct do_copy {
  _I in;
  _R out;
  void operator()(size_t i) const { out[i] = in[i]; }
};
template <class _I, class _R, class _F> struct do_transform {
  _I in;
  _R out;
  _F f;
  void operator()(size_t i) const { out[i] = f(in[i]); }
};
template <class _I, class _J, class _R, class _F> struct do_transform2 {
  _I a;
  _J b;
  _R out;
  _F f;
  void operator()(size_t i) const { out[i] = f(a[i], b[i]); }
};
template <class _I, class _F> struct do_each {
  _I in;
  _F f;
  void operator()(size_t i) const { f(in[i]); }
};
template <class _M, class _I, class _R> struct do_gather {
  _M map;
  _I in;
  _R out;
  void operator()(size_t i) const { out[i] = in[map[i]]; }
};
template <class _M, class _I, class _R> struct do_scatter {
  _M map;
  _I in;
  _R out;
  void operator()(size_t i) const { out[map[i]] = in[i]; }
};
template <class _I, class _P, class _T> struct do_replace {
  _I at;
  _P is;
  _T v;
  void operator()(size_t i) const {
    if (is(at[i])) at[i] = v;
  }
};

template <class _P, class _I, class _T> void fill(const _P& p, _I first, _I last, const _T& v) {
  run(p, size_t(last - first), do_fill<decltype(raw(first)), _T>{raw(first), v});
}
template <class _P, class _I, class _N, class _T> _I fill_n(const _P& p, _I first, _N n, const _T& v) {
  fill(p, first, first + n, v);
  return first + n;
}
template <class _P, class _I, class _T> void sequence(const _P& p, _I first, _I last, _T start, _T step) {
  run(p, size_t(last - first), do_sequence<decltype(raw(first)), _T>{raw(first), start, step});
}
template <class _I> void sequence(_I first, _I last) { sequence(where(first), first, last, value_at<_I>(0), value_at<_I>(1)); }
template <class _I> void sequence(const host_policy& p, _I first, _I last) { sequence(p, first, last, value_at<_I>(0), value_at<_I>(1)); }
template <class _I> void sequence(const device_policy& p, _I first, _I last) { sequence(p, first, last, value_at<_I>(0), value_at<_I>(1)); }
template <class _I, class _T> void sequence(_I first, _I last, _T start) { sequence(where(first), first, last, value_at<_I>(start), value_at<_I>(1)); }
template <class _P, class _I, class _R> _R copy(const _P& p, _I first, _I last, _R out) {
  run(p, size_t(last - first), do_copy<decltype(raw(first)), decltype(raw(out))>{raw(first), raw(out)});
  return out + (last - first);
}
template <class _I, class _R> _R copy(_I first, _I last, _R out) { return copy(device_policy(), first, last, out); }
template <class _T> _T* copy(device_ptr<_T> first, device_ptr<_T> last, _T* out) {
  cudaMemcpy((void*)out, (const void*)first.get(), size_t(last - first) * sizeof(_T), cudaMemcpyDefault);
  return out + (last - first);
}
template <class _T> device_ptr<_T> copy(_T* first, _T* last, device_ptr<_T> out) {
  cudaMemcpy((void*)out.get(), (const void*)first, size_t(last - first) * sizeof(_T), cudaMemcpyDefault);
  return out + (last - first);
}
template <class _I, class _N, class _R> _R copy_n(_I first, _N n, _R out) { return copy(first, first + n, out); }
template <class _P, class _I, class _R, class _F> _R transform(const _P& p, _I first, _I last, _R out, _F f) {
  run(p, size_t(last - first), do_transform<decltype(raw(first)), decltype(raw(out)), _F>{raw(first), raw(out), f});
  return out + (last - first);
}
template <class _P, class _I, class _J, class _R, class _F> _R transform(const _P& p, _I first, _I last, _J second, _R out, _F f) {
  run(p, size_t(last - first),
      do_transform2<decltype(raw(first)), decltype(raw(second)), decltype(raw(out)), _F>{raw(first), raw(second), raw(out), f});
  return out + (last - first);
}
template <class _P, class _I, class _F> _I for_each(const _P& p, _I first, _I last, _F f) {
  run(p, size_t(last - first), do_each<decltype(raw(first)), _F>{raw(first), f});
  return last;
}
template <class _P, class _I, class _N, class _F> _I for_each_n(const _P& p, _I first, _N n, _F f) { return for_each(p, first, first + n, f); }
template <class _P, class _I, class _F> void tabulate(const _P& p, _I first, _I last, _F f) {
  transform(p, counting_iterator<size_t>(0), counting_iterator<size_t>(size_t(last - first)), first, f);
}
template <class _P, class _M, class _I, class _R> _R gather(const _P& p, _M first, _M last, _I in, _R out) {
  run(p, size_t(last - first),
      do_gather<decltype(raw(first)), decltype(raw(in)), decltype(raw(out))>{raw(first), raw(in), raw(out)});
  return out + (last - first);
}
template <class _P, class _I, class _M, class _R> void scatter(const _P& p, _I first, _I last, _M map, _R out) {
  run(p, size_t(last - first),
      do_scatter<decltype(raw(map)), decltype(raw(first)), decltype(raw(out))>{raw(map), raw(first), raw(out)});
}
template <class _P, class _I, class _Q, class _T> void replace_if(const _P& p, _I first, _I last, _Q is, const _T& v) {
  run(p, size_t(last - first), do_replace<decltype(raw(first)), _Q, _T>{raw(first), is, v});
}

// Sums.
template <class _I, class _T, class _O> _T reduce(const host_policy&, _I first, _I last, _T start, _O op) {
  auto in = raw(first);
  for (ptrdiff_t i = 0; i < last - first; ++i) start = op(start, _T(in[i]));
  return start;
}
template <class _I, class _T, class _O> _T reduce(const device_policy& p, _I first, _I last, _T start, _O op) {
  __dojo_par::Scratch<_T> sum(1, p.stream);
  __dojo_par::reduce<_T>(raw(first), size_t(last - first), sum.at, op, start, true, p.stream);
  _T out;
  cudaMemcpyAsync((void*)&out, (const void*)sum.at, sizeof out, cudaMemcpyDeviceToHost, p.stream);
  cudaStreamSynchronize(p.stream);
  return out;
}
template <class _P, class _I, class _T> _T reduce(const _P& p, _I first, _I last, _T start) { return reduce(p, first, last, start, plus<_T>()); }
template <class _I> value_at<_I> reduce(const host_policy& p, _I first, _I last) { return reduce(p, first, last, value_at<_I>(0), plus<>()); }
template <class _I> value_at<_I> reduce(const device_policy& p, _I first, _I last) { return reduce(p, first, last, value_at<_I>(0), plus<>()); }
template <class _I> value_at<_I> reduce(_I first, _I last) { return reduce(where(first), first, last, value_at<_I>(0), plus<>()); }
template <class _I, class _T> _T reduce(_I first, _I last, _T start) { return reduce(where(first), first, last, start, plus<>()); }
template <class _I, class _T, class _O> _T reduce(_I first, _I last, _T start, _O op) { return reduce(where(first), first, last, start, op); }
template <class _P, class _I, class _F, class _T, class _O> _T transform_reduce(const _P& p, _I first, _I last, _F f, _T start, _O op) {
  return reduce(p, make_transform_iterator(first, f), make_transform_iterator(last, f), start, op);
}
template <class _I, class _F, class _T, class _O> _T transform_reduce(_I first, _I last, _F f, _T start, _O op) {
  return transform_reduce(where(first), first, last, f, start, op);
}
template <class _I, class _J> struct products {
  _I a;
  _J b;
  auto operator()(size_t i) const { return a[i] * b[i]; }
};
template <class _P, class _I, class _J, class _T> _T inner_product(const _P& p, _I first, _I last, _J second, _T start) {
  products<decltype(raw(first)), decltype(raw(second))> f{raw(first), raw(second)};
  return transform_reduce(p, counting_iterator<size_t>(0), counting_iterator<size_t>(size_t(last - first)), f, start, plus<_T>());
}
template <class _I, class _J, class _T> _T inner_product(_I first, _I last, _J second, _T start) {
  return inner_product(where(first), first, last, second, start);
}
template <class _I, class _J, class _F> struct both_by {
  _I a;
  _J b;
  _F f;
  auto operator()(size_t i) const { return f(a[i], b[i]); }
};
template <class _P, class _I, class _J, class _T, class _O, class _F>
_T inner_product(const _P& p, _I first, _I last, _J second, _T start, _O sum, _F product) {
  both_by<decltype(raw(first)), decltype(raw(second)), _F> f{raw(first), raw(second), product};
  return transform_reduce(p, counting_iterator<size_t>(0), counting_iterator<size_t>(size_t(last - first)), f, start, sum);
}
template <class _I, class _J, class _T, class _O, class _F> _T inner_product(_I first, _I last, _J second, _T start, _O sum, _F product) {
  return inner_product(where(first), first, last, second, start, sum, product);
}
template <class _Q> struct as_count {
  _Q is;
  template <class _T> long operator()(const _T& v) const { return is(v) ? 1 : 0; }
};
template <class _T> struct is_value {
  _T v;
  template <class _U> bool operator()(const _U& u) const { return u == v; }
};
template <class _P, class _I, class _Q> long count_if(const _P& p, _I first, _I last, _Q is) {
  return transform_reduce(p, first, last, as_count<_Q>{is}, 0l, plus<long>());
}
template <class _I, class _Q> long count_if(_I first, _I last, _Q is) { return count_if(where(first), first, last, is); }
template <class _I, class _T> long count(_I first, _I last, const _T& v) { return count_if(where(first), first, last, is_value<_T>{v}); }
template <class _P, class _I, class _T> long count(const _P& p, _I first, _I last, const _T& v) { return count_if(p, first, last, is_value<_T>{v}); }
/// The index that wins; of equals the first.
template <class _I, class _L> struct better {
  _I in;
  mutable _L less;  // its call may be without const
  int largest;
  size_t operator()(size_t a, size_t b) const {
    const bool first = a < b;
    const size_t x = first ? a : b, y = first ? b : a;
    return (largest ? less(in[x], in[y]) : less(in[y], in[x])) ? y : x;
  }
};
template <class _P, class _I, class _L> _I best(const _P& p, _I first, _I last, _L less, int largest) {
  const size_t n = size_t(last - first);
  if (!n) return last;
  better<decltype(raw(first)), _L> op{raw(first), less, largest};
  return first + ptrdiff_t(reduce(p, counting_iterator<size_t>(1), counting_iterator<size_t>(n), size_t(0), op));
}
template <class _I> _I max_element(_I first, _I last) { return best(where(first), first, last, less<>(), 1); }
template <class _I, class _L> _I max_element(_I first, _I last, _L less) { return best(where(first), first, last, less, 1); }
template <class _I, class _L> _I min_element(_I first, _I last, _L less) { return best(where(first), first, last, less, 0); }
template <class _P, class _I, class _L> _I max_element(const _P& p, _I first, _I last, _L less) { return best(p, first, last, less, 1); }
template <class _P, class _I, class _L> _I min_element(const _P& p, _I first, _I last, _L less) { return best(p, first, last, less, 0); }
template <class _I> _I min_element(_I first, _I last) { return best(where(first), first, last, less<>(), 0); }
template <class _P, class _I> _I max_element(const _P& p, _I first, _I last) { return best(p, first, last, less<>(), 1); }
template <class _P, class _I> _I min_element(const _P& p, _I first, _I last) { return best(p, first, last, less<>(), 0); }
template <class _I> pair<_I, _I> minmax_element(_I first, _I last) { return pair<_I, _I>(min_element(first, last), max_element(first, last)); }
template <class _I, class _Q> struct found_at {
  _I in;
  _Q is;
  size_t n;
  size_t operator()(size_t i) const { return is(in[i]) ? i : n; }
};
template <class _P, class _I, class _Q> _I find_if(const _P& p, _I first, _I last, _Q is) {
  const size_t n = size_t(last - first);
  found_at<decltype(raw(first)), _Q> f{raw(first), is, n};
  return first + ptrdiff_t(transform_reduce(p, counting_iterator<size_t>(0), counting_iterator<size_t>(n), f, n, minimum<size_t>()));
}
template <class _I, class _Q> _I find_if(_I first, _I last, _Q is) { return find_if(where(first), first, last, is); }
template <class _I, class _T> _I find(_I first, _I last, const _T& v) { return find_if(where(first), first, last, is_value<_T>{v}); }
template <class _P, class _I, class _T> _I find(const _P& p, _I first, _I last, const _T& v) { return find_if(p, first, last, is_value<_T>{v}); }

// Scans.
template <class _I, class _R, class _T, class _O> void scan(const host_policy&, _I in, _R out, size_t n, _T start, _O op, bool with, bool exclusive) {
  _T sum = start;
  for (size_t i = 0; i < n; ++i) {
    const _T v = in[i];
    if (exclusive) out[i] = sum;
    sum = i == 0 && !with ? v : op(sum, v);
    if (!exclusive) out[i] = sum;
  }
}
template <class _I, class _R, class _T, class _O> void scan(const device_policy& p, _I in, _R out, size_t n, _T start, _O op, bool with, bool exclusive) {
  __dojo_par::scan<_T>(in, out, n, op, start, with, exclusive, p.stream);
}
template <class _P, class _I, class _R, class _O> _R inclusive_scan(const _P& p, _I first, _I last, _R out, _O op) {
  scan(p, raw(first), raw(out), size_t(last - first), value_at<_I>(), op, false, false);
  return out + (last - first);
}
template <class _P, class _I, class _R, class _T, class _O> _R exclusive_scan(const _P& p, _I first, _I last, _R out, _T start, _O op) {
  scan(p, raw(first), raw(out), size_t(last - first), start, op, true, true);
  return out + (last - first);
}
template <class _I, class _R> _R inclusive_scan(const device_policy& p, _I first, _I last, _R out) { return inclusive_scan(p, first, last, out, plus<>()); }
template <class _I, class _R> _R inclusive_scan(const host_policy& p, _I first, _I last, _R out) { return inclusive_scan(p, first, last, out, plus<>()); }
template <class _I, class _R> _R exclusive_scan(const device_policy& p, _I first, _I last, _R out) { return exclusive_scan(p, first, last, out, value_at<_I>(0), plus<>()); }
template <class _I, class _R> _R exclusive_scan(const host_policy& p, _I first, _I last, _R out) { return exclusive_scan(p, first, last, out, value_at<_I>(0), plus<>()); }
template <class _I, class _R, class _T> _R exclusive_scan(const device_policy& p, _I first, _I last, _R out, _T start) { return exclusive_scan(p, first, last, out, start, plus<>()); }
template <class _I, class _R> _R inclusive_scan(_I first, _I last, _R out) { return inclusive_scan(where(first), first, last, out, plus<>()); }
template <class _I, class _R> _R exclusive_scan(_I first, _I last, _R out) { return exclusive_scan(where(first), first, last, out, value_at<_I>(0), plus<>()); }
template <class _I, class _R, class _T> _R exclusive_scan(_I first, _I last, _R out, _T start) { return exclusive_scan(where(first), first, last, out, start, plus<>()); }

// Sorting.
template <class _T, class _L> void sort(const host_policy&, _T* first, _T* last, _L less) { std::stable_sort(first, last, less); }
template <class _I, class _L> void sort(const device_policy& p, _I first, _I last, _L less) {
  __dojo_par::sort(raw(first), (char*)nullptr, size_t(last - first), less, p.stream);
}
template <class _I> void sort(const device_policy& p, _I first, _I last) { sort(p, first, last, less<>()); }
template <class _T> void sort(const host_policy& p, _T* first, _T* last) { sort(p, first, last, less<>()); }
template <class _I> void sort(_I first, _I last) { sort(where(first), first, last, less<>()); }
template <class _I, class _L> void sort(_I first, _I last, _L l) { sort(where(first), first, last, l); }
template <class... _A> void stable_sort(_A... a) { sort(a...); }
template <class _I, class _V, class _L> void sort_by_key(const device_policy& p, _I first, _I last, _V values, _L less) {
  __dojo_par::sort(raw(first), raw(values), size_t(last - first), less, p.stream);
}
template <class _I, class _V> void sort_by_key(const device_policy& p, _I first, _I last, _V values) { sort_by_key(p, first, last, values, less<>()); }
template <class _I, class _V> void sort_by_key(_I first, _I last, _V values) { sort_by_key(device_policy(), first, last, values, less<>()); }
template <class _I, class _V, class _L> void sort_by_key(_I first, _I last, _V values, _L l) { sort_by_key(device_policy(), first, last, values, l); }
template <class... _A> void stable_sort_by_key(_A... a) { sort_by_key(a...); }

// Choices.
template <class _I, class _R, class _Q> _R copy_if(const device_policy& p, _I first, _I last, _R out, _Q is) {
  return out + ptrdiff_t(__dojo_par::select(raw(first), raw(out), size_t(last - first), __dojo_par::KeepsIf<_Q>{is, true}, p.stream));
}
template <class _I, class _R, class _Q> _R copy_if(_I first, _I last, _R out, _Q is) { return copy_if(device_policy(), first, last, out, is); }
template <class _I, class _S, class _R, class _Q> _R copy_if(const device_policy& p, _I first, _I last, _S stencil, _R out, _Q is) {
  __dojo_par::KeepsByStencil<decltype(raw(stencil)), _Q> keeps{raw(stencil), is};
  return out + ptrdiff_t(__dojo_par::select(raw(first), raw(out), size_t(last - first), keeps, p.stream));
}
template <class _I, class _K> _I keep(const device_policy& p, _I first, _I last, _K keeps) {
  typedef value_at<_I> _T;
  const size_t n = size_t(last - first);
  __dojo_par::Scratch<_T> kept(n, p.stream);
  const size_t left = __dojo_par::select(raw(first), kept.at, n, keeps, p.stream);
  __dojo_par::each(left, __dojo_par::Copy<_T>{kept.at, raw(first)}, p.stream);
  return first + ptrdiff_t(left);
}
template <class _I, class _Q> _I remove_if(const device_policy& p, _I first, _I last, _Q is) { return keep(p, first, last, __dojo_par::KeepsIf<_Q>{is, false}); }
template <class _I, class _Q> _I remove_if(_I first, _I last, _Q is) { return remove_if(device_policy(), first, last, is); }
template <class _I, class _T> _I remove(_I first, _I last, const _T& v) { return remove_if(first, last, is_value<_T>{v}); }
template <class _I> _I unique(const device_policy& p, _I first, _I last) { return keep(p, first, last, __dojo_par::KeepsNew()); }
template <class _I> _I unique(_I first, _I last) { return unique(device_policy(), first, last); }

// Forms without a policy, of what has one form with it.
template <class _I, class _T> void fill(_I first, _I last, const _T& v) { fill(where(first), first, last, v); }
template <class _I, class _N, class _T> _I fill_n(_I first, _N n, const _T& v) { return fill_n(where(first), first, n, v); }
template <class _I, class _R, class _F> _R transform(_I first, _I last, _R out, _F f) { return transform(where(first), first, last, out, f); }
template <class _T, class _J, class _R, class _F> _R transform(device_ptr<_T> first, device_ptr<_T> last, _J second, _R out, _F f) {
  return transform(device_policy(), first, last, second, out, f);
}
template <class _I, class _F> _I for_each(_I first, _I last, _F f) { return for_each(where(first), first, last, f); }
template <class _I, class _F> void tabulate(_I first, _I last, _F f) { tabulate(where(first), first, last, f); }
template <class _M, class _I, class _R> _R gather(_M first, _M last, _I in, _R out) { return gather(where(first), first, last, in, out); }
template <class _I, class _M, class _R> void scatter(_I first, _I last, _M map, _R out) { scatter(where(first), first, last, map, out); }
template <class _I, class _Q, class _T> void replace_if(_I first, _I last, _Q is, const _T& v) { replace_if(where(first), first, last, is, v); }
template <class _I> ptrdiff_t distance(_I first, _I last) { return last - first; }

template <class _T> void device_vector<_T>::resize(size_t n, const _T& v) {
  const size_t old = n_;
  reserve(n);
  n_ = n;
  if (n > old) fill(device_policy(), begin() + ptrdiff_t(old), end(), v);
}
template <class _T> device_ptr<_T> device_malloc(size_t n) {
  _T* p = nullptr;
  cudaMalloc((void**)(void*)&p, n * sizeof(_T));
  return p;
}
template <class _T> void device_free(device_ptr<_T> p) { cudaFree(p.get()); }

}  // namespace _thrst
DOJO_SHIM_END
#endif
