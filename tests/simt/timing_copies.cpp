// Copies of rows, of arrays and from registered memory: the model against what
// tests/microbench/array_copies.cu, row_copies.cu, fill_rows.cu and pinning.cu measured on an H100.
#include "../near.hpp"
#include "device_fixture.hpp"
#include "microbench.hpp"
#include "recorded.hpp"

using namespace dojo;
using dojo::test::hold;
using dojo::test::Kernels;
using dojo::test::Row;

namespace {

struct Copies : Kernels {
  Copies() : Kernels("__global__ void nothing() {}") {}
  /// `rows` rows of `width` bytes, `gap` bytes apart on both sides.
  CopyBox box(uint64_t width, uint64_t rows, uint64_t gap) const {
    return {{to, width + gap, 0, false}, {from, width + gap, 0, false}, width, rows, 1};
  }
  double us(const CopyBox& b) const {
    device->take_launches();
    REQUIRE(device->copy_box(b, 0, true).ok());
    REQUIRE(device->synchronize().ok());
    return device->device_time().value;
  }
  static constexpr uint64_t most = 80u << 20;
  uint64_t from = buffer(most), to = buffer(most);
};

double end_to_end(Device& d, const std::function<void()>& work) {
  d.synchronize();
  d.take_launches();
  work();
  d.synchronize();
  return d.end_to_end_us();
}

}  // namespace

TEST_CASE("copies into arrays, out of them and of rows take what they take on an H100") {
  Copies k;
  const auto model = [&](const char* what, const char* pattern, uint64_t gap, bool to_array,
                         bool from_array) {
    hold({"h100-array-copies.txt", what}, pattern, [&](const Row& row) {
      CopyBox b = k.box(4 * uint64_t(row.integer("w")), uint64_t(row.integer("h")), gap);
      b.to.array = to_array, b.from.array = from_array;
      return k.us(b);
    });
  };
  model("copies into an array", "{w},{h},{=us},", 0, true, false);
  model("copies out of an array", "{w},{h},{into},{=us},", 0, false, true);
  model("copies of rows", "{w},{h},{into},{out},{=us}", 64, false, false);
}

TEST_CASE("narrow rows cost their time per row, not their bytes") {
  Copies k;
  // h100-row-copies.txt: 65536 rows of 4 to 128 bytes take 14.4 us, whatever their distance.
  for (const uint64_t width : {4, 32, 128})
    CHECK(k.us(k.box(width, 65536, 12)) == dojo::tolerance::within(14.4, 0.05));
  // One call per row of a matrix costs at least the calls.
  CHECK(k.us(k.box(4, 2, 4096)) >= 1.0);
  // 65536 rows of 16 bytes down to pinned memory take 81.7 us; 1 MiB in one row takes 19.
  uint64_t pinned = 0;
  Device& d = *k.device;
  REQUIRE(d.allocate(&pinned, 4 << 20, Owner::pinned, "pinned", {}).ok());
  CopyBox b = k.box(16, 65536, 12);
  b.to.base = pinned;
  const double rows = end_to_end(d, [&] { d.copy_box(b, 0, true); });
  const double plain = end_to_end(d, [&] { d.copy(pinned, k.from, 1 << 20, 0, true); });
  CHECK(rows - plain == dojo::tolerance::within(85.2 - 19.0, 0.05));
}

TEST_CASE("a fill of rows takes its bytes or its rows, whichever takes longer, and is one operation") {
  Copies k;
  Device& d = *k.device;
  const auto fill = [&](const Row& row) -> std::optional<double> {
    const FillBox box{k.to, uint64_t(row.integer("row")), uint64_t(row.integer("w")),
                      uint64_t(row.integer("h"))};
    if (box.span() > Copies::most) return std::nullopt;
    d.take_launches();
    REQUIRE(d.fill_box(box, 0, 0, true).ok());
    REQUIRE(d.synchronize().ok());
    return d.device_time().value;
  };
  hold({"h100-fill-rows.txt", "fills of rows"}, "{w},{h},{row},{=us},", fill);
  // 300 rows: one call of the host, and not 300.
  CHECK(end_to_end(d, [&] { d.fill_box({k.to, 1536, 1024, 300}, 0, 0, true); }) < 20);
}

