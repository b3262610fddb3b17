// The algorithms of Thrust's stand-in. Each has a form with a policy and one without; without it plain pointers are host
// memory, as those of a host_vector, and everything else is the device's.
#pragma once
#ifdef __CUDACC_RTC__
DOJO_SHIM_BEGIN
namespace _thrst {

template <class T> host_policy where(T*) { return {}; }
template <class I> device_policy where(const I&) { return {}; }

template <class F> struct hosted {
  static void each(size_t n, F f) {
    for (size_t i = 0; i < n; ++i) f(i);
  }
};
template <class F> void run(const host_policy&, size_t n, F f) { hosted<F>::each(n, f); }
template <class F> void run(const device_policy& p, size_t n, F f) { __dojo_par::each(n, f, p.stream); }

// One value per element.
template <class R, class T> struct do_fill {
  R out;
  T v;
  void operator()(size_t i) const { out[i] = v; }
};
template <class R, class T> struct do_sequence {
  R out;
  T first, step;
  void operator()(size_t i) const { out[i] = T(first + T(i) * step); }
};
template <class I, class R> struct do_copy {
  I in;
  R out;
  void operator()(size_t i) const { out[i] = in[i]; }
};
template <class I, class R, class F> struct do_transform {
  I in;
  R out;
  F f;
  void operator()(size_t i) const { out[i] = f(in[i]); }
};
template <class I, class J, class R, class F> struct do_transform2 {
  I a;
  J b;
  R out;
  F f;
  void operator()(size_t i) const { out[i] = f(a[i], b[i]); }
};
template <class I, class F> struct do_each {
  I in;
  F f;
  void operator()(size_t i) const { f(in[i]); }
};
template <class M, class I, class R> struct do_gather {
  M map;
  I in;
  R out;
  void operator()(size_t i) const { out[i] = in[map[i]]; }
};
template <class M, class I, class R> struct do_scatter {
  M map;
  I in;
  R out;
  void operator()(size_t i) const { out[map[i]] = in[i]; }
};
template <class I, class P, class T> struct do_replace {
  I at;
  P is;
  T v;
  void operator()(size_t i) const {
    if (is(at[i])) at[i] = v;
  }
};

template <class P, class I, class T> void fill(const P& p, I first, I last, const T& v) {
  run(p, size_t(last - first), do_fill<decltype(raw(first)), T>{raw(first), v});
}
template <class P, class I, class N, class T> I fill_n(const P& p, I first, N n, const T& v) {
  fill(p, first, first + n, v);
  return first + n;
}
template <class P, class I, class T> void sequence(const P& p, I first, I last, T start, T step) {
  run(p, size_t(last - first), do_sequence<decltype(raw(first)), T>{raw(first), start, step});
}
template <class I> void sequence(I first, I last) { sequence(where(first), first, last, value_at<I>(0), value_at<I>(1)); }
template <class I> void sequence(const host_policy& p, I first, I last) { sequence(p, first, last, value_at<I>(0), value_at<I>(1)); }
template <class I> void sequence(const device_policy& p, I first, I last) { sequence(p, first, last, value_at<I>(0), value_at<I>(1)); }
template <class I, class T> void sequence(I first, I last, T start) { sequence(where(first), first, last, value_at<I>(start), value_at<I>(1)); }
template <class P, class I, class R> R copy(const P& p, I first, I last, R out) {
  run(p, size_t(last - first), do_copy<decltype(raw(first)), decltype(raw(out))>{raw(first), raw(out)});
  return out + (last - first);
}
template <class I, class R> R copy(I first, I last, R out) { return copy(device_policy(), first, last, out); }
template <class T> T* copy(device_ptr<T> first, device_ptr<T> last, T* out) {
  cudaMemcpy((void*)out, (const void*)first.get(), size_t(last - first) * sizeof(T), cudaMemcpyDefault);
  return out + (last - first);
}
template <class T> device_ptr<T> copy(T* first, T* last, device_ptr<T> out) {
  cudaMemcpy((void*)out.get(), (const void*)first, size_t(last - first) * sizeof(T), cudaMemcpyDefault);
  return out + (last - first);
}
template <class I, class N, class R> R copy_n(I first, N n, R out) { return copy(first, first + n, out); }
template <class P, class I, class R, class F> R transform(const P& p, I first, I last, R out, F f) {
  run(p, size_t(last - first), do_transform<decltype(raw(first)), decltype(raw(out)), F>{raw(first), raw(out), f});
  return out + (last - first);
}
template <class P, class I, class J, class R, class F> R transform(const P& p, I first, I last, J second, R out, F f) {
  run(p, size_t(last - first),
      do_transform2<decltype(raw(first)), decltype(raw(second)), decltype(raw(out)), F>{raw(first), raw(second), raw(out), f});
  return out + (last - first);
}
template <class P, class I, class F> I for_each(const P& p, I first, I last, F f) {
  run(p, size_t(last - first), do_each<decltype(raw(first)), F>{raw(first), f});
  return last;
}
template <class P, class I, class N, class F> I for_each_n(const P& p, I first, N n, F f) { return for_each(p, first, first + n, f); }
template <class P, class I, class F> void tabulate(const P& p, I first, I last, F f) {
  transform(p, counting_iterator<size_t>(0), counting_iterator<size_t>(size_t(last - first)), first, f);
}
template <class P, class M, class I, class R> R gather(const P& p, M first, M last, I in, R out) {
  run(p, size_t(last - first),
      do_gather<decltype(raw(first)), decltype(raw(in)), decltype(raw(out))>{raw(first), raw(in), raw(out)});
  return out + (last - first);
}
template <class P, class I, class M, class R> void scatter(const P& p, I first, I last, M map, R out) {
  run(p, size_t(last - first),
      do_scatter<decltype(raw(map)), decltype(raw(first)), decltype(raw(out))>{raw(map), raw(first), raw(out)});
}
template <class P, class I, class Q, class T> void replace_if(const P& p, I first, I last, Q is, const T& v) {
  run(p, size_t(last - first), do_replace<decltype(raw(first)), Q, T>{raw(first), is, v});
}

// Sums.
template <class I, class T, class O> T reduce(const host_policy&, I first, I last, T start, O op) {
  auto in = raw(first);
  for (ptrdiff_t i = 0; i < last - first; ++i) start = op(start, T(in[i]));
  return start;
}
template <class I, class T, class O> T reduce(const device_policy& p, I first, I last, T start, O op) {
  __dojo_par::Scratch<T> sum(1, p.stream);
  __dojo_par::reduce<T>(raw(first), size_t(last - first), sum.at, op, start, true, p.stream);
  T out;
  cudaMemcpyAsync((void*)&out, (const void*)sum.at, sizeof out, cudaMemcpyDeviceToHost, p.stream);
  cudaStreamSynchronize(p.stream);
  return out;
}
template <class P, class I, class T> T reduce(const P& p, I first, I last, T start) { return reduce(p, first, last, start, plus<T>()); }
template <class I> value_at<I> reduce(const host_policy& p, I first, I last) { return reduce(p, first, last, value_at<I>(0), plus<>()); }
template <class I> value_at<I> reduce(const device_policy& p, I first, I last) { return reduce(p, first, last, value_at<I>(0), plus<>()); }
template <class I> value_at<I> reduce(I first, I last) { return reduce(where(first), first, last, value_at<I>(0), plus<>()); }
template <class I, class T> T reduce(I first, I last, T start) { return reduce(where(first), first, last, start, plus<>()); }
template <class I, class T, class O> T reduce(I first, I last, T start, O op) { return reduce(where(first), first, last, start, op); }
template <class P, class I, class F, class T, class O> T transform_reduce(const P& p, I first, I last, F f, T start, O op) {
  return reduce(p, make_transform_iterator(first, f), make_transform_iterator(last, f), start, op);
}
template <class I, class F, class T, class O> T transform_reduce(I first, I last, F f, T start, O op) {
  return transform_reduce(where(first), first, last, f, start, op);
}
template <class I, class J> struct products {
  I a;
  J b;
  auto operator()(size_t i) const { return a[i] * b[i]; }
};
template <class P, class I, class J, class T> T inner_product(const P& p, I first, I last, J second, T start) {
  products<decltype(raw(first)), decltype(raw(second))> f{raw(first), raw(second)};
  return transform_reduce(p, counting_iterator<size_t>(0), counting_iterator<size_t>(size_t(last - first)), f, start, plus<T>());
}
template <class I, class J, class T> T inner_product(I first, I last, J second, T start) {
  return inner_product(where(first), first, last, second, start);
}
template <class I, class J, class F> struct both_by {
  I a;
  J b;
  F f;
  auto operator()(size_t i) const { return f(a[i], b[i]); }
};
template <class P, class I, class J, class T, class O, class F>
T inner_product(const P& p, I first, I last, J second, T start, O sum, F product) {
  both_by<decltype(raw(first)), decltype(raw(second)), F> f{raw(first), raw(second), product};
  return transform_reduce(p, counting_iterator<size_t>(0), counting_iterator<size_t>(size_t(last - first)), f, start, sum);
}
template <class I, class J, class T, class O, class F> T inner_product(I first, I last, J second, T start, O sum, F product) {
  return inner_product(where(first), first, last, second, start, sum, product);
}
template <class Q> struct as_count {
  Q is;
  template <class T> long operator()(const T& v) const { return is(v) ? 1 : 0; }
};
template <class T> struct is_value {
  T v;
  template <class U> bool operator()(const U& u) const { return u == v; }
};
template <class P, class I, class Q> long count_if(const P& p, I first, I last, Q is) {
  return transform_reduce(p, first, last, as_count<Q>{is}, 0l, plus<long>());
}
template <class I, class Q> long count_if(I first, I last, Q is) { return count_if(where(first), first, last, is); }
template <class I, class T> long count(I first, I last, const T& v) { return count_if(where(first), first, last, is_value<T>{v}); }
template <class P, class I, class T> long count(const P& p, I first, I last, const T& v) { return count_if(p, first, last, is_value<T>{v}); }
/// The index that wins; of equals the first.
template <class I, class L> struct better {
  I in;
  mutable L less;  // its call may be without const
  int largest;
  size_t operator()(size_t a, size_t b) const {
    const bool first = a < b;
    const size_t x = first ? a : b, y = first ? b : a;
    return (largest ? less(in[x], in[y]) : less(in[y], in[x])) ? y : x;
  }
};
template <class P, class I, class L> I best(const P& p, I first, I last, L less, int largest) {
  const size_t n = size_t(last - first);
  if (!n) return last;
  better<decltype(raw(first)), L> op{raw(first), less, largest};
  return first + ptrdiff_t(reduce(p, counting_iterator<size_t>(1), counting_iterator<size_t>(n), size_t(0), op));
}
template <class I> I max_element(I first, I last) { return best(where(first), first, last, less<>(), 1); }
template <class I, class L> I max_element(I first, I last, L less) { return best(where(first), first, last, less, 1); }
template <class I, class L> I min_element(I first, I last, L less) { return best(where(first), first, last, less, 0); }
template <class P, class I, class L> I max_element(const P& p, I first, I last, L less) { return best(p, first, last, less, 1); }
template <class P, class I, class L> I min_element(const P& p, I first, I last, L less) { return best(p, first, last, less, 0); }
template <class I> I min_element(I first, I last) { return best(where(first), first, last, less<>(), 0); }
template <class P, class I> I max_element(const P& p, I first, I last) { return best(p, first, last, less<>(), 1); }
template <class P, class I> I min_element(const P& p, I first, I last) { return best(p, first, last, less<>(), 0); }
template <class I> pair<I, I> minmax_element(I first, I last) { return pair<I, I>(min_element(first, last), max_element(first, last)); }
template <class I, class Q> struct found_at {
  I in;
  Q is;
  size_t n;
  size_t operator()(size_t i) const { return is(in[i]) ? i : n; }
};
template <class P, class I, class Q> I find_if(const P& p, I first, I last, Q is) {
  const size_t n = size_t(last - first);
  found_at<decltype(raw(first)), Q> f{raw(first), is, n};
  return first + ptrdiff_t(transform_reduce(p, counting_iterator<size_t>(0), counting_iterator<size_t>(n), f, n, minimum<size_t>()));
}
template <class I, class Q> I find_if(I first, I last, Q is) { return find_if(where(first), first, last, is); }
template <class I, class T> I find(I first, I last, const T& v) { return find_if(where(first), first, last, is_value<T>{v}); }
template <class P, class I, class T> I find(const P& p, I first, I last, const T& v) { return find_if(p, first, last, is_value<T>{v}); }

// Scans.
template <class I, class R, class T, class O> void scan(const host_policy&, I in, R out, size_t n, T start, O op, bool with, bool exclusive) {
  T sum = start;
  for (size_t i = 0; i < n; ++i) {
    const T v = in[i];
    if (exclusive) out[i] = sum;
    sum = i == 0 && !with ? v : op(sum, v);
    if (!exclusive) out[i] = sum;
  }
}
template <class I, class R, class T, class O> void scan(const device_policy& p, I in, R out, size_t n, T start, O op, bool with, bool exclusive) {
  __dojo_par::scan<T>(in, out, n, op, start, with, exclusive, p.stream);
}
template <class P, class I, class R, class O> R inclusive_scan(const P& p, I first, I last, R out, O op) {
  scan(p, raw(first), raw(out), size_t(last - first), value_at<I>(), op, false, false);
  return out + (last - first);
}
template <class P, class I, class R, class T, class O> R exclusive_scan(const P& p, I first, I last, R out, T start, O op) {
  scan(p, raw(first), raw(out), size_t(last - first), start, op, true, true);
  return out + (last - first);
}
template <class I, class R> R inclusive_scan(const device_policy& p, I first, I last, R out) { return inclusive_scan(p, first, last, out, plus<>()); }
template <class I, class R> R inclusive_scan(const host_policy& p, I first, I last, R out) { return inclusive_scan(p, first, last, out, plus<>()); }
template <class I, class R> R exclusive_scan(const device_policy& p, I first, I last, R out) { return exclusive_scan(p, first, last, out, value_at<I>(0), plus<>()); }
template <class I, class R> R exclusive_scan(const host_policy& p, I first, I last, R out) { return exclusive_scan(p, first, last, out, value_at<I>(0), plus<>()); }
template <class I, class R, class T> R exclusive_scan(const device_policy& p, I first, I last, R out, T start) { return exclusive_scan(p, first, last, out, start, plus<>()); }
template <class I, class R> R inclusive_scan(I first, I last, R out) { return inclusive_scan(where(first), first, last, out, plus<>()); }
template <class I, class R> R exclusive_scan(I first, I last, R out) { return exclusive_scan(where(first), first, last, out, value_at<I>(0), plus<>()); }
template <class I, class R, class T> R exclusive_scan(I first, I last, R out, T start) { return exclusive_scan(where(first), first, last, out, start, plus<>()); }

// Sorting.
template <class T, class L> void sort(const host_policy&, T* first, T* last, L less) { std::stable_sort(first, last, less); }
template <class I, class L> void sort(const device_policy& p, I first, I last, L less) {
  __dojo_par::sort(raw(first), (char*)nullptr, size_t(last - first), less, p.stream);
}
template <class I> void sort(const device_policy& p, I first, I last) { sort(p, first, last, less<>()); }
template <class T> void sort(const host_policy& p, T* first, T* last) { sort(p, first, last, less<>()); }
template <class I> void sort(I first, I last) { sort(where(first), first, last, less<>()); }
template <class I, class L> void sort(I first, I last, L l) { sort(where(first), first, last, l); }
template <class... A> void stable_sort(A... a) { sort(a...); }
template <class I, class V, class L> void sort_by_key(const device_policy& p, I first, I last, V values, L less) {
  __dojo_par::sort(raw(first), raw(values), size_t(last - first), less, p.stream);
}
template <class I, class V> void sort_by_key(const device_policy& p, I first, I last, V values) { sort_by_key(p, first, last, values, less<>()); }
template <class I, class V> void sort_by_key(I first, I last, V values) { sort_by_key(device_policy(), first, last, values, less<>()); }
template <class I, class V, class L> void sort_by_key(I first, I last, V values, L l) { sort_by_key(device_policy(), first, last, values, l); }
template <class... A> void stable_sort_by_key(A... a) { sort_by_key(a...); }

// Choices.
template <class I, class R, class Q> R copy_if(const device_policy& p, I first, I last, R out, Q is) {
  return out + ptrdiff_t(__dojo_par::select(raw(first), raw(out), size_t(last - first), __dojo_par::KeepsIf<Q>{is, true}, p.stream));
}
template <class I, class R, class Q> R copy_if(I first, I last, R out, Q is) { return copy_if(device_policy(), first, last, out, is); }
template <class I, class S, class R, class Q> R copy_if(const device_policy& p, I first, I last, S stencil, R out, Q is) {
  __dojo_par::KeepsByStencil<decltype(raw(stencil)), Q> keeps{raw(stencil), is};
  return out + ptrdiff_t(__dojo_par::select(raw(first), raw(out), size_t(last - first), keeps, p.stream));
}
template <class I, class K> I keep(const device_policy& p, I first, I last, K keeps) {
  typedef value_at<I> T;
  const size_t n = size_t(last - first);
  __dojo_par::Scratch<T> kept(n, p.stream);
  const size_t left = __dojo_par::select(raw(first), kept.at, n, keeps, p.stream);
  __dojo_par::each(left, __dojo_par::Copy<T>{kept.at, raw(first)}, p.stream);
  return first + ptrdiff_t(left);
}
template <class I, class Q> I remove_if(const device_policy& p, I first, I last, Q is) { return keep(p, first, last, __dojo_par::KeepsIf<Q>{is, false}); }
template <class I, class Q> I remove_if(I first, I last, Q is) { return remove_if(device_policy(), first, last, is); }
template <class I, class T> I remove(I first, I last, const T& v) { return remove_if(first, last, is_value<T>{v}); }
template <class I> I unique(const device_policy& p, I first, I last) { return keep(p, first, last, __dojo_par::KeepsNew()); }
template <class I> I unique(I first, I last) { return unique(device_policy(), first, last); }

// Forms without a policy, of what has one form with it.
template <class I, class T> void fill(I first, I last, const T& v) { fill(where(first), first, last, v); }
template <class I, class N, class T> I fill_n(I first, N n, const T& v) { return fill_n(where(first), first, n, v); }
template <class I, class R, class F> R transform(I first, I last, R out, F f) { return transform(where(first), first, last, out, f); }
template <class T, class J, class R, class F> R transform(device_ptr<T> first, device_ptr<T> last, J second, R out, F f) {
  return transform(device_policy(), first, last, second, out, f);
}
template <class I, class F> I for_each(I first, I last, F f) { return for_each(where(first), first, last, f); }
template <class I, class F> void tabulate(I first, I last, F f) { tabulate(where(first), first, last, f); }
template <class M, class I, class R> R gather(M first, M last, I in, R out) { return gather(where(first), first, last, in, out); }
template <class I, class M, class R> void scatter(I first, I last, M map, R out) { scatter(where(first), first, last, map, out); }
template <class I, class Q, class T> void replace_if(I first, I last, Q is, const T& v) { replace_if(where(first), first, last, is, v); }
template <class I> ptrdiff_t distance(I first, I last) { return last - first; }

template <class T> void device_vector<T>::resize(size_t n, const T& v) {
  const size_t old = n_;
  reserve(n);
  n_ = n;
  if (n > old) fill(device_policy(), begin() + ptrdiff_t(old), end(), v);
}
template <class T> device_ptr<T> device_malloc(size_t n) {
  T* p = nullptr;
  cudaMalloc((void**)(void*)&p, n * sizeof(T));
  return p;
}
template <class T> void device_free(device_ptr<T> p) { cudaFree(p.get()); }

}  // namespace _thrst
DOJO_SHIM_END
#endif
