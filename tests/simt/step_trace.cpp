// A recorded block holds what it did: every instruction with its lanes, values, addresses and waits.
#include "core/step_trace.hpp"

#include <algorithm>
#include <bit>

#include "core/error.hpp"
#include "device_fixture.hpp"

using namespace dojo;
using dojo::test::Kernels;

namespace {
const char* source = R"(
extern "C" __global__ void k(const float* in, float* out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  float v = s[(t * 2) % 64];
  if (t < 8) v += 100.0f;
  out[blockIdx.x * 64 + t] = v + s[63 - t];
}
)";

/// Runs block `block` of three with a recorder; the trace and whether the run stopped for it.
StepTrace record(const StepTrace& ask, bool* stopped = nullptr) {
  Kernels kernels(source);
  std::vector<float> in(192);
  for (size_t i = 0; i < in.size(); ++i) in[i] = float(i);
  auto trace = std::make_shared<StepTrace>(ask);
  RunControl control = kernels.control;
  control.steps = trace;
  control.timing = false;
  kernels.device->set_control(control);
  const auto spec =
      kernels.spec("k", {3, 1, 1}, {64, 1, 1}, kernels.buffer_of(in, "in"), kernels.buffer(192 * 4, "out"));
  REQUIRE(kernels.device->launch(spec).ok());
  bool stop = false;
  try {
    kernels.device->synchronize();
  } catch (const RunStopped& s) {
    stop = true;
    CHECK(s.why.kind == FindingKind::traced);
  }
  if (stopped) *stopped = stop;
  return std::move(*trace);
}
}  // namespace

TEST_CASE("step trace: every instruction of the block, with lanes, lines, values and addresses") {
  StepTrace ask;
  ask.block = 1;
  bool stopped = false;
  const StepTrace t = record(ask, &stopped);
  CHECK(stopped);
  CHECK(t.reached);
  CHECK(t.ended);
  CHECK(t.kernel == "k");
  CHECK(t.index == Dim3{1, 0, 0});
  CHECK(t.warps == 2);
  CHECK(t.shared_bytes >= 256);
  CHECK(t.executed == t.steps.size());
  int shared_loads = 0, conflicts = 0, barriers = 0;
  for (auto& s : t.steps) {
    const auto& c = t.code[s.code];
    CHECK(c.line >= 2);
    CHECK(c.line <= 10);
    if (s.flags & StepTrace::at_barrier) ++barriers;
    for (uint32_t k = 0; k < s.access_count; ++k) {
      const auto& a = t.accesses[s.access - 1 + k];
      if (a.space == StepTrace::Space::shared && !a.store) {
        ++shared_loads;
        CHECK(s.writes == 1);
        const auto& w = t.writes[s.first_write];
        CHECK(t.registers[w.reg].shown == StepTrace::Shown::float32);
        // What lane l reads is what was loaded from global memory at that place.
        for (uint32_t l = 0; l < 32; ++l) {
          const float v = std::bit_cast<float>(uint32_t(value_of(t, w, l)));
          CHECK(v == float(64 + address_of(t, a, l) / 4));
        }
        if (a.wavefronts > a.fewest_wavefronts) {
          ++conflicts;
          CHECK(c.line == 7);
          CHECK(a.wavefronts == 2);
        }
      }
      if (a.space == StepTrace::Space::global) {
        CHECK(a.sectors == 4);
        CHECK(std::popcount(a.mask) == 32);
      }
    }
  }
  CHECK(shared_loads == 4);
  CHECK(conflicts == 2);
  CHECK(barriers == 2);  // one for each warp, the last to come included
  REQUIRE(t.regions.size() == 2);
  CHECK(t.regions[0].name == "in");
}

TEST_CASE("step trace: waits end in a later epoch, shared memory holds what was stored") {
  StepTrace ask;
  const StepTrace t = record(ask);
  std::vector<uint32_t> shared(t.shared_bytes / 4);
  uint32_t last_epoch = 0;
  bool waited = false;
  for (auto& s : t.steps) {
    CHECK(s.epoch >= last_epoch);
    last_epoch = s.epoch;
    if (s.waiting) {
      waited = true;
      CHECK(s.until > s.epoch);
      CHECK(s.until != ~0u);
    }
    for (uint32_t k = 0; k < s.shared; ++k)
      shared.at(t.shared_writes[s.first_shared + k].word) = t.shared_writes[s.first_shared + k].value;
  }
  CHECK(waited);
  CHECK(last_epoch == 1);
  for (size_t i = 0; i < 64; ++i) CHECK(std::bit_cast<float>(shared[i]) == float(i));
}

TEST_CASE("step trace: a window of the block, an index for the block, a kernel by name") {
  const StepTrace all = record({});
  StepTrace ask;
  ask.skip = 10;
  ask.most = 7;
  ask.by_index = true;
  ask.wanted = {2, 0, 0};
  ask.of_kernel = "k";
  const StepTrace part = record(ask);
  CHECK(part.block == 2);
  CHECK(part.steps.size() == 7);
  CHECK(part.executed == all.executed);
  for (size_t k = 0; k < 7; ++k)
    CHECK(part.code[part.steps[k].code].text == all.code[all.steps[k + 10].code].text);
  ask.of_kernel = "other";
  CHECK_FALSE(record(ask).reached);
}

TEST_CASE("step trace: text and back; text that is cut or made up is refused") {
  const StepTrace t = record({});
  const std::string text = encode_trace(t);
  const StepTrace u = decode_trace(text);
  CHECK(u.kernel == t.kernel);
  CHECK(u.steps.size() == t.steps.size());
  CHECK(u.addresses == t.addresses);
  CHECK(u.values == t.values);
  CHECK(u.code.back().text == t.code.back().text);
  CHECK(encode_trace(u) == text);
  CHECK_THROWS_AS(decode_trace(text.substr(0, text.size() / 2)), Error);
  CHECK_THROWS_AS(decode_trace("?"), Error);
  CHECK_THROWS_AS(decode_trace(""), Error);
}

TEST_CASE("step trace: a finding stands at its step, lanes that part are noted") {
  Kernels kernels(R"(
extern "C" __global__ void k(float* out, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = t;
  float v = 1;
  if (t & 1)
    for (int i = 0; i < t + n; ++i) v = v * 1.5f + __fdividef(v, 3.0f);
  __syncwarp();
  out[t] = v + s[63 - t];
}
)");
  auto trace = std::make_shared<StepTrace>();
  RunControl control = kernels.control;
  control.steps = trace;
  kernels.device->set_control(control);
  REQUIRE(kernels.device->launch(kernels.spec("k", {1, 1, 1}, {64, 1, 1}, kernels.buffer(256), 3)).ok());
  CHECK_THROWS_AS(kernels.device->synchronize(), RunStopped);
  REQUIRE(!trace->notes.empty());
  const auto& n = trace->notes.front();
  CHECK((n.kind == FindingKind::race || n.kind == FindingKind::uninitialized));
  CHECK(n.line == 10);
  REQUIRE(n.step < trace->steps.size());
  CHECK(trace->code[trace->steps[n.step].code].line == 10);
  CHECK(std::any_of(trace->steps.begin(), trace->steps.end(),
                    [](auto& s) { return s.flags & StepTrace::diverged; }));
}
