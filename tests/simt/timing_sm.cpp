#include <doctest/doctest.h>

#include <chrono>

#include "../near.hpp"
#include "simt/time/memory.hpp"
#include "simt/time/model.hpp"
#include "simt/time/sample.hpp"
#include "simt/time/sm.hpp"

using namespace dojo;
using namespace dojo::simt;
using ptx::Pipe;

namespace {

/// A kernel of one basic block with one PTX instruction an operation, made by hand.
struct Hand {
  ptx::Module module;
  std::shared_ptr<ptx::CodeShape> shape = std::make_shared<ptx::CodeShape>();
  std::vector<MemoryEvent> events;
  std::vector<BlockTrace> blocks;

  explicit Hand(bool estimated = false) {
    ptx::Function f;
    f.name = f.demangled = "k";
    f.kernel = f.defined = true;
    f.blocks.resize(1);
    module.functions.push_back(f);
    shape->estimated = estimated;
    shape->blocks.resize(1);
  }
  ptx::ShapeOp& op(Pipe pipe, int stall = 1, const char* opcode = "add") {
    ptx::Instruction i;
    i.opcode = opcode;
    i.parts = {opcode, "sync"};
    i.meaning = ptx::meaning_of(i);
    auto& code = module.functions[0].code;
    code.push_back(i);
    module.functions[0].blocks[0].last = uint32_t(code.size()) - 1;
    ptx::ShapeOp o;
    o.pipe = pipe;
    o.stall = uint8_t(stall);
    o.ptx = int32_t(code.size()) - 1;
    shape->blocks[0].ops.push_back(o);
    return shape->blocks[0].ops.back();
  }
  ptx::ShapeOp& shared(int wavefronts, int board) {
    ptx::ShapeOp& o = op(Pipe::lsu, 1, "ld");
    o.load = true;
    o.space = ptx::Space::shared;
    o.memory = o.ptx;
    o.write_barrier = uint8_t(board);
    events.push_back({uint32_t(o.ptx), 32, uint16_t(wavefronts)});
    return o;
  }
  ptx::ShapeOp& global(int sectors, int l1, int l2, int board) {
    ptx::ShapeOp& o = op(Pipe::lsu, 1, "ld");
    o.load = true;
    o.space = ptx::Space::global;
    o.memory = o.ptx;
    o.write_barrier = uint8_t(board);
    events.push_back({uint32_t(o.ptx), 32, uint16_t((sectors + 3) / 4), uint16_t(sectors), 0, 0, uint16_t(l1),
                      uint16_t(l2)});
    return o;
  }
  SmResult run(int warps, int resident, int count, const char* device = "h100", int visits = 1) {
    BlockTrace b;
    WarpTrace w;
    for (int v = 0; v < visits; ++v) {
      w.steps.push_back({0, 0, ~0u, uint32_t(events.size())});
      w.events.insert(w.events.end(), events.begin(), events.end());
    }
    b.warps.assign(size_t(warps), w);
    blocks.assign(size_t(count), b);
    LaunchTrace launch;
    launch.shape = shape;
    ShapeTable shapes(module, 0, launch);
    SmInputs in;
    in.model = &device_model(device);
    in.shapes = &shapes;
    for (const auto& x : blocks) in.blocks.push_back(&x);
    in.resident = resident;
    in.active_sms = in.model->info.sms;
    return simulate_sm(in);
  }
};

}  // namespace

TEST_CASE("one warp of independent operations issues one a cycle, or as its pipe allows") {
  Hand fma;
  for (int i = 0; i < 100; ++i) fma.op(Pipe::fma);
  CHECK(fma.run(1, 1, 1).end == dojo::tolerance::within(100, 0.03));
  Hand alu;
  for (int i = 0; i < 100; ++i) alu.op(Pipe::alu);
  CHECK(alu.run(1, 1, 1).end == dojo::tolerance::within(200, 0.03));
  Hand xu;
  for (int i = 0; i < 100; ++i) xu.op(Pipe::xu);
  CHECK(xu.run(4, 1, 1).end == dojo::tolerance::within(800, 0.03));
}

TEST_CASE("four schedulers issue four operations a cycle, and fixed stalls are hidden by other warps") {
  Hand h;
  for (int i = 0; i < 100; ++i) h.op(Pipe::fma, 4);
  CHECK(h.run(1, 1, 1).end == dojo::tolerance::within(400, 0.03));
  CHECK(h.run(4, 1, 1).end == dojo::tolerance::within(400, 0.03));
  const SmResult full = h.run(32, 1, 1);  // eight warps a scheduler: issue binds
  CHECK(full.end == dojo::tolerance::within(800, 0.03));
  CHECK(full.issued == 3200);
  CHECK(full.stalls[size_t(Stall::selected)] == 3200);
}

