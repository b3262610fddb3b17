// What runs when on a device that several streams feed (simt/time/engines.hpp).
#include "simt/time/engines.hpp"

#include <doctest/doctest.h>

#include "../near.hpp"

using namespace dojo::simt;
using dojo::tolerance::within;

namespace {

Work kernel(double issued, double us, double slots, std::vector<uint32_t> after = {}, uint32_t batch = 0) {
  Work w;
  w.issued_us = issued, w.us = us, w.slots = slots, w.after = std::move(after), w.batch = batch;
  return w;
}
Work copy(Work::Kind kind, double issued, double us, std::vector<uint32_t> after = {}) {
  Work w;
  w.kind = kind, w.issued_us = issued, w.us = w.link_us = us, w.after = std::move(after);
  return w;
}
constexpr auto up = Work::Kind::up, down = Work::Kind::down;

}  // namespace

TEST_CASE("engines: work starts when it is issued and what it comes after has ended") {
  Engines e;
  const uint32_t a = e.add(kernel(10, 5, 1)), b = e.add(kernel(11, 7, 1, {a}));
  CHECK(e.finish(b) == 22);
  CHECK(e.start_us(a) == 10);
  CHECK(e.end_us(a) == 15);
  CHECK(e.start_us(b) == 15);
  // Time has passed: what comes later starts no earlier.
  CHECK(e.finish(e.add(kernel(0, 1, 1))) == 23);
}

TEST_CASE("engines: a copy runs beside a kernel, and copies of one direction wait for each other") {
  Engines e;
  const uint32_t k = e.add(kernel(0, 100, 1)), a = e.add(copy(up, 0, 30)), b = e.add(copy(up, 1, 30));
  CHECK(e.finish_all() == 100);
  CHECK(e.end_us(k) == 100);
  CHECK(e.end_us(a) == 30);
  CHECK(e.start_us(b) == 30);
  CHECK(e.end_us(b) == 60);
}

TEST_CASE(
    "engines: both directions at once slow each other down, on a device with one engine they take turns") {
  Engines two({2, 0.5, 0}), one({1, 0.5, 0});
  for (Engines* e : {&two, &one}) e->add(copy(up, 0, 10)), e->add(copy(down, 0, 10));
  CHECK(two.finish_all() == within(20.0));
  CHECK(two.end_us(0) == within(20.0));
  CHECK(one.finish_all() == within(20.0));
  CHECK(one.end_us(0) == within(10.0));
  CHECK(one.start_us(1) == within(10.0));
}

TEST_CASE("engines: the copy that is ready first gets the engine, whichever was issued first") {
  Engines e;
  const uint32_t k = e.add(kernel(0, 50, 1)), late = e.add(copy(down, 1, 10, {k})),
                 early = e.add(copy(down, 2, 10));
  e.finish_all();
  CHECK(e.start_us(early) == 2);
  CHECK(e.start_us(late) == 50);
}

TEST_CASE("engines: from a kernel to a copy that waits for it passes the handover, between copies nothing") {
  Engines e({2, 1, 4});
  const uint32_t k = e.add(kernel(0, 10, 1)), a = e.add(copy(down, 0, 5, {k})),
                 b = e.add(copy(down, 0, 5, {a})), c = e.add(kernel(0, 1, 1, {b}));
  e.finish_all();
  CHECK(e.start_us(a) == 14);
  CHECK(e.start_us(b) == 19);
  CHECK(e.start_us(c) == 28);
}

TEST_CASE("engines: kernels of two batches share the SMs: what fits runs together, what doesn't waits") {
  Engines fits, full;
  fits.add(kernel(0, 10, 0.5, {}, 1)), fits.add(kernel(0, 10, 0.5, {}, 2));
  CHECK(fits.finish_all() == within(10.0));
  full.add(kernel(0, 10, 1, {}, 1)), full.add(kernel(0, 10, 1, {}, 2));
  CHECK(full.finish_all() == within(20.0));
  CHECK(full.start_us(1) == within(10.0));
  // Of one batch the schedule of blocks has placed them together already.
  Engines batch;
  batch.add(kernel(0, 10, 1, {}, 1)), batch.add(kernel(0, 10, 1, {}, 1));
  CHECK(batch.finish_all() == within(10.0));
  // A priority goes before age.
  Engines urgent;
  urgent.add(kernel(0, 10, 1, {}, 1));
  Work w = kernel(2, 4, 1, {}, 2);
  w.priority = -1;
  urgent.add(w);
  CHECK(urgent.finish_all() == within(14.0));
  CHECK(urgent.end_us(1) == within(6.0));
}

TEST_CASE("engines: work ends that is shorter than the last digit of a late clock") {
  Engines e;
  e.add(kernel(1e15, 0.04, 1));  // a double of 1e15 has steps of 0.125
  e.add(copy(up, 1e15, 10.68));
  CHECK(e.finish_all() == within(1e15));
  CHECK(e.finished(0));
  CHECK(e.finished(1));
}
