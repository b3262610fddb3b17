// Thrust for whole programs: vectors, iterators and the most used algorithms, on kernels of our own
// (dojo_parallel.hpp). A program's `thrust` is _thrst here (core/compile/own/exceptions.hpp): CUB has a namespace thrust of its own. The names are Thrust's; its kernels, their times and their counters are not.
#pragma once
#ifdef __CUDACC_RTC__
#ifdef __clang__
DOJO_SHIM_BEGIN
#include "../tuple"
namespace __dojo_thrust_std {
using namespace ::std;
template <size_t... K> struct index_sequence {};
template <class T, T... K> struct __dojo_sequence { typedef index_sequence<K...> type; };
template <size_t n> using make_index_sequence = typename __make_integer_seq<__dojo_sequence, size_t, n>::type;
}  // namespace __dojo_thrust_std
#else
#include <cuda/std/tuple>
DOJO_SHIM_BEGIN
namespace __dojo_thrust_std = ::cuda::std;
#endif
#include "../algorithm"
#include "../dojo_parallel.hpp"
#include "../functional"
#include "../vector"
#define THRUST_VERSION 300001
namespace _thrst {

// Where an algorithm runs.
struct host_policy {};
struct device_policy {
  cudaStream_t stream = 0;
  device_policy on(cudaStream_t s) const { return {s}; }
  template <class A> device_policy operator()(const A&) const { return *this; }
};
/// Without a member: host code may not read a variable of a header, which counts as the device's.
struct default_policy {
  operator device_policy() const { return {}; }
  device_policy on(cudaStream_t s) const { return {s}; }
  template <class A> device_policy operator()(const A&) const { return {}; }
};
static const host_policy host, seq;
static const default_policy device;
namespace cuda {
static const default_policy par, par_nosync;
}

template <class T> class device_reference;
/// A pointer to device memory that host code may follow: each access is a copy.
template <class T> class device_ptr {
 public:
  typedef T value_type;
  typedef ptrdiff_t difference_type;
  device_ptr(T* p = nullptr) : p_(p) {}
  T* get() const { return p_; }
  device_reference<T> operator*() const { return device_reference<T>(p_); }
  device_reference<T> operator[](ptrdiff_t i) const { return device_reference<T>(p_ + i); }
  device_ptr operator+(ptrdiff_t n) const { return p_ + n; }
  device_ptr operator-(ptrdiff_t n) const { return p_ - n; }
  ptrdiff_t operator-(const device_ptr& o) const { return p_ - o.p_; }
  device_ptr& operator+=(ptrdiff_t n) {
    p_ += n;
    return *this;
  }
  device_ptr& operator++() {
    ++p_;
    return *this;
  }
  device_ptr operator++(int) { return p_++; }
  bool operator==(const device_ptr& o) const { return p_ == o.p_; }
  bool operator!=(const device_ptr& o) const { return p_ != o.p_; }
  bool operator<(const device_ptr& o) const { return p_ < o.p_; }
  template <class U> operator device_ptr<const U>() const { return device_ptr<const U>(p_); }

 private:
  T* p_;
};
template <class T> class device_reference {
  typedef ::__dojo_thrust_std::remove_const_t<T> V;

 public:
  explicit device_reference(T* p) : p_(p) {}
  operator V() const {
    V v;
    cudaMemcpy((void*)&v, (const void*)p_, sizeof v, cudaMemcpyDeviceToHost);
    return v;
  }
  device_reference& operator=(const V& v) {
    cudaMemcpy((void*)p_, (const void*)&v, sizeof v, cudaMemcpyHostToDevice);
    return *this;
  }
  device_reference& operator=(const device_reference& o) { return *this = V(o); }
  device_ptr<T> operator&() const { return p_; }

 private:
  T* p_;
};
template <class T> T* raw_pointer_cast(device_ptr<T> p) { return p.get(); }
template <class T> T* raw_pointer_cast(T* p) { return p; }
template <class T> device_ptr<T> device_pointer_cast(T* p) { return p; }
template <class T> device_ptr<T> device_pointer_cast(device_ptr<T> p) { return p; }

using ::__dojo_thrust_std::get;
using ::__dojo_thrust_std::make_tuple;
using ::__dojo_thrust_std::tie;
using ::__dojo_thrust_std::tuple;
template <class A, class B> using pair = std::pair<A, B>;
template <class A, class B> pair<A, B> make_pair(A a, B b) { return pair<A, B>(a, b); }

// Iterators that compute.
template <class T, class = void, class = void> struct counting_iterator {
  typedef T value_type;
  T at;
  explicit counting_iterator(T v = T()) : at(v) {}
  T operator[](ptrdiff_t i) const { return T(at + i); }
  T operator*() const { return at; }
  counting_iterator operator+(ptrdiff_t n) const { return counting_iterator(T(at + n)); }
  ptrdiff_t operator-(const counting_iterator& o) const { return ptrdiff_t(at - o.at); }
};
template <class T> struct constant_iterator {
  typedef T value_type;
  T value;
  size_t at;
  explicit constant_iterator(T v = T(), size_t i = 0) : value(v), at(i) {}
  T operator[](ptrdiff_t) const { return value; }
  T operator*() const { return value; }
  constant_iterator operator+(ptrdiff_t n) const { return constant_iterator(value, at + n); }
  ptrdiff_t operator-(const constant_iterator& o) const { return ptrdiff_t(at - o.at); }
};
template <class T> counting_iterator<T> make_counting_iterator(T v) { return counting_iterator<T>(v); }
template <class T> constant_iterator<T> make_constant_iterator(T v) { return constant_iterator<T>(v); }

// What a kernel gets in the place of an iterator.
template <class T> T* raw(T* p) { return p; }
template <class T> T* raw(device_ptr<T> p) { return p.get(); }
template <class T> counting_iterator<T> raw(counting_iterator<T> i) { return i; }
template <class T> constant_iterator<T> raw(constant_iterator<T> i) { return i; }
template <class F, class I> struct raw_transform {
  F f;
  I in;
  auto operator[](ptrdiff_t i) const { return f(in[i]); }
};
template <class F, class I> struct transform_iterator {
  I in;
  F f;
  transform_iterator(I i, F g) : in(i), f(g) {}
  transform_iterator operator+(ptrdiff_t n) const { return transform_iterator(in + n, f); }
  ptrdiff_t operator-(const transform_iterator& o) const { return in - o.in; }
};
template <class F, class I> transform_iterator<F, I> make_transform_iterator(I i, F f) {
  return transform_iterator<F, I>(i, f);
}
template <class F, class I> auto raw(transform_iterator<F, I> i) {
  return raw_transform<F, decltype(raw(i.in))>{i.f, raw(i.in)};
}
template <class... I> struct raw_zip {
  tuple<I...> in;
  template <size_t... K> auto of(ptrdiff_t i, ::__dojo_thrust_std::index_sequence<K...>) const {
    return tuple<decltype(get<K>(in)[i])...>(get<K>(in)[i]...);
  }
  auto operator[](ptrdiff_t i) const { return of(i, ::__dojo_thrust_std::make_index_sequence<sizeof...(I)>()); }
};
template <class... I> struct zip_iterator_of {
  tuple<I...> in;
  template <size_t... K> zip_iterator_of plus(ptrdiff_t n, ::__dojo_thrust_std::index_sequence<K...>) const {
    return zip_iterator_of{tuple<I...>((get<K>(in) + n)...)};
  }
  zip_iterator_of operator+(ptrdiff_t n) const { return plus(n, ::__dojo_thrust_std::make_index_sequence<sizeof...(I)>()); }
  ptrdiff_t operator-(const zip_iterator_of& o) const { return get<0>(in) - get<0>(o.in); }
};
template <class... I> zip_iterator_of<I...> make_zip_iterator(const tuple<I...>& t) { return {t}; }
template <class... I> zip_iterator_of<I...> make_zip_iterator(I... i) { return {tuple<I...>(i...)}; }
template <size_t... K, class... I> auto raw_zip_of(const zip_iterator_of<I...>& z, ::__dojo_thrust_std::index_sequence<K...>) {
  return raw_zip<decltype(raw(get<K>(z.in)))...>{
      tuple<decltype(raw(get<K>(z.in)))...>(raw(get<K>(z.in))...)};
}
template <class... I> auto raw(zip_iterator_of<I...> z) {
  return raw_zip_of(z, ::__dojo_thrust_std::make_index_sequence<sizeof...(I)>());
}
template <class I> using value_at = ::__dojo_thrust_std::decay_t<decltype(raw(::__dojo_thrust_std::declval<I>())[0])>;

// Function objects.
template <class T = void> struct plus {
  template <class A, class B> auto operator()(const A& a, const B& b) const { return a + b; }
};
template <class T = void> struct minus {
  template <class A, class B> auto operator()(const A& a, const B& b) const { return a - b; }
};
template <class T = void> struct multiplies {
  template <class A, class B> auto operator()(const A& a, const B& b) const { return a * b; }
};
template <class T = void> struct divides {
  template <class A, class B> auto operator()(const A& a, const B& b) const { return a / b; }
};
template <class T = void> struct maximum {
  template <class A> A operator()(const A& a, const A& b) const { return a < b ? b : a; }
};
template <class T = void> struct minimum {
  template <class A> A operator()(const A& a, const A& b) const { return b < a ? b : a; }
};
template <class T = void> struct less {
  template <class A, class B> bool operator()(const A& a, const B& b) const { return a < b; }
};
template <class T = void> struct greater {
  template <class A, class B> bool operator()(const A& a, const B& b) const { return b < a; }
};
template <class T = void> struct equal_to {
  template <class A, class B> bool operator()(const A& a, const B& b) const { return a == b; }
};
template <class T = void> struct not_equal_to {
  template <class A, class B> bool operator()(const A& a, const B& b) const { return !(a == b); }
};
template <class T = void> struct negate {
  template <class A> A operator()(const A& a) const { return -a; }
};
template <class T = void> struct identity {
  template <class A> A operator()(const A& a) const { return a; }
};
template <class T = void> struct square {
  template <class A> A operator()(const A& a) const { return a * a; }
};

// Vectors.
template <class T> class host_vector;
template <class T> class device_vector {
 public:
  typedef T value_type;
  typedef size_t size_type;
  typedef device_ptr<T> pointer, iterator;
  typedef device_ptr<const T> const_iterator;
  typedef device_reference<T> reference;

  device_vector() {}
  explicit device_vector(size_t n) { resize(n); }
  device_vector(size_t n, const T& v) { resize(n, v); }
  device_vector(const device_vector& o) { take(o.p_, o.n_, cudaMemcpyDeviceToDevice); }
  device_vector(device_vector&& o) noexcept { swap(o); }
  device_vector(const std::vector<T>& o) { take(o.data(), o.size(), cudaMemcpyHostToDevice); }
  device_vector(std::initializer_list<T> l) { take(l.begin(), l.size(), cudaMemcpyHostToDevice); }
  device_vector(const T* first, const T* last) { take(first, size_t(last - first), cudaMemcpyDefault); }
  device_vector(device_ptr<T> first, device_ptr<T> last) {
    take(first.get(), size_t(last - first), cudaMemcpyDeviceToDevice);
  }
  ~device_vector() { cudaFree(p_); }
  device_vector& operator=(const device_vector& o) {
    if (this != &o) take(o.p_, o.n_, cudaMemcpyDeviceToDevice);
    return *this;
  }
  device_vector& operator=(device_vector&& o) {
    swap(o);
    return *this;
  }
  device_vector& operator=(const std::vector<T>& o) {
    take(o.data(), o.size(), cudaMemcpyHostToDevice);
    return *this;
  }
  void swap(device_vector& o) {
    T* const p = p_;
    const size_t n = n_, room = room_;
    p_ = o.p_, n_ = o.n_, room_ = o.room_;
    o.p_ = p, o.n_ = n, o.room_ = room;
  }
  void reserve(size_t n) {
    if (n <= room_) return;
    T* more = nullptr;
    cudaMalloc((void**)(void*)&more, n * sizeof(T));
    if (n_) cudaMemcpy(more, p_, n_ * sizeof(T), cudaMemcpyDeviceToDevice);
    cudaFree(p_);
    p_ = more, room_ = n;
  }
  void resize(size_t n, const T& v = T());
  void push_back(const T& v) {
    if (n_ == room_) reserve(room_ ? 2 * room_ : 8);
    cudaMemcpy(p_ + n_++, &v, sizeof v, cudaMemcpyHostToDevice);
  }
  void clear() { n_ = 0; }
  void shrink_to_fit() {}
  template <class I> void assign(I first, I last) { *this = device_vector(first, last); }
  size_t size() const { return n_; }
  size_t capacity() const { return room_; }
  bool empty() const { return n_ == 0; }
  pointer data() { return p_; }
  device_ptr<const T> data() const { return device_ptr<const T>(p_); }
  iterator begin() { return p_; }
  iterator end() { return p_ + n_; }
  const_iterator begin() const { return const_iterator(p_); }
  const_iterator end() const { return const_iterator(p_ + n_); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  reference operator[](size_t i) { return reference(p_ + i); }
  T operator[](size_t i) const { return device_reference<const T>(p_ + i); }
  reference front() { return (*this)[0]; }
  reference back() { return (*this)[n_ - 1]; }

 private:
  void take(const T* from, size_t n, cudaMemcpyKind kind) {
    n_ = 0;
    reserve(n);
    n_ = n;
    if (n) cudaMemcpy(p_, from, n * sizeof(T), kind);
  }
  T* p_ = nullptr;
  size_t n_ = 0, room_ = 0;
};
template <class T> class host_vector : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  host_vector() {}
  host_vector(const std::vector<T>& v) : std::vector<T>(v) {}
  host_vector(const device_vector<T>& d) { *this = d; }
  host_vector& operator=(const device_vector<T>& d) {
    this->resize(d.size());
    if (d.size()) cudaMemcpy(this->data(), d.data().get(), d.size() * sizeof(T), cudaMemcpyDeviceToHost);
    return *this;
  }
};
template <class T> bool operator==(const device_vector<T>& a, const host_vector<T>& b) { return host_vector<T>(a) == b; }
template <class T> bool operator==(const host_vector<T>& a, const device_vector<T>& b) { return b == a; }

}  // namespace _thrst
DOJO_SHIM_END
#include "algorithms.hpp"
#include "by_key.hpp"
#endif
