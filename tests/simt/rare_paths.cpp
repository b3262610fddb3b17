// Rare operands of division, reciprocal and square root: which they are and how long the routine for them is,
// as an H100 says (tests/microbench/slow_path_length.cu), and that counters and trace of a kernel hold it.
#include <doctest/doctest.h>

#include <map>

#include "../near.hpp"
#include "core/labs/lab.hpp"
#include "device_fixture.hpp"
#include "microbench.hpp"
#include "recorded.hpp"
#include "simt/ops/arithmetic/rare_paths.hpp"

using namespace dojo;
using namespace dojo::simt;
using dojo::test::Kernels;

namespace {
template <class To, class From>
To bits(From v) {
  return std::bit_cast<To>(v);
}

template <class T>
T value(const std::string& word) {
  using Map = std::map<std::string, T>;
  if constexpr (sizeof(T) == 4) {
    static const Map m = {{"1.5", 1.5f},
                          {"0", 0.0f},
                          {"denormal", bits<float>(0x00001234u)},
                          {"least normal", bits<float>(0x00812345u)},
                          {"just short", bits<float>(26u << 23 | 7)},
                          {"just long", bits<float>(24u << 23 | 7)},
                          {"largest", bits<float>(0x7f7fffffu)},
                          {"infinity", INFINITY},
                          {"nan", NAN},
                          {"-1.5", -1.5f}};
    const auto at = m.find(word);
    return at != m.end() ? at->second : std::stof(word);
  } else {
    static const Map m = {{"1.5", 1.5},
                          {"0", 0.0},
                          {"denormal", bits<double>(0x0000000000123456ull)},
                          {"least normal", bits<double>(0x0012345678912345ull)},
                          {"just short", bits<double>(55ull << 52 | 7)},
                          {"just long", bits<double>(52ull << 52 | 7)},
                          {"largest", bits<double>(0x7fefffffffffffffull)},
                          {"infinity", INFINITY},
                          {"nan", NAN},
                          {"-1.5", -1.5}};
    const auto at = m.find(word);
    return at != m.end() ? at->second : std::stod(word);
  }
}

template <class T>
rare::Way way(const std::string& op, const std::string& operands) {
  const size_t over = operands.find(" / ");
  const T a = value<T>(operands.substr(0, over));
  if (op == "rcp") return rare::Reciprocal::way(a);
  if (op == "sqrt") return rare::SquareRoot::way(a);
  return rare::Divide::way(a, value<T>(operands.substr(over + 3)));
}
template <class T>
rare::Mixing mixing(const std::string& op) {
  return op == "rcp"    ? rare::Reciprocal::mixing(T())
         : op == "sqrt" ? rare::SquareRoot::mixing(T())
                        : rare::Divide::mixing(T());
}

/// What lanes of one warp do together, by the names of slow_path_cycles.cu: "0 and nan".
template <class T>
rare::Way together(const std::string& op, std::string names) {
  rare::Ways ways;
  for (names += " and "; !names.empty();) {
    const size_t end = names.find(" and ");
    std::string one = names.substr(0, end);
    names.erase(0, end + 5);
    if (one == "common") one = "1.5";
    if (op == "div" && one == "over a denormal")
      one = "1.5 / denormal";
    else if (op == "div" && one.find(" / ") == one.npos)
      one += " / 1.5";
    ways.add(way<T>(op, one));
  }
  return ways.total(mixing<T>(op));
}
}  // namespace

TEST_CASE("rare operands: the routine is as long as on an H100, for every pair of kinds") {
  int rows = 0;
  for (const std::string& line : dojo::test::recorded_lines("h100-slow-paths.txt")) {
    if (line.starts_with("#")) continue;
    const size_t colon = line.find(": "), last = line.rfind(": ");
    const std::string op = line.substr(0, colon), operands = line.substr(colon + 2, last - colon - 2);
    const uint32_t want = uint32_t(std::stoi(line.substr(last + 2)));
    const std::string name = op.substr(0, op.find('.'));
    CHECK_MESSAGE(
        (op.ends_with("f64") ? way<double>(name, operands) : way<float>(name, operands)).instructions == want,
        line);
    ++rows;
  }
  CHECK(rows == 243);
}