TEST_CASE("registered memory is copied as pinned memory is, and pinning costs the host its pages") {
  Copies k;
  Device& d = *k.device;
  Region* r = d.memory().allocate(8 << 20, Owner::host_heap, "frame", {});
  const auto up = [&] { return end_to_end(d, [&] { d.copy(k.to, r->base, 4 << 20, 0, true); }); };
  const double pageable = up();
  const double registering = end_to_end(d, [&] { CHECK(d.pin(r->base, 4 << 20).ok()); });
  const double pinned = up();
  const double beyond = end_to_end(d, [&] { d.copy(k.to, r->base + 8, 4 << 20, 0, true); });
  const double undoing = end_to_end(d, [&] { CHECK(d.unpin(r->base).ok()); });
  CHECK(up() == dojo::tolerance::within(pageable, 1e-9));
  CHECK(pinned < pageable / 3);
  CHECK(beyond == dojo::tolerance::within(pageable, 1e-9));  // not all of it is pinned
  CHECK(!d.unpin(r->base).ok());
  // h100-pinning.txt, 4 MiB.
  CHECK(registering == dojo::tolerance::within(173.7, 0.05));
  CHECK(undoing == dojo::tolerance::within(99, 0.1));
  uint64_t address = 0;
  const double allocating =
      end_to_end(d, [&] { CHECK(d.allocate(&address, 16 << 20, Owner::pinned, "pinned", {}).ok()); });
  CHECK(allocating == dojo::tolerance::within(4880, 0.05));
  CHECK(end_to_end(d, [&] { CHECK(d.release(address, {}).ok()); }) == dojo::tolerance::within(1408, 0.05));
}

TEST_CASE("device memory costs the host a call and its size, as beside an H100") {
  Copies k;
  Device& d = *k.device;
  const auto cost = [&](uint64_t bytes, bool freeing) {
    uint64_t address = 0;
    const double allocated =
        end_to_end(d, [&] { CHECK(d.allocate(&address, bytes, Owner::device, "b", {}).ok()); });
    const double freed = end_to_end(d, [&] { CHECK(d.release(address, {}).ok()); });
    return (freeing ? freed : allocated) - end_to_end(d, [] {});
  };
  uint64_t none = 1;
  const double refused =
      end_to_end(d, [&] { CHECK(!d.allocate(&none, ~0ull, Owner::device, "b", {}).ok()); });
  CHECK(refused - end_to_end(d, [] {}) == dojo::tolerance::near(49, 1));
  hold({"h100-mallocs.txt", "cudaMalloc"}, "{bytes},{first},{first_free},{=us},",
       [&](const Row& row) { return cost(uint64_t(row.number("bytes")), false); });
  hold({"h100-mallocs.txt", "cudaFree"}, "{bytes},{first},{first_free},{malloc},{=us},",
       [&](const Row& row) { return cost(uint64_t(row.number("bytes")), true); });
}

TEST_CASE("bulk copies bring their bytes through the L2 and DRAM, and take the time of these") {
  // Each block copies tiles of 16 KiB to shared memory and back by the copy engine.
  const char* source = R"(
__global__ void bulk(const char* in, char* out, int tiles) {
  extern __shared__ __align__(128) char tile[];
  const unsigned to = (unsigned)__cvta_generic_to_shared(tile);
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    if (threadIdx.x == 0) {
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                   "[%0], [%1], 16384, [%2];"
                   ::"r"(to), "l"(in + size_t(t) * 16384), "r"(to + 16384) : "memory");
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 16384;"
                   ::"l"(out + size_t(t) * 16384), "r"(to) : "memory");
    }
    __syncthreads();
  }
})";
  constexpr int tiles = 1056;
  constexpr double bytes = tiles * 16384.0;
  for (const bool machine_code : {true, false}) {
    CAPTURE(machine_code);
    Kernels k(source, "simt:h100", machine_code);
    const uint64_t in = k.buffer(tiles * 16384), out = k.buffer(tiles * 16384);
    REQUIRE(k.device->fill_box({in, tiles * 16384, tiles * 16384, 1}, 1, 0, true).ok());
    REQUIRE(k.device->synchronize().ok());
    k.device->take_launches();
    LaunchSpec s = k.spec("bulk", {132, 1, 1}, {32, 1, 1}, in, out, int(tiles));
    s.dynamic_smem = 16384 + 8;
    const LaunchReport r = k.run(s);
    CHECK(r.counters.at("dojo__lane_bytes_global_op_ld.sum") == dojo::tolerance::near(bytes, 0));
    CHECK(r.counters.at("dojo__lane_bytes_global_op_st.sum") == dojo::tolerance::near(bytes, 0));
    CHECK(r.counters.at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum") == dojo::tolerance::near(0, 0));
    // Not faster than an H100's L2 reads and stores (8.0 and 4.0 TB/s, h100-streams.txt), and not half as
    // fast as its DRAM moves all of it (3.35 TB/s).
    CHECK(r.time_us > bytes / 8.03e6 + bytes / 4e6);
    CHECK(r.time_us < 2 * 2 * bytes / 3.35e6);
  }
}

