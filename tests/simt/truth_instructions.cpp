// The SIMT machine against a real GPU, instruction by instruction (tests/truth).
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "core/device.hpp"
#include "core/paths.hpp"
#include "instructions.hpp"
#include "simt/device/register.hpp"

using namespace dojo;

namespace {

// Distance in units of the last place between two values of a floating type, NaNs and signs of zero alike.
int64_t distance(const std::string& type, uint64_t a, uint64_t b) {
  auto one = [](uint64_t x, uint64_t y, int bits, int mantissa) -> int64_t {
    const uint64_t sign = uint64_t(1) << (bits - 1), magnitude = sign - 1;
    const uint64_t infinity = magnitude & ~((uint64_t(1) << mantissa) - 1);
    const bool nx = (x & magnitude) > infinity, ny = (y & magnitude) > infinity;
    if (nx || ny) return nx == ny ? 0 : INT64_MAX;
    const int64_t sx = x & sign ? -int64_t(x & magnitude) : int64_t(x & magnitude);
    const int64_t sy = y & sign ? -int64_t(y & magnitude) : int64_t(y & magnitude);
    return std::llabs(sx - sy);
  };
  if (type == "f32") return one(a, b, 32, 23);
  if (type == "f16") return one(a, b, 16, 10);
  if (type == "bf16") return one(a, b, 16, 7);
  if (type == "f64") return one(a, b, 64, 52);
  const int mantissa = type == "f16x2" ? 10 : 7;
  return std::max(one(a & 0xFFFF, b & 0xFFFF, 16, mantissa), one(a >> 16, b >> 16, 16, mantissa));
}

// sin, cos and tanh promise an absolute error on the small arguments used here.
bool close_absolute(uint64_t a, uint64_t b) {
  float x, y;
  const uint32_t i = uint32_t(a), j = uint32_t(b);
  std::memcpy(&x, &i, 4);
  std::memcpy(&y, &j, 4);
  return std::fabs(x - y) <= 0x1p-10f;
}

// lg2.approx: near 1, where the result is near 0, the error is absolute: 2^-22 (PTX ISA, lg2).
bool near_zero(uint64_t a, uint64_t b) {
  float x, y;
  const uint32_t i = uint32_t(a), j = uint32_t(b);
  std::memcpy(&x, &i, 4);
  std::memcpy(&y, &j, 4);
  return std::fabs(x) < 1 && std::fabs(x - y) <= 0x1p-22f;
}

}  // namespace

namespace {

size_t check_set(int set, const char* file) {
  simt::register_simt();
  const auto recording = truth::load_recording((source_root() / "tests/truth" / file).string());
  std::vector<std::string> failed;
  const auto words = truth::run_all("simt:h100", &failed, set);
  const auto& ops = truth::instructions(set);
  CHECK(words.size() == ops.size() * truth::kInputs);
  for (const auto& f : failed) FAIL_CHECK(f);
  size_t checked = 0, wrong = 0;
  for (size_t i = 0; i < ops.size(); ++i) {
    const uint64_t* expected = recording.find(ops[i].text);
    if (!expected) {
      FAIL_CHECK("not recorded: " << ops[i].text);
      continue;
    }
    ++checked;
    int bad = 0;
    std::string first;
    for (int k = 0; k < truth::kInputs; ++k) {
      const uint64_t got = words[i * truth::kInputs + size_t(k)];
      const bool good = ops[i].ulp == 0           ? got == expected[k]
                        : ops[i].ulp >= (1 << 10) ? close_absolute(got, expected[k])
                        : ops[i].text.find("approx.ftz.f64") != std::string::npos
                            ? distance("f64", got >> 32 << 32, expected[k] >> 32 << 32) <= int64_t(1) << 32
                        : ops[i].text.starts_with("lg2") && near_zero(got, expected[k])
                            ? true
                            : distance(ops[i].result, got, expected[k]) <= ops[i].ulp;
      if (good) continue;
      if (bad++ == 0) {
        const auto in = truth::inputs_of(ops[i], i);
        first = fmt::format("thread {}:", k);
        for (size_t s = 0; s < ops[i].sources.size(); ++s)
          first += fmt::format(" {:#x}", in[size_t(k) * ops[i].sources.size() + s]);
        first += fmt::format(" -> {:#x}, H100 {:#x}", got, expected[k]);
      }
    }
    if (bad) {
      ++wrong;
      FAIL_CHECK(ops[i].text << ": " << bad << " of " << truth::kInputs << " differ; " << first);
    }
  }
  MESSAGE(checked << " instructions checked, " << wrong << " differ");
  return checked;
}

}  // namespace

TEST_CASE("every recorded instruction gives the bits that an H100 gives") {
  CHECK(check_set(1, "instructions.bin") >= 890);
  CHECK(check_set(2, "instructions2.bin") >= 477);
}
