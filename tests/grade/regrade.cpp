// A regrade gives the same bytes, whatever a program asks the machine for: the time of compiling, clocks,
// addresses, random numbers.
#include <doctest/doctest.h>

#include <ctime>

#include "grade/formats.hpp"
#include "small_class.hpp"

using namespace dojo;
using namespace dojo::test;

namespace {

/// A file whose first partial sum is a number that must not change between gradings: the row's message shows
/// it.
std::string shows(const std::string& on_device, const std::string& on_host = "0ull") {
  return "#include <ctime>\n#include <cstdlib>\n#include <cstdint>\n"
         "__global__ void k(float* partials, unsigned long long host) {\n"
         "  unsigned long long v = host;\n  " +
         on_device +
         "\n  partials[0] = float(v % 1000003);\n}\n"
         "void reduce(const float* in, float* partials, int n) {\n  unsigned long long host = " +
         on_host + ";\n  k<<<1, 1>>>(partials, host);\n}\n";
}

void fill_with_clocks(const SmallClass& c) {
  c.hand_in("date", shows("for (const char* s = __TIME__ __DATE__ __TIMESTAMP__; *s; ++s) v = v * 31 + *s;"));
  c.hand_in("clock", shows("v += clock64() + clock();"));
  c.hand_in("globaltimer", shows("asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(v));"));
  c.hand_in("global-address", shows("v += (unsigned long long)partials;"));
  c.hand_in("shared-address", shows("__shared__ int s[3]; s[0] = 1; v += (unsigned long long)&s[1];"));
  c.hand_in("local-address", shows("int l[4] = {1, 2, 3, 4}; v += (unsigned long long)&l[partials[1] > 0];"));
  c.hand_in("places",
            shows("unsigned a, b; asm volatile(\"mov.u32 %0, %smid; mov.u32 %1, %warpid;\" : \"=r\"(a), "
                  "\"=r\"(b)); v += a * 64 + b;"));
  c.hand_in("host-time", shows("", "(unsigned long long)time(0)"));
  c.hand_in("host-clock", shows("", "(unsigned long long)clock()"));
  c.hand_in("host-random", shows("", "(unsigned long long)rand()"));
  c.hand_in("host-address", shows("", "(unsigned long long)malloc(100)"));
  c.hand_in("device-address",
            shows("", "0; void* p = 0; cudaMalloc(&p, 12345); host = (unsigned long long)p"));
  c.hand_in("printed", "#include <cstdio>\n" + shows("printf(\"%p %llu\\n\", partials, v + clock64());"));
  c.hand_in("free-memory", shows("", "0; size_t f = 0, t = 0; cudaMemGetInfo(&f, &t); host = f"));
}

}  // namespace

TEST_CASE("a regrade gives the same bytes, in every export, whatever a program asks for") {
  const auto graded = [](const char* zone) {
    const Environment tz("TZ", zone), other("WARPDOJO_UNUSED", std::string(zone) + zone);
    const SmallClass c;
    fill_with_clocks(c);
    const Catalog catalog = c.catalog();
    auto options = c.options(catalog);
    options.course.time_limit_s = 60;
    const auto rows = c.grade(options, catalog);
    for (const auto& r : rows) {
      CHECK_MESSAGE(r.status != grade::RowStatus::compile_error, r.student, ": ", r.message);
      CHECK_MESSAGE(r.points == 0, r.student);
    }
    return rows;
  };
  const std::time_t started = std::time(nullptr);
  const auto first = graded("UTC");
  while (std::time(nullptr) == started) {
  }  // another second for __TIME__, at the least
  const auto second = graded("Asia/Tokyo");
  REQUIRE(first.size() == 14);
  REQUIRE(second.size() == first.size());
  for (size_t i = 0; i < first.size(); ++i) CHECK(grade::to_json(first[i]) == grade::to_json(second[i]));
  for (const char* format : {"csv", "json"})
    CHECK(grade::find_format(format).text({}, first) == grade::find_format(format).text({}, second));
}
