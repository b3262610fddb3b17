// Programs of `play --std=c++20`: the language, and the headers that C++20 added.
#include <doctest/doctest.h>

#include "host_play.hpp"

using namespace dojo;
using host_test::Played;

namespace {
Played play20(const std::string& source) { return host_test::play(source, {}, "t.cu", "c++20"); }
}  // namespace

TEST_CASE("C++20: concepts, designated initialisers, comparisons, templates of lambdas, in kernels too") {
  const Played p = play20(R"cu(#include <compare>
#include <concepts>
#include <cstdio>
template <class T> concept Number = std::integral<T> || std::floating_point<T>;
struct Config { int rows = 0, columns = 0; float scale = 1; };
struct Version {
  int major, minor;
  auto operator<=>(const Version&) const = default;
};
struct Lower {
  int v;
  constexpr std::weak_ordering operator<=>(const Lower& o) const { return v / 10 <=> o.v / 10; }
};
template <Number T> __global__ void grow(T* p, T by) { p[threadIdx.x] += by; }
template <class F> requires std::invocable<F, int> auto call(F f) { return f(20); }
consteval int squared(int v) { return v * v; }
constinit int started = squared(3);
static_assert(std::same_as<int, int> && !std::convertible_to<Config, int> && std::regular<Version>);
static_assert((2.0 <=> 1.0) > 0 && std::is_lt(1 <=> 2));
int main() {
  const Config c{.rows = 2, .columns = 3};
  int* p;
  cudaMallocManaged(&p, 128);
  for (int i = 0; i < 32; ++i) p[i] = i;
  grow<<<1, 32>>>(p, c.rows * c.columns);
  cudaDeviceSynchronize();
  const auto pick = []<class T>(T v) { return v + 1; };
  printf("%d %d %d\n", p[1], call(pick), started);
  const Version old{1, 9}, fresh{2, 0};
  printf("%d%d%d%d\n", old < fresh, fresh == Version{2, 0}, old >= fresh, Lower{12} < Lower{18});
  for (int sum = 0; int v : {1, 2, 3}) {
    sum += v;
    if (v == 3) printf("%d\n", sum);
  }
  cudaFree(p);
}
)cu");
  CHECK(p.exit_status == 0);
  CHECK(p.findings.empty());
  CHECK(p.printed == "7 21 9\n1100\n6\n");
}

TEST_CASE("C++20: span, bit, numbers and ranges") {
  const Played p = play20(R"cu(#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <ranges>
#include <span>
#include <string>
#include <vector>
int sum(std::span<const int> s) {
  int all = 0;
  for (int v : s) all += v;
  return all;
}
struct Item { int key, value; };
int main() {
  std::vector<int> v{5, 3, 8, 1};
  int raw[3] = {1, 2, 3};
  const std::array<int, 2> two{4, 5};
  printf("%d %d %d %d\n", sum(v), sum(raw), sum(two), sum(std::span(v).subspan(1, 2)));
  std::span<int> all(v);
  all.front() = 6;
  printf("%zu %d %zu\n", all.size(), v[0], std::span<int, 3>(raw).first<2>().size_bytes());
  std::ranges::sort(v);
  printf("%d %d\n", v[0], v[3]);
  std::vector<Item> items{{2, 20}, {1, 10}, {3, 30}};
  std::ranges::sort(items, {}, &Item::key);
  std::ranges::sort(v, std::ranges::greater{});
  printf("%d %d %d\n", items[0].value, v[0], std::ranges::max_element(items, {}, &Item::value)->key);
  int odd = 0;
  const auto is_odd = [](int x) { return x % 2 == 1; };
  for (int x : v | std::views::filter(is_odd) | std::views::transform([](int x) { return 10 * x; })) odd += x;
  for (int i : std::views::iota(0, 4) | std::views::drop(1) | std::views::take(2)) odd += 1000 * i;
  printf("%d %td\n", odd, std::ranges::count_if(v, [](int x) { return x > 5; }));
  printf("%d %d ", std::popcount(255u), std::countl_zero(uint16_t(1)));
  printf("%d %u\n", std::has_single_bit(64u), std::bit_ceil(33u));
  printf("%x %.4f\n", std::bit_cast<unsigned>(1.0f), std::numbers::pi);
  const std::string s = "graph.txt";
  printf("%d%d\n", s.starts_with("graph"), s.ends_with(".bin"));
}
)cu");
  CHECK(p.exit_status == 0);
  CHECK(p.findings.empty());
  CHECK(p.printed == "17 6 9 11\n4 6 8\n1 8\n10 8 3\n3040 2\n8 15 1 64\n3f800000 3.1416\n10\n");
}

TEST_CASE("std::byte is an untyped buffer's type, in kernels and on the host") {
  const Played p = host_test::play(R"(#include <cstddef>
#include <cstdio>
__global__ void k(unsigned char* out) {
  extern __shared__ std::byte raw[];
  raw[threadIdx.x] = std::byte(threadIdx.x) << 1;
  raw[threadIdx.x] |= std::byte{0x40};
  out[threadIdx.x] = std::to_integer<unsigned char>(raw[threadIdx.x] & ~std::byte{2});
}
int main() {
  unsigned char* out;
  cudaMallocManaged(&out, 32);
  k<<<1, 32, 32>>>(out);
  cudaDeviceSynchronize();
  const std::byte five = std::byte{4} ^ std::byte{1};
  printf("%d %d %d", out[2], out[3], std::to_integer<int>(five >> 1));
  cudaFree(out);
})");
  CHECK(p.findings.empty());
  CHECK(p.printed == "68 68 2");
}

TEST_CASE(
    "what nvcc takes of C++20 in C++17 needs no option: named members, templates of lambdas, __int128") {
  const Played p = host_test::play(R"(#include <cstdio>
struct Shape { int rows = 1, columns = 1; };
__global__ void k(long long* high) {
  const Shape s{.rows = 4, .columns = 8};
  const auto twice = []<typename T>(T v) { return v + v; };
  const __int128 wide = (__int128)s.rows << 66;
  *high = (long long)(wide >> 64) + twice(s.columns);
}
int main() {
  long long* high;
  cudaMallocManaged(&high, 8);
  cudaLaunchConfig_t c{.gridDim = 1, .blockDim = 1};
  cudaLaunchKernelEx(&c, k, high);
  cudaDeviceSynchronize();
  printf("%lld", *high);
  cudaFree(high);
})");
  CHECK(p.findings.empty());
  CHECK(p.printed == "32");
}