TEST_CASE("a scoreboard holds its reader back for the latency of the memory it comes from") {
  const auto& m = device_model("h100");
  const auto time = [&](auto&& add) {
    Hand h;
    add(h);
    h.op(Pipe::alu).wait_mask = 1;
    return h.run(1, 1, 1).end;
  };
  CHECK(time([](Hand& h) { h.shared(1, 0); }) == dojo::tolerance::within(m.latency.shared_load + 1, 0.1));
  CHECK(time([](Hand& h) { h.shared(32, 0); }) == dojo::tolerance::within(m.latency.shared_load + 32, 0.1));
  CHECK(time([](Hand& h) { h.global(4, 4, 0, 0); }) == dojo::tolerance::within(m.latency.l1 + 1, 0.1));
  CHECK(time([](Hand& h) { h.global(4, 0, 4, 0); }) == dojo::tolerance::within(m.latency.l2_near + 10, 0.1));
  CHECK(time([](Hand& h) { h.global(4, 0, 0, 0); }) ==
        dojo::tolerance::within(m.latency.dram + m.latency.l2_near - m.latency.l2 + 10, 0.1));
}

TEST_CASE("shared memory serves one wavefront per cycle, whichever warp asks") {
  Hand h;
  for (int i = 0; i < 20; ++i) h.shared(32, 0);
  const SmResult r = h.run(32, 1, 1);
  CHECK(r.end == dojo::tolerance::within(32 * 20 * 32, 0.02));
  CHECK(r.stalls[size_t(Stall::mio_throttle)] > r.stalls[size_t(Stall::wait)]);
}

TEST_CASE(
    "sixteen load/store units take two cycles for a warp's addresses, and a wavefront of 64 bytes two more") {
  const auto cycles = [](const char* device, int wavefronts) {
    Hand h;
    for (int i = 0; i < 20; ++i) h.shared(wavefronts, 0);
    const SmResult r = h.run(32, 1, 1, device);
    CHECK(r.lsu_busy == 20 * 32 * int64_t(32 / device_model(device).pipes.lsu));
    return double(r.end) / (20 * 32);
  };
  CHECK(cycles("h100", 1) == dojo::tolerance::within(1, 0.11));
  CHECK(cycles("a5000", 1) == dojo::tolerance::within(2, 0.06));
  CHECK(cycles("a5000", 4) == dojo::tolerance::within(4, 0.05));
  CHECK(cycles("t4", 1) == dojo::tolerance::within(2, 0.06));
  CHECK(cycles("t4", 4) == dojo::tolerance::within(8, 0.05));
}

TEST_CASE(
    "a unit that is asked in advance gives each cycle once, and the first free one from the asked one on") {
  Calendar c;
  CHECK(c.take(1000, 1, 0) == 1000);
  for (int i = 1; i < 32; ++i) CHECK(c.take(1000, 1, 0) <= 1000 + i + 16);
  CHECK(c.take(1000, 1, 0) >= 1024);  // 32 have had the cycles up to about there
  CHECK(c.take(10, 4, 0) == 10);      // who comes earlier is not kept
  CHECK(c.take(496, 40, 0) == 496 + 39);
  CHECK(c.take(1000, 1, 1 << 20) == 1 << 20);  // the past is over
  CHECK(c.take(int64_t(1) << 40, 3, 1 << 20) == int64_t(1) << 40);
}

TEST_CASE("loads that wait for one line get its data one after another") {
  Hand h;
  h.global(4, 0, 0, 0);
  for (int i = 0; i < 15; ++i) h.global(4, 4, 0, 0);
  h.op(Pipe::alu).wait_mask = 1;
  const int64_t one = h.run(1, 1, 1).end;  // DRAM's latency and a little
  CHECK(h.run(16, 1, 1).end >= one + 15 * 16 - 16);
}

TEST_CASE("loads from DRAM run at the SM's share of its bandwidth") {
  Hand h;
  for (int i = 0; i < 8; ++i) h.global(4, 0, 0, i % 6);
  h.op(Pipe::alu).wait_mask = 63;
  const SmResult r = h.run(32, 2, 20);
  const auto& m = device_model("h100");
  const double bytes = 20.0 * 32 * 8 * 128 * m.info.sms;
  const double seconds = double(r.end) / (m.run_mhz * 1e6);
  CHECK(bytes / seconds / 1e9 == dojo::tolerance::within(m.memory.read_gbps, 0.1));
}

TEST_CASE("a barrier lets no warp pass before the last has come") {
  Hand h;
  h.op(Pipe::alu, 1);
  h.op(Pipe::barrier, 1, "bar");
  h.op(Pipe::alu, 1);
  const SmResult r = h.run(8, 1, 1);
  CHECK(r.end >= device_model("h100").latency.barrier);
  CHECK(r.stalls[size_t(Stall::barrier)] > 0);
  CHECK(r.issued == 24);
}

TEST_CASE("estimated shapes wait for their sources instead of control words") {
  Hand h(true);
  for (int i = 0; i < 50; ++i) {
    h.op(Pipe::fma, 0);
    if (i) h.shape->blocks[0].ops.back().sources = {i - 1};
  }
  CHECK(h.run(1, 1, 1).end == dojo::tolerance::within(200, 0.05));
}