TEST_CASE(
    "rare operands: the routine takes the cycles that it takes on an H100, by lanes of one kind or of "
    "several") {
  const dojo::test::Pattern figures_of(" {cycles} cycles more, {instructions} instructions");
  int alike = 0, several = 0;
  for (const std::string& line : dojo::test::recorded_lines("h100-slow-path-cycles.txt")) {
    const size_t colon = line.find(": "), more = line.find("  ");
    const auto figures = figures_of.read(more == line.npos ? "" : line.substr(more));
    if (line.starts_with("#") || !figures) continue;
    const double cycles = figures->number("cycles"), instructions = figures->number("instructions");
    const std::string op = line.substr(0, colon), name = op.substr(0, op.find('.')),
                      what = line.substr(colon + 2, more - colon - 2);
    const bool wide = op.ends_with("f64"), mixed = what.find(" and ") != what.npos;
    CAPTURE(line);
    const rare::Way w = mixed ? (wide ? together<double>(name, what) : together<float>(name, what))
                              : (wide ? way<double>(name, what) : way<float>(name, what));
    // By lanes of one kind every row within the clock's few cycles; several ways have one price for all,
    // which fits division of floats closely and the others, where only some pairs share their way, less.
    const double within = !mixed ? 8 : op == "div.rn.f32" ? 10 + 0.02 * cycles : 12 + 0.2 * cycles;
    CHECK(std::abs(w.cycles - cycles) <= within);
    if (mixed) CHECK(std::abs(w.instructions - instructions) <= (op == "div.rn.f32" ? 6 : 12));
    ++(mixed ? several : alike);
  }
  CHECK(alike == 240);
  CHECK(several > 200);
}

TEST_CASE(
    "rare operands: a warp with a zero among its numerators executes the routine, one without doesn't") {
  for (const bool machine_code : {true, false}) {
    CAPTURE(machine_code);
    Kernels k(R"(
__global__ void divide(const float* a, const float* b, float* out) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  float v = a[i];
#pragma unroll 1
  for (int k = 0; k < 8; ++k) v = v / b[k];  // dependent: no division hides the wait of another
  out[i] = v;
})",
              "simt:h100", machine_code);
    const uint64_t b = k.buffer_of(std::vector<float>(8, 1.5f)), out = k.buffer(64 * 4);
    std::vector<float> a(64, 2.0f);
    const auto executed = [&](const LaunchReport& r) { return r.counters.at("smsp__inst_executed.sum"); };
    const LaunchReport plain = k.run(k.spec("divide", {1, 1, 1}, {64, 1, 1}, k.buffer_of(a), b, out));
    a[40] = 0.0f;
    const LaunchReport one = k.run(k.spec("divide", {1, 1, 1}, {64, 1, 1}, k.buffer_of(a), b, out));
    CHECK(executed(one) - executed(plain) == 8 * 35);
    CHECK(one.counters.at("smsp__thread_inst_executed.sum") -
              plain.counters.at("smsp__thread_inst_executed.sum") ==
          8 * 35);
    // The other lanes wait for the one: 1 us at 2 GHz. Estimated code takes a fifth less than machine code.
    CHECK(one.time_us - plain.time_us ==
          dojo::tolerance::within(8 * (214 + 14) / 1980.0, machine_code ? 0.1 : 0.25));
  }
}

TEST_CASE(
    "rare operands: a fill before the first kernel takes device time, a small one more than a large one") {
  Kernels k("__global__ void touch(int* p) { p[threadIdx.x] += 1; }");
  const uint64_t p = k.buffer(1 << 20);
  const auto us = [&](uint64_t bytes) {
    k.device->take_launches();
    if (bytes) REQUIRE(k.device->fill(p, 0, bytes, 0, true).ok());
    REQUIRE(k.device->launch(k.spec("touch", {1, 1, 1}, {32, 1, 1}, p)).ok());
    REQUIRE(k.device->synchronize().ok());
    return k.device->device_time().value;
  };
  us(1 << 20);
  const double alone = us(0);
  CHECK(us(256) - alone == dojo::tolerance::within(2.1));  // assets/recordings/h100-fills.txt: 2.0 to 2.3
  CHECK(us(8192) - alone == dojo::tolerance::within(0.94, 0.12));  // as an empty kernel
}
