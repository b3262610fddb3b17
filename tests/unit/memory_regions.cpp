#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"

using namespace dojo;

TEST_CASE("regions are aligned, guarded, found by any address inside and by none outside") {
  AddressSpace space;
  Region* a = space.allocate(100, Owner::device, "a");
  Region* b = space.allocate(4096, Owner::device, "b");
  Region* h = space.allocate(64, Owner::host_heap, "h");
  REQUIRE(a);
  CHECK(a->base == AddressSpace::device_base);
  CHECK(h->base == AddressSpace::host_base);
  CHECK(a->base % AddressSpace::align == 0);
  CHECK(b->base >= a->base + 100 + AddressSpace::guard);
  CHECK(space.find(a->base + 99) == a);
  CHECK(space.find(a->base + 100) == nullptr);
  CHECK(space.find(b->base) == b);
  CHECK(space.at(b->base + 4092, 4) == b->data + 4092);
  CHECK(space.at(b->base + 4093, 4) == nullptr);
  CHECK(space.at(b->base, ~uint64_t(0)) == nullptr);
  CHECK(space.regions().front().get() == h);
  CHECK(space.live_bytes() == 100 + 4096 + 64);
}

TEST_CASE("addresses repeat from run to run and are never reused within one") {
  uint64_t first = 0;
  for (int run = 0; run < 2; ++run) {
    AddressSpace space;
    Region* a = space.allocate(1 << 20, Owner::device);
    const uint64_t base = a->base;
    CHECK(space.release(base));
    CHECK_FALSE(space.release(base));
    Region* b = space.allocate(1 << 20, Owner::device);
    CHECK(b->base != base);
    CHECK(space.find(base) == a);
    CHECK(a->freed);
    CHECK(space.at(base, 4) == nullptr);
    if (run == 0)
      first = b->base;
    else
      CHECK(b->base == first);
  }
}

TEST_CASE("release needs the start of a live region and gives its bytes back to the limit") {
  AddressSpace space(1000);
  Region* a = space.allocate(900, Owner::device);
  REQUIRE(a);
  CHECK(space.allocate(101, Owner::device) == nullptr);
  CHECK_FALSE(space.release(a->base + 4));
  CHECK(space.release(a->base));
  CHECK(space.allocate(1000, Owner::device) != nullptr);
  CHECK(space.allocate(~uint64_t(0), Owner::device) == nullptr);
}

TEST_CASE("releasing a region leaves its neighbours' bytes alone") {
  AddressSpace space;
  Region* a = space.allocate(5000, Owner::device);
  Region* b = space.allocate(5000, Owner::device);
  Region* c = space.allocate(5000, Owner::device);
  std::memset(a->data, 1, 5000);
  std::memset(b->data, 2, 5000);
  std::memset(c->data, 3, 5000);
  space.release(b->base);
  CHECK(a->data[4999] == std::byte{1});
  CHECK(c->data[0] == std::byte{3});
}

TEST_CASE("an address is described by the nearest allocation") {
  AddressSpace space;
  Region* a = space.allocate(4096, Owner::device, "in");
  CHECK(space.describe(a->base + 16) == "in + 16");
  CHECK(space.describe(a->base + 4096) == "in + 4096 (just past its end)");
  CHECK(space.describe(a->base + 4108) == "in + 4108 (12 bytes past its end)");
  CHECK(space.describe(a->base - 1) == "in - 1 (1 byte before its start)");
  CHECK(space.describe(0) == "0x0 (a null pointer)");
  CHECK(space.describe(uint64_t(1) << 60) == "0x1000000000000000 (no allocation)");
  space.release(a->base, {"x.cu", 7, 0});
  CHECK(space.describe(a->base + 16) == "in + 16 (freed at x.cu:7)");
}

TEST_CASE("an adopted region replaces a freed one at the same address") {
  AddressSpace space;
  Region* a = space.adopt(0x7f0000000000, 4096, Owner::device, "old");
  CHECK(space.at(a->base, 4) == nullptr);
  CHECK(space.release(0x7f0000000000));
  Region* b = space.adopt(0x7f0000000000, 8192, Owner::device, "new");
  CHECK(space.find(0x7f0000000000) == b);
  CHECK(space.find(0x7f0000000000 + 5000) == b);
}

TEST_CASE(
    "a driver's memory that the host can access keeps its bytes when it is freed, and its address is "
    "reused") {
  AddressSpace space;
  std::vector<std::byte> bytes(1 << 16, std::byte(7));
  const uint64_t base = reinterpret_cast<uint64_t>(bytes.data());
  space.adopt(base, bytes.size(), Owner::managed, "old")->data = bytes.data();
  CHECK(space.at(base + 4, 4) == bytes.data() + 4);
  CHECK(space.release(base));
  CHECK(std::count(bytes.begin(), bytes.end(), std::byte(7)) == 1 << 16);
  CHECK(space.at(base, 4) == nullptr);
  Region* next = space.adopt(base + 256, 512, Owner::managed, "new");
  CHECK(space.find(base + 300) == next);
  CHECK(space.find(base) == nullptr);
}

TEST_CASE("half and bfloat16 conversions agree with their definitions") {
  for (uint32_t h = 0; h < 65536; ++h) {
    const float f = half_to_float(uint16_t(h));
    if (std::isnan(f)) {
      CHECK((h & 0x7C00) == 0x7C00);
      CHECK(std::isnan(half_to_float(float_to_half(f))));
    } else if (float_to_half(f) != h) {
      FAIL_CHECK("half " << h << " does not survive");
    }
    const float b = bf16_to_float(uint16_t(h));
    if (!std::isnan(b) && float_to_bf16(b) != h) FAIL_CHECK("bf16 " << h << " does not survive");
  }
  CHECK(float_to_half(65519.0f) == 0x7BFF);
  CHECK(float_to_half(65520.0f) == 0x7C00);  // the tie rounds to the even infinity
  CHECK(float_to_half(1.0f + 0x1p-11f) == 0x3C00);
  CHECK(float_to_half(1.0f + 3 * 0x1p-11f) == 0x3C02);
  CHECK(float_to_half(0x1p-25f) == 0);  // a tie with zero
  CHECK(float_to_half(0x1.000002p-25f) == 1);
  CHECK(float_to_half(-0x1.ffep-15f) == 0x8400);
  CHECK(float_to_bf16(1.0f + 0x1p-8f) == 0x3F80);
  CHECK(std::isnan(bf16_to_float(float_to_bf16(std::numeric_limits<float>::quiet_NaN()))));
}

TEST_CASE("an unknown device is named with those there are") {
  CHECK_THROWS_AS(open_device("none:such"), Error);
  CHECK(std::string(cuda_error_name(9)) == "cudaErrorInvalidConfiguration");
  CHECK(std::string(cuda_error_text(2)) == "out of memory");
}