TEST_CASE("bulk copies that several lanes make go on lane by lane") {
  for (const bool machine_code : {true, false}) {
    CAPTURE(machine_code);
    Kernels k(dojo::test::kernel_source("lane_copies.cu"), "simt:h100", machine_code);
    const uint64_t in = k.buffer(1 << 16), out = k.buffer(4096);
    REQUIRE(k.device->fill_box({in, 1 << 16, 1 << 16, 1}, 1, 0, true).ok());
    const auto run = [&](unsigned lanes, int rounds) {
      LaunchSpec s = k.spec("lane_copies", {1, 1, 1}, {32, 1, 1}, in, out, rounds, lanes, 16u);
      s.dynamic_smem = 32 * 16;
      return k.run(s);
    };
    const auto per_round = [&](unsigned lanes, auto figure) {
      return (figure(run(lanes, 20)) - figure(run(lanes, 10))) / 10;
    };
    const auto instructions = [](const LaunchReport& r) { return r.counters.at("smsp__inst_executed.sum"); };
    // Four copies per round, nine machine instructions per lane each: `hp_feed_by_copier` of tests/zoo
    // executes 15.28 million on an H100, 8.84 million of them elsewhere.
    CHECK(per_round(32, instructions) - per_round(1, instructions) == 4 * 9 * 31);
    CHECK(per_round(8, instructions) - per_round(1, instructions) == 4 * 9 * 7);
    const auto us = [](const LaunchReport& r) { return r.time_us; };
    CHECK(per_round(32, us) > 4 * per_round(2, us));
  }
}

TEST_CASE("bulk copies by lanes, waited for at an mbarrier, take what they take on an H100") {
  Kernels k(dojo::test::kernel_source("lane_copies.cu"), "simt:h100");
  const uint64_t in = k.buffer(96 << 20), out = k.buffer(1 << 20);
  REQUIRE(k.device->fill(in, 0, 96 << 20, 0, true).ok());
  REQUIRE(k.device->allow_dynamic_smem(k.mangled("lane_copies"), 128 << 10).ok());
  hold({"h100-lane-copies.txt", "bulk copies by lanes"},
       "copies {blocks} blocks {warps} warps {lanes} lanes {bytes} bytes {rounds} rounds {=us} us",
       [&](const Row& row) {
         k.device->cold_caches();
         LaunchSpec s = k.spec("lane_copies", {row.count("blocks"), 1, 1}, {32 * row.count("warps"), 1, 1},
                               in, out, row.integer("rounds"), row.count("lanes"), row.count("bytes"));
         s.dynamic_smem = 32 * row.count("warps") * row.count("bytes");
         return k.run(s).time_us;
       });
}

TEST_CASE("a wait at an mbarrier is for the copies that report to it, whatever was first") {
  for (const bool machine_code : {true, false}) {
    CAPTURE(machine_code);
    Kernels k(dojo::test::kernel_source("bulk_orders.cu"), "simt:h100", machine_code);
    constexpr int rounds = 64;
    const uint64_t in = k.buffer(rounds * 4096), out = k.buffer(4);
    REQUIRE(k.device->fill_box({in, rounds * 4096, rounds * 4096, 1}, 1, 0, true).ok());
    const auto time = [&](const char* name) {
      k.device->cold_caches();
      return k.run(k.spec(name, {1, 1, 1}, {1, 1, 1}, in, out, rounds)).time_us;
    };
    const double behind = time("copies_first"), before = time("arrival_first"), ring = time("ring");
    CHECK(before == dojo::tolerance::near(behind, 0.1));
    // Rounds of one copy of 16 bytes take 0.303 us (h100-lane-copies.txt); a ring has three tiles in flight.
    CHECK(behind > rounds * 0.303);
    CHECK(ring < behind / 2);
    CHECK(ring > behind / 6);
  }
}

TEST_CASE("a group of asynchronous copies is waited for, in machine code too, as on an H100") {
  Kernels k(dojo::test::kernel_source("async_copies.cu"), "simt:h100");
  const uint64_t in = k.buffer(264ull * 100 * 4096), out = k.buffer(1 << 20);
  REQUIRE(k.device->fill(in, 0, 264ull * 100 * 4096, 0, true).ok());
  hold({"h100-async-copies.txt", "tiles by cp.async"},
       "async {stages} stages, {blocks} blocks, {rounds} rounds {=us} us", [&](const Row& row) {
         k.device->cold_caches();
         const std::string name = "async_" + std::to_string(row.integer("stages"));
         return k
             .run(k.spec(name.c_str(), {row.count("blocks"), 1, 1}, {256, 1, 1}, in, out,
                         row.integer("rounds")))
             .time_us;
       });
}
