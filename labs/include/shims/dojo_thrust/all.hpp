// Thrust for whole programs: vectors, iterators and the most used algorithms, on kernels of our own
// (dojo_parallel.hpp). A program's `thrust` is _thrst here (core/compile/own/exceptions.hpp): CUB has a namespace thrust of its own. The names are Thrust's; its kernels, their times and their counters are not.
#pragma once
#ifdef __CUDACC_RTC__
#ifdef __clang__
DOJO_SHIM_BEGIN
#include "../tuple"
namespace __dojo_thrust_std {
using namespace ::std;
template <size_t... _K> struct index_sequence {};
template <class _T, _T... _K> struct __dojo_sequence { typedef index_sequence<_K...> type; };
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
  template <class _A> device_policy operator()(const _A&) const { return *this; }
};
/// Without a member: host code may not read a variable of a header, which counts as the device's.
struct default_policy {
  operator device_policy() const { return {}; }
  device_policy on(cudaStream_t s) const { return {s}; }
  template <class _A> device_policy operator()(const _A&) const { return {}; }
};
static const host_policy host, seq;
static const default_policy device;
namespace cuda {
static const default_policy par, par_nosync;
}

template <class _T> class device_reference;
/// A pointer to device memory that host code may follow: each access is a copy.
template <class _T> class device_ptr {
 public:
  typedef _T value_type;
  typedef ptrdiff_t difference_type;
  device_ptr(_T* p = nullptr) : p_(p) {}
  _T* get() const { return p_; }
  device_reference<_T> operator*() const { return device_reference<_T>(p_); }
  device_reference<_T> operator[](ptrdiff_t i) const { return device_reference<_T>(p_ + i); }
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
  template <class _U> operator device_ptr<const _U>() const { return device_ptr<const _U>(p_); }

 private:
  _T* p_;
};
template <class _T> class device_reference {
  typedef ::__dojo_thrust_std::remove_const_t<_T> _V;

 public:
  explicit device_reference(_T* p) : p_(p) {}
  operator _V() const {
    _V v;
    cudaMemcpy((void*)&v, (const void*)p_, sizeof v, cudaMemcpyDeviceToHost);
    return v;
  }
  device_reference& operator=(const _V& v) {
    cudaMemcpy((void*)p_, (const void*)&v, sizeof v, cudaMemcpyHostToDevice);
    return *this;
  }
  device_reference& operator=(const device_reference& o) { return *this = _V(o); }
  device_ptr<_T> operator&() const { return p_; }

 private:
  _T* p_;
};
template <class _T> _T* raw_pointer_cast(device_ptr<_T> p) { return p.get(); }
template <class _T> _T* raw_pointer_cast(_T* p) { return p; }
template <class _T> device_ptr<_T> device_pointer_cast(_T* p) { return p; }
template <class _T> device_ptr<_T> device_pointer_cast(device_ptr<_T> p) { return p; }

using ::__dojo_thrust_std::get;
using ::__dojo_thrust_std::make_tuple;
using ::__dojo_thrust_std::tie;
using ::__dojo_thrust_std::tuple;
template <class _A, class _B> using pair = std::pair<_A, _B>;
template <class _A, class _B> pair<_A, _B> make_pair(_A a, _B b) { return pair<_A, _B>(a, b); }

// Iterators that compute.
template <class _T, class = void, class = void> struct counting_iterator {
  typedef _T value_type;
  _T at;
  explicit counting_iterator(_T v = _T()) : at(v) {}
  _T operator[](ptrdiff_t i) const { return _T(at + i); }
  _T operator*() const { return at; }
  counting_iterator operator+(ptrdiff_t n) const { return counting_iterator(_T(at + n)); }
  ptrdiff_t operator-(const counting_iterator& o) const { return ptrdiff_t(at - o.at); }
};
template <class _T> struct constant_iterator {
  typedef _T value_type;
  _T value;
  size_t at;
  explicit constant_iterator(_T v = _T(), size_t i = 0) : value(v), at(i) {}
  _T operator[](ptrdiff_t) const { return value; }
  _T operator*() const { return value; }
  constant_iterator operator+(ptrdiff_t n) const { return constant_iterator(value, at + n); }
  ptrdiff_t operator-(const constant_iterator& o) const { return ptrdiff_t(at - o.at); }
};
template <class _T> counting_iterator<_T> make_counting_iterator(_T v) { return counting_iterator<_T>(v); }
template <class _T> constant_iterator<_T> make_constant_iterator(_T v) { return constant_iterator<_T>(v); }

