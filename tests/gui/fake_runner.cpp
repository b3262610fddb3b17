// The stand-in for the worker, and what it answers requests for steps and code with (fixtures.hpp).
#include <chrono>
#include <cstring>
#include <fstream>

#include "core/error.hpp"
#include "fixtures.hpp"

namespace dojo::gui::test {

namespace {
double clock_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
}  // namespace

std::shared_ptr<StepTrace> make_trace(bool finding) {
  auto t = std::make_shared<StepTrace>();
  t->reached = t->ended = true;
  t->kernel = "first";
  t->grid = {4096, 1, 1};
  t->threads = {64, 1, 1};
  t->warps = 2;
  t->shared_bytes = t->shared_static = 256;
  t->registers = {{"%f1", StepTrace::Shown::float32},
                  {"%r2", StepTrace::Shown::integer},
                  {"%p1", StepTrace::Shown::predicate}};
  const char* file = "1-first.cu";
  t->code = {{"st.shared.f32 [%r2], %f1", file, "first", 3, {1, 0}, {}, false, false},
             {"bar.sync 0", file, "first", 4, {}, {}, false, true},
             {"ld.shared.f32 %f1, [%r2]", file, "first", 5, {1}, {0}, false, false},
             {"st.global.f32 [%rd1], %f1", file, "first", 6, {0}, {}, false, false}};
  t->regions = {{0x10000, 65536, "out"}};
  auto add = [&](uint32_t code, uint16_t warp, uint32_t epoch) -> StepTrace::Step& {
    StepTrace::Step s;
    s.code = code, s.warp = warp, s.epoch = epoch;
    s.mask = s.live = ~0u;
    s.first_write = uint32_t(t->writes.size());
    s.first_shared = uint32_t(t->shared_writes.size());
    t->steps.push_back(s);
    return t->steps.back();
  };
  auto access = [&](StepTrace::Step& s, StepTrace::Space space, bool store, uint16_t waves, uint16_t sectors,
                    auto address) {
    StepTrace::Access a;
    a.space = space, a.store = store, a.mask = ~0u;
    a.first = uint32_t(t->addresses.size());
    a.wavefronts = waves, a.fewest_wavefronts = 1, a.sectors = sectors;
    for (uint32_t l = 0; l < 32; ++l) t->addresses.push_back(address(l));
    t->accesses.push_back(a);
    s.access = uint32_t(t->accesses.size());
    s.access_count = 1;
  };
  auto bits = [](float f) {
    uint32_t b;
    std::memcpy(&b, &f, 4);
    return b;
  };
  for (uint16_t w = 0; w < 2; ++w) {  // as the machine runs them: each warp up to the barrier
    auto& s = add(0, w, 0);
    access(s, StepTrace::Space::shared, true, 1, 0, [&](uint32_t l) { return uint64_t(w * 128 + l * 4); });
    for (uint32_t l = 0; l < 32; ++l) t->shared_writes.push_back({w * 32u + l, bits(float(w * 32 + l))});
    s.shared = 32;
    auto& b = add(1, w, 0);
    b.waiting = ~0u, b.until = 1, b.flags = StepTrace::at_barrier;
  }
  for (uint16_t w = 0; w < 2; ++w) {
    auto& s = add(2, w, 1);
    access(s, StepTrace::Space::shared, false, 2, 0, [&](uint32_t l) { return uint64_t(l * 8 % 256); });
    StepTrace::Write x;
    x.reg = 0, x.mask = ~0u, x.first = uint32_t(t->values.size());
    for (uint32_t l = 0; l < 32; ++l) t->values.push_back(bits(float(l * 2 % 64)));
    t->writes.push_back(x);
    s.writes = 1;
    auto& g = add(3, w, 1);
    access(g, StepTrace::Space::global, true, 0, w ? 32 : 4,
           [&](uint32_t l) { return uint64_t(0x10000 + l * (w ? 128 : 4)); });
    g.live = 0;
    g.flags = StepTrace::ended_lanes;
  }
  t->executed = t->steps.size();
  if (finding)
    t->notes.push_back({6, 5, 1, 6, FindingKind::race, "Two threads of the block touch the same word."});
  return t;
}

CodeListing make_listing(bool counts) {
  CodeListing c;
  c.file = "labs/01-demo/1-first.cu";
  c.target = "sm_75";
  c.machine = "sm_90";
  c.no_disassembler = "No disassembler is installed, so operands are not shown.";
  CodeListing::Function f;
  f.name = "sum";
  f.mangled = "_Z3sumPKfPfi";
  f.kernel = true;
  f.resources.registers = 16;
  f.resources.estimated = false;
  const struct {
    const char* text;
    int line;
    int64_t executed;
  } ptx[] = {{"mov.u32 %r1, %tid.x", 4, 800},
             {"ld.global.f32 %f1, [%rd1]", 5, 800},
             {"st.shared.f32 [%r2], %f1", 5, 700},
             {"bar.sync 0", 6, 800}};
  for (auto& p : ptx) {
    CodeListing::Instruction i;
    i.text = p.text, i.line = p.line, i.at = uint32_t(f.ptx.size());
    if (i.line == 6) i.label = "$L__BB0_2";
    if (counts) i.executed = p.executed;
    f.ptx.push_back(i);
  }
  const std::pair<const char*, int> sass[] = {{"LDC", 0}, {"LDG.32", 5}, {"BAR", 6}};
  for (auto& [text, line] : sass) {
    CodeListing::Instruction i;
    i.text = text, i.line = line, i.at = uint32_t(16 * f.sass.size());
    f.sass.push_back(i);
  }
  c.functions.push_back(f);
  c.ran = counts;
  return c;
}

void FakeRunner::start(const run::RunRequest& r) {
  if (fail_start) throw Error("the worker can't be started");
  if (busy_) throw Error("busy");
  requests.push_back(r);
  busy_ = true;
  cancelled_ = false;
  waited_ = 0;
  started_ = clock_s();
  events_.clear();
  if (!scripts.empty()) {
    events_ = scripts.front();
    scripts.pop_front();
    return;
  }
  run::WorkerEvent p;
  for (const char* who : {"student", "reference"})
    if (r.who == run::Who::both || (r.who == run::Who::reference) == (who == std::string("reference")))
      for (auto [phase, f] : {std::pair{"compile", 0.5}, {"run", 0.3}, {"run", 0.8}}) {
        p.kind = run::WorkerEvent::progress;
        p.at = {who, phase, f};
        events_.push_back(p);
      }
  run::WorkerEvent e;
  e.kind = run::WorkerEvent::report;
  e.report_ = make_report(r.step, student, reference);
  if (r.who != run::Who::both)
    std::erase_if(e.report_.runs,
                  [&](auto& x) { return (x.who == "reference") != (r.who == run::Who::reference); });
  if (r.code) {
    events_.clear();
    e.code = std::make_shared<CodeListing>(make_listing(r.code_counts));
    e.report_ = {};
  }
  if (r.trace.on) {
    events_.clear();
    if (steps) {
      e.steps = steps;
    } else {
      auto t = make_trace();
      t->block = r.trace.block;
      e.steps = t;
    }
  }
  if (!r.size.empty()) e.report_.size = r.size;
  events_.push_back(e);
}

std::optional<run::WorkerEvent> FakeRunner::poll() {
  if (!busy_) return std::nullopt;
  if (cancelled_) {
    busy_ = false;
    events_.clear();
    run::WorkerEvent e;
    e.kind = run::WorkerEvent::failed;
    e.text = "cancelled";
    return e;
  }
  if (waited_++ < delay) return std::nullopt;
  // One event a look, as from a real worker.
  if ((pause_ = !pause_)) return std::nullopt;
  if (seconds > 0 && !events_.empty() && events_.size() <= 1 && clock_s() - started_ < seconds)
    return std::nullopt;
  if (events_.empty()) {
    busy_ = false;
    return std::nullopt;
  }
  auto e = events_.front();
  events_.pop_front();
  if (e.kind == run::WorkerEvent::report || e.kind == run::WorkerEvent::failed ||
      e.kind == run::WorkerEvent::died)
    busy_ = false;
  if (e.code && !listed.empty()) std::ofstream(listed).put('\n');
  return e;
}

}  // namespace dojo::gui::test
