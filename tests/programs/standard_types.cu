// <type_traits>, tuples, function objects, and strings, arrays and times with what programs do to them every
// day.
#include <algorithm>
#include <array>
#include <bitset>
#include <chrono>
#include <cstdio>
#include <functional>
#include <iomanip>
#include <iostream>
#include <mutex>
#include <numeric>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <vector>

enum class Colour : unsigned char { red };
struct Base {
  virtual ~Base() {}
};
struct Derived final : Base {
  int v = 5;
  int get() const { return v; }
};

void traits() {
  static_assert(std::is_base_of_v<Base, Derived> && !std::is_base_of_v<Derived, Base>);
  static_assert(std::is_convertible_v<int, double> && std::is_convertible_v<Derived*, Base*>);
  static_assert(!std::is_convertible_v<Base*, Derived*> && std::is_void_v<void> && !std::is_void<int>::value);
  static_assert(std::is_enum_v<Colour> && std::is_same_v<std::underlying_type_t<Colour>, unsigned char>);
  static_assert(std::is_array_v<int[3]> && std::is_const_v<const int> && std::is_reference_v<int&>);
  static_assert(std::is_lvalue_reference_v<int&> && std::is_rvalue_reference_v<int&&> &&
                std::is_class_v<Base>);
  static_assert(std::is_polymorphic_v<Base> && std::is_final_v<Derived> && !std::is_empty_v<Derived>);
  static_assert(std::is_same_v<std::remove_extent_t<int[4]>, int> && std::is_unsigned_v<unsigned>);
  static_assert(std::is_same_v<std::decay_t<const int[4]>, const int*>);
  auto twice = [](int a) { return a * 2.0; };
  static_assert(std::is_same_v<std::invoke_result_t<decltype(twice), int>, double>);
  static_assert(std::is_invocable_v<decltype(twice), int> && !std::is_invocable_v<decltype(twice), Base>);
  static_assert(std::conjunction_v<std::true_type, std::negation<std::false_type>>);
  static_assert(std::disjunction_v<std::false_type, std::bool_constant<true>>);
  static_assert(std::is_constructible_v<int, float> && std::is_copy_constructible_v<Derived>);
  static_assert(std::is_same_v<std::add_pointer_t<int>, int*> && std::is_trivial_v<int>);
  printf("%g\n", twice(3));
}

void tuples() {
  auto t = std::make_tuple(1, 2.5, 'c');
  printf("%d %g %d ", std::get<int>(t), std::get<double>(t), t == std::make_tuple(1, 2.5, 'c'));
  const auto sum = std::apply([](int a, double b, char) { return a + b; }, t);
  auto both = std::tuple_cat(std::make_tuple(1), std::make_tuple(2.5, 7L));
  static_assert(std::tuple_size_v<decltype(both)> == 3);
  std::tuple<int, float> less(1, 2.f);
  printf("%g %ld %d\n", sum, std::get<2>(both), less < std::make_tuple(2, 1.f));
  std::array<int, 3> a{1, 2, 3};
  auto [x, y, z] = a;
  printf("%d %d %d\n", x + y + z, a.at(1), std::get<0>(a));
  try {
    a.at(3) = 1;
  } catch (const std::out_of_range&) {
    puts("outside");
  }
}

void functions() {
  using namespace std::placeholders;
  auto difference = std::bind([](int a, int b) { return a - b; }, _2, 10);
  Derived d;
  auto get = std::mem_fn(&Derived::get);
  auto small = std::not_fn([](int a) { return a > 2; });
  int x = 1;
  std::ref(x).get() = 4;
  std::hash<std::string> hash;
  printf("%d %d %d %d %d %d\n", difference(1, 30), get(d), std::invoke(&Derived::v, d), small(1), x,
         hash("a") == hash("a") && hash("a") != hash("b"));
}

void words() {
  std::string s = "hello";
  s.append(3, '!');
  std::string backwards(s.rbegin(), s.rend()), t = "abc";
  t.swap(backwards);
  printf("%s %s %d %c ", s.c_str(), t.c_str(), s > t, s.at(1));
  std::bitset<8> bits("10110");
  printf("%s %zu\n", bits.to_string().c_str(), bits.count());
  std::cout << static_cast<void*>(nullptr) << ' ' << std::hex << std::showbase << 0 << ' ' << 255 << std::dec
            << std::noshowbase << std::endl;
}

void ranges() {
  std::vector<int> v{5, 2, 8, 1, 2}, w{1, 2, 3}, out;
  std::sort(v.rbegin(), v.rend());
  v.erase(std::remove(v.begin(), v.end(), 2), v.end());
  v.insert(v.end(), {9, 9});
  for (int x : v) printf("%d", x);
  std::sort(v.begin(), v.end());
  std::set_union(v.begin(), v.end(), w.begin(), w.end(), std::back_inserter(out));
  std::set_intersection(v.begin(), v.end(), w.begin(), w.end(), std::back_inserter(out));
  std::merge(w.begin(), w.end(), w.begin(), w.end(), std::back_inserter(out));
  printf(" ");
  for (int x : out) printf("%d", x);
  std::adjacent_difference(w.begin(), w.end(), w.begin());
  printf(" %d %d %d\n", std::reduce(v.begin(), v.end()), w[2],
         std::transform_reduce(v.begin(), v.end(), 0, std::plus<>(), [](int x) { return x * x; }));
}

void locks() {
  using namespace std::chrono_literals;
  std::mutex m;
  std::unique_lock<std::mutex> later(m, std::defer_lock);
  printf("%d ", later.owns_lock());
  later.lock();
  std::shared_mutex shared;
  std::shared_lock<std::shared_mutex> reader(shared);
  printf("%d %d %ld %ld\n", later.owns_lock(), reader.owns_lock(), long((5ms + 2us).count()),
         long((1s - 1ms).count()));
}

int main() {
  traits();
  tuples();
  functions();
  words();
  ranges();
  locks();
}