// What a kernel gets in the place of an iterator.
template <class _T> _T* raw(_T* p) { return p; }
template <class _T> _T* raw(device_ptr<_T> p) { return p.get(); }
template <class _T> counting_iterator<_T> raw(counting_iterator<_T> i) { return i; }
template <class _T> constant_iterator<_T> raw(constant_iterator<_T> i) { return i; }
template <class _F, class _I> struct raw_transform {
  _F f;
  _I in;
  auto operator[](ptrdiff_t i) const { return f(in[i]); }
};
template <class _F, class _I> struct transform_iterator {
  _I in;
  _F f;
  transform_iterator(_I i, _F g) : in(i), f(g) {}
  transform_iterator operator+(ptrdiff_t n) const { return transform_iterator(in + n, f); }
  ptrdiff_t operator-(const transform_iterator& o) const { return in - o.in; }
};
template <class _F, class _I> transform_iterator<_F, _I> make_transform_iterator(_I i, _F f) {
  return transform_iterator<_F, _I>(i, f);
}
template <class _F, class _I> auto raw(transform_iterator<_F, _I> i) {
  return raw_transform<_F, decltype(raw(i.in))>{i.f, raw(i.in)};
}
template <class... _I> struct raw_zip {
  tuple<_I...> in;
  template <size_t... _K> auto of(ptrdiff_t i, ::__dojo_thrust_std::index_sequence<_K...>) const {
    return tuple<decltype(get<_K>(in)[i])...>(get<_K>(in)[i]...);
  }
  auto operator[](ptrdiff_t i) const { return of(i, ::__dojo_thrust_std::make_index_sequence<sizeof...(_I)>()); }
};
template <class... _I> struct zip_iterator_of {
  tuple<_I...> in;
  template <size_t... _K> zip_iterator_of plus(ptrdiff_t n, ::__dojo_thrust_std::index_sequence<_K...>) const {
    return zip_iterator_of{tuple<_I...>((get<_K>(in) + n)...)};
  }
  zip_iterator_of operator+(ptrdiff_t n) const { return plus(n, ::__dojo_thrust_std::make_index_sequence<sizeof...(_I)>()); }
  ptrdiff_t operator-(const zip_iterator_of& o) const { return get<0>(in) - get<0>(o.in); }
};
template <class... _I> zip_iterator_of<_I...> make_zip_iterator(const tuple<_I...>& t) { return {t}; }
template <class... _I> zip_iterator_of<_I...> make_zip_iterator(_I... i) { return {tuple<_I...>(i...)}; }
template <size_t... _K, class... _I> auto raw_zip_of(const zip_iterator_of<_I...>& z, ::__dojo_thrust_std::index_sequence<_K...>) {
  return raw_zip<decltype(raw(get<_K>(z.in)))...>{
      tuple<decltype(raw(get<_K>(z.in)))...>(raw(get<_K>(z.in))...)};
}
template <class... _I> auto raw(zip_iterator_of<_I...> z) {
  return raw_zip_of(z, ::__dojo_thrust_std::make_index_sequence<sizeof...(_I)>());
}
template <class _I> using value_at = ::__dojo_thrust_std::decay_t<decltype(raw(::__dojo_thrust_std::declval<_I>())[0])>;

// Function objects.
template <class _T = void> struct plus {
  template <class _A, class _B> auto operator()(const _A& a, const _B& b) const { return a + b; }
};
template <class _T = void> struct minus {
  template <class _A, class _B> auto operator()(const _A& a, const _B& b) const { return a - b; }
};
template <class _T = void> struct multiplies {
  template <class _A, class _B> auto operator()(const _A& a, const _B& b) const { return a * b; }
};
template <class _T = void> struct divides {
  template <class _A, class _B> auto operator()(const _A& a, const _B& b) const { return a / b; }
};
template <class _T = void> struct maximum {
  template <class _A> _A operator()(const _A& a, const _A& b) const { return a < b ? b : a; }
};
template <class _T = void> struct minimum {
  template <class _A> _A operator()(const _A& a, const _A& b) const { return b < a ? b : a; }
};
template <class _T = void> struct less {
  template <class _A, class _B> bool operator()(const _A& a, const _B& b) const { return a < b; }
};
template <class _T = void> struct greater {
  template <class _A, class _B> bool operator()(const _A& a, const _B& b) const { return b < a; }
};
template <class _T = void> struct equal_to {
  template <class _A, class _B> bool operator()(const _A& a, const _B& b) const { return a == b; }
};
template <class _T = void> struct not_equal_to {
  template <class _A, class _B> bool operator()(const _A& a, const _B& b) const { return !(a == b); }
};
template <class _T = void> struct negate {
  template <class _A> _A operator()(const _A& a) const { return -a; }
};
template <class _T = void> struct identity {
  template <class _A> _A operator()(const _A& a) const { return a; }
};
template <class _T = void> struct square {
  template <class _A> _A operator()(const _A& a) const { return a * a; }
};