TEST_CASE("an estimated shape waits for asynchronous copies where the kernel does, and not before") {
  // Groups that may be left: none, one, or no wait at all (-1).
  const auto cycles = [](int left) {
    Hand h(true);
    const auto cp = [&](std::vector<std::string> parts) -> ptx::ShapeOp& {
      ptx::ShapeOp& op = h.op(Pipe::lsu, 0);
      ptx::Instruction& i = h.module.functions[0].code[size_t(op.ptx)];
      i.parts = std::move(parts);
      i.meaning = ptx::meaning_of(i);
      return op;
    };
    ptx::ShapeOp& copy = cp({"cp", "async", "ca", "shared", "global"});
    copy.load = true;
    copy.space = ptx::Space::global;
    copy.memory = copy.ptx;
    h.events.push_back({uint32_t(copy.ptx), 32, 4});
    h.events.back().sectors = 4;
    cp({"cp", "async", "commit_group"});
    if (left >= 0) {
      ptx::ShapeOp& wait = cp({"cp", "async", "wait_group"});
      ptx::Operand n;
      n.kind = ptx::OperandKind::imm;
      n.value = uint64_t(left);
      h.module.functions[0].code[size_t(wait.ptx)].operands = {n};
    }
    h.op(Pipe::alu, 0);
    return h.run(1, 1, 1).end;
  };
  const int64_t memory = device_model("h100").latency.l2;
  CHECK(cycles(0) > memory);
  CHECK(cycles(1) < memory);
  CHECK(cycles(-1) < memory);
}

TEST_CASE("blocks follow one another in the slots after the turnaround") {
  Hand h;
  for (int i = 0; i < 1000; ++i) h.op(Pipe::fma, 4);
  const SmResult r = h.run(4, 2, 6);
  REQUIRE(r.blocks.size() == 6);
  const auto& m = device_model("h100");
  const double turnaround = m.launch.turnaround_ns * m.run_mhz / 1000;
  CHECK(double(r.blocks[2].start - r.blocks[0].end) == dojo::tolerance::within(turnaround, 0.5));
  CHECK(r.blocks[2].start >= r.blocks[0].end);
}

TEST_CASE("the same inputs give the same cycles, and a sampled launch keeps the SM's pace") {
  Hand h;
  for (int i = 0; i < 6; ++i) h.global(4, 0, 0, i % 6);
  h.op(Pipe::alu).wait_mask = 63;
  for (int i = 0; i < 200; ++i) h.op(Pipe::fma, 4);
  const SmResult a = h.run(8, 8, 32), b = h.run(8, 8, 32);
  CHECK(a.end == b.end);
  CHECK(a.stalls == b.stalls);

  // Ten thousand such blocks, of which fourteen are traced.
  const DeviceModel& m = device_model("h100");
  LaunchNode node;
  node.spec.grid = {10000, 1, 1};
  node.spec.block = {256, 1, 1};
  node.blocks_per_sm = 8;
  LaunchTrace t;
  t.shape = h.shape;
  BlockSummary s;
  s.signature = 1;
  s.warp_instructions = 207 * 8;
  s.global_requests = 48;
  s.global_sectors = s.l2_sectors = s.dram_sectors = 192;
  t.blocks.assign(10000, s);
  t.warp_instructions = 10000 * 207 * 8;
  const auto wanted = blocks_to_trace(m, h.module, {&node, 1});
  for (uint64_t k = 0; k < 10000; ++k)
    if (wanted.traced(0, k)) {
      t.detailed.push_back(h.blocks[0]);
      t.detailed.back().block = k;
    }
  CHECK(t.detailed.size() >= 12);
  CHECK(t.detailed.size() <= 18);
  const auto out = model_time(m, h.module, {&node, 1}, {&t, 1});
  CHECK(out[0].blocks.size() == 10000);
  // The pace of one SM in detail, over all its blocks.
  const SmResult whole = h.run(8, 8, 76);
  CHECK(out[0].end_us - out[0].start_us ==
        dojo::tolerance::within(double(whole.end) / m.run_mhz + m.launch.empty_us, 0.06));
  CHECK(out[0].warps_active_pct > 50);
  CHECK(out[0].warps_active_pct <= 100);
  CHECK(out[0].bounds.at("issue") > 0);
}

TEST_CASE(
    "a block leaves its slot when its stores have left the load/store unit, and the next starts a turnaround "
    "later") {
  const auto& m = device_model("h100");
  Hand plain, store;
  plain.op(Pipe::alu);
  ptx::ShapeOp& o = store.global(4, 0, 4, 7);
  o.load = false;
  o.store = true;
  const SmResult a = plain.run(1, 1, 2), b = store.run(1, 1, 2);
  CHECK(b.blocks[0].end - b.blocks[0].start < 10);
  CHECK(b.stalls[size_t(Stall::drain)] < 10);
  CHECK(b.end < a.end + 10);
  CHECK(b.blocks[1].start - b.blocks[0].end ==
        dojo::tolerance::within(m.launch.turnaround_ns * m.run_mhz / 1e3, 0.01));
}