// Vectors.
template <class _T> class host_vector;
template <class _T> class device_vector {
 public:
  typedef _T value_type;
  typedef size_t size_type;
  typedef device_ptr<_T> pointer, iterator;
  typedef device_ptr<const _T> const_iterator;
  typedef device_reference<_T> reference;

  device_vector() {}
  explicit device_vector(size_t n) { resize(n); }
  device_vector(size_t n, const _T& v) { resize(n, v); }
  device_vector(const device_vector& o) { take(o.p_, o.n_, cudaMemcpyDeviceToDevice); }
  device_vector(device_vector&& o) noexcept { swap(o); }
  device_vector(const std::vector<_T>& o) { take(o.data(), o.size(), cudaMemcpyHostToDevice); }
  device_vector(std::initializer_list<_T> l) { take(l.begin(), l.size(), cudaMemcpyHostToDevice); }
  device_vector(const _T* first, const _T* last) { take(first, size_t(last - first), cudaMemcpyDefault); }
  device_vector(device_ptr<_T> first, device_ptr<_T> last) {
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
  device_vector& operator=(const std::vector<_T>& o) {
    take(o.data(), o.size(), cudaMemcpyHostToDevice);
    return *this;
  }
  void swap(device_vector& o) {
    _T* const p = p_;
    const size_t n = n_, room = room_;
    p_ = o.p_, n_ = o.n_, room_ = o.room_;
    o.p_ = p, o.n_ = n, o.room_ = room;
  }
  void reserve(size_t n) {
    if (n <= room_) return;
    _T* more = nullptr;
    cudaMalloc((void**)(void*)&more, n * sizeof(_T));
    if (n_) cudaMemcpy(more, p_, n_ * sizeof(_T), cudaMemcpyDeviceToDevice);
    cudaFree(p_);
    p_ = more, room_ = n;
  }
  void resize(size_t n, const _T& v = _T());
  void push_back(const _T& v) {
    if (n_ == room_) reserve(room_ ? 2 * room_ : 8);
    cudaMemcpy(p_ + n_++, &v, sizeof v, cudaMemcpyHostToDevice);
  }
  void clear() { n_ = 0; }
  void shrink_to_fit() {}
  template <class _I> void assign(_I first, _I last) { *this = device_vector(first, last); }
  size_t size() const { return n_; }
  size_t capacity() const { return room_; }
  bool empty() const { return n_ == 0; }
  pointer data() { return p_; }
  device_ptr<const _T> data() const { return device_ptr<const _T>(p_); }
  iterator begin() { return p_; }
  iterator end() { return p_ + n_; }
  const_iterator begin() const { return const_iterator(p_); }
  const_iterator end() const { return const_iterator(p_ + n_); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  reference operator[](size_t i) { return reference(p_ + i); }
  _T operator[](size_t i) const { return device_reference<const _T>(p_ + i); }
  reference front() { return (*this)[0]; }
  reference back() { return (*this)[n_ - 1]; }

 private:
  void take(const _T* from, size_t n, cudaMemcpyKind kind) {
    n_ = 0;
    reserve(n);
    n_ = n;
    if (n) cudaMemcpy(p_, from, n * sizeof(_T), kind);
  }
  _T* p_ = nullptr;
  size_t n_ = 0, room_ = 0;
};
template <class _T> class host_vector : public std::vector<_T> {
 public:
  using std::vector<_T>::vector;
  host_vector() {}
  host_vector(const std::vector<_T>& v) : std::vector<_T>(v) {}
  host_vector(const device_vector<_T>& d) { *this = d; }
  host_vector& operator=(const device_vector<_T>& d) {
    this->resize(d.size());
    if (d.size()) cudaMemcpy(this->data(), d.data().get(), d.size() * sizeof(_T), cudaMemcpyDeviceToHost);
    return *this;
  }
};
template <class _T> bool operator==(const device_vector<_T>& a, const host_vector<_T>& b) { return host_vector<_T>(a) == b; }
template <class _T> bool operator==(const host_vector<_T>& a, const device_vector<_T>& b) { return b == a; }

}  // namespace _thrst
DOJO_SHIM_END
#include "algorithms.hpp"
#include "by_key.hpp"
#endif
