#pragma once
// A device and an engine without GPU, compiler or interpreter, for tests of the runner: "compiling" keeps the
// text, and calling the entry looks in the text for words that say what to do.
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "core/device.hpp"
#include "core/error.hpp"
#include "core/problem.hpp"
#include "run/engine.hpp"

namespace dojo::test {

class FakeDevice : public Device {
 public:
  explicit FakeDevice(std::string name) {
    info_.name = std::move(name);
    info_.model_version = "fake";
    info_.sms = 4;
    if (info_.name == "fake:gpu") info_.kind = DeviceKind::cuda;
    info_.peak_gbps = 100;
  }
  const DeviceInfo& info() const override { return info_; }
  AddressSpace& memory() override { return memory_; }
  void set_control(const RunControl& c) override { control = c; }
  void load(std::shared_ptr<const ptx::Module>, const Assembled&) override {}
  uint64_t symbol(const std::string&, uint64_t*) override { return 0; }
  CudaStatus allocate(uint64_t* a, uint64_t bytes, Owner o, std::string name, SourceLoc w) override {
    Region* r = memory_.allocate(bytes, o, std::move(name), std::move(w));
    if (!r) return {cuda_error::memory_allocation};
    *a = r->base;
    return {};
  }
  CudaStatus release(uint64_t a, SourceLoc w) override { return {memory_.release(a, w) ? 0 : 1}; }
  CudaStatus copy(uint64_t, uint64_t, uint64_t, uint64_t, bool) override { return {}; }
  CudaStatus fill_box(const FillBox&, uint32_t, uint64_t, bool) override { return {}; }
  KernelResources kernel_resources(const std::string&) override { return {}; }
  int max_active_blocks(const std::string&, uint32_t, uint32_t) override { return 1; }
  CudaStatus allow_dynamic_smem(const std::string&, int) override { return {}; }
  CudaStatus launch(const LaunchSpec&) override { return {}; }
  uint64_t create_stream(int, bool) override { return 1; }
  CudaStatus destroy_stream(uint64_t) override { return {}; }
  uint64_t create_event() override { return 1; }
  CudaStatus record_event(uint64_t, uint64_t) override { return {}; }
  CudaStatus wait_event(uint64_t, uint64_t) override { return {}; }
  CudaStatus elapsed(float* ms, uint64_t, uint64_t) override {
    *ms = 0;
    return {};
  }
  CudaStatus synchronize() override { return {}; }
  CudaStatus synchronize_stream(uint64_t) override { return {}; }
  void set_printer(std::function<void(std::string_view)>) override {}
  std::vector<LaunchReport> take_launches() override { return std::exchange(launches, {}); }
  std::vector<Diagnostic> take_findings() override { return std::exchange(findings, {}); }
  Timing device_time() const override { return {time_us, time_us, time_us, 1, Source::modelled}; }
  bool last_writer(uint64_t, Dim3* b, Dim3* t) override {
    *b = {2, 0, 0};
    *t = {7, 0, 0};
    return true;
  }
  void cold_caches() override { ++cold; }

  RunControl control;
  std::vector<LaunchReport> launches;
  double time_us = 10;
  std::vector<Diagnostic> findings;
  int cold = 0;

 private:
  DeviceInfo info_;
  AddressSpace memory_{uint64_t(1) << 30};
};

inline int executions = 0;  ///< entries called, by all fake programs

class FakeProgram : public run::Program {
 public:
  FakeProgram(std::string text, FakeDevice& d) : text_(std::move(text)), device_(d) {}
  bool has(const char* word) const { return text_.find(word) != std::string::npos; }

  /// entry(const float* in, float* out, int n): out = 2 * in, unless the text says otherwise.
  std::vector<std::byte> call(const std::string& entry,
                              std::span<const std::vector<std::byte>> args) override {
    ++executions;
    if (has("NO_ENTRY")) throw Error("there is no host function '" + entry + "'");
    uint64_t in, out;
    std::memcpy(&in, args[0].data(), 8);
    std::memcpy(&out, args[1].data(), 8);
    int n;
    std::memcpy(&n, args[2].data(), 4);
    auto* x = reinterpret_cast<float*>(device_.memory().at(in, uint64_t(n) * 4));
    auto* y = reinterpret_cast<float*>(device_.memory().at(out, uint64_t(n) * 4));
    for (int i = 0; i < n; ++i) y[i] = has("WRONG") && i == 3 ? 1e9f : 2 * x[i];
    if (has("UNWRITTEN")) std::memset(y, 0xCB, 4);
    if (has("CHANGES") && n) x[0] += 1;
    if (has("FREES")) device_.memory().release(out);
    LaunchReport l;
    l.kernel = "scale";
    l.grid = {uint32_t(n / 32 + 1), 1, 1};
    l.block = {32, 1, 1};
    device_.time_us = has("SLOW") ? 1000 : 10;
    l.time_us = device_.time_us;
    l.counters["smsp__inst_executed.sum"] = has("MANY") ? 1000 : 50;
    device_.launches.push_back(l);
    if (has("LEAK")) note(Severity::warning, FindingKind::leak);
    if (has("RACE")) note(Severity::error, FindingKind::race);
    if (has("ENDLESS")) stop(Status::timeout, FindingKind::timeout);
    if (has("DEADLOCK")) stop(Status::finding, FindingKind::deadlock);
    if (has("ABORT")) std::abort();
    while (has("SLEEP") && !(device_.control.cancelled && device_.control.cancelled()))
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (has("SLEEP")) stop(Status::timeout, FindingKind::timeout);
    if (has("SMALL_ONLY") && n < 10) note(Severity::error, FindingKind::out_of_bounds);
    return {};
  }
  int main(std::span<const std::string> args) override {
    printer_("args " + std::to_string(args.size()) + "\n");
    if (has("RACE")) note(Severity::error, FindingKind::race);
    return has("RETURN5") ? 5 : 0;
  }
  void set_printer(std::function<void(std::string_view)> f) override { printer_ = std::move(f); }
  std::vector<Diagnostic> take_findings() override { return {}; }

 private:
  void note(Severity s, FindingKind kind) {
    Diagnostic& d = device_.findings.emplace_back();
    d.severity = s;
    d.kind = kind;
    d.where = {"f.cu", 4, 2};
    d.message = "Planted.";
  }
  [[noreturn]] static void stop(Status s, FindingKind kind) {
    Diagnostic d;
    d.kind = kind;
    d.where = {"f.cu", 5, 1};
    d.message = "Stopped.";
    throw RunStopped(s, d);
  }
  std::string text_;
  FakeDevice& device_;
  std::function<void(std::string_view)> printer_;
};

/// in, out, n: out must be 2 * in.
struct ScaleProblem : Problem {
  Instance make(const Step&, const Size& size, uint64_t seed) const override {
    const int64_t n = size.at("n");
    if (n > 1000000) throw Error("n is at most 1000000 here");
    Random random(seed);
    Instance i;
    i.buffers.resize(2);
    i.buffers[0].name = "in";
    i.buffers[1].name = "out";
    i.buffers[1].role = Role::out;
    for (auto& b : i.buffers) b.shape = {n};
    i.buffers[0].data.resize(size_t(n) * 4);
    for (float& x : i.buffers[0].as<float>()) {
      x = random.uniform(-1, 1);
      i.buffers[1].expected.push_back(2.0 * x);
    }
    i.buffers[1].tolerance = {1e-6};
    i.args = {Arg::buf(0), Arg::buf(1), Arg::scalar(int(n))};
    i.ideal_bytes = 8.0 * double(n);
    return i;
  }
};

/// Makes "fake:*" devices, the fake engine and the problem "fake-scale" known.
inline void use_fakes() {
  register_family({"fake", [](auto*) { return std::vector<DeviceInfo>{FakeDevice("fake:one").info()}; },
                   [](const std::string& name) -> std::unique_ptr<Device> {
                     return std::make_unique<FakeDevice>(name);
                   }});
  register_problem("fake-scale", std::make_unique<ScaleProblem>());
  run::engine().compile = [](const CompileRequest& r) {
    Compiled c;
    c.ok = r.source.find("SYNTAX") == std::string::npos;
    c.ptx = r.source;
    if (!c.ok) {
      Diagnostic& d = c.diagnostics.emplace_back();
      d.kind = FindingKind::compile;
      d.where = {r.file, 1, 4};
      d.message = "expected a \";\"";
    }
    return c;
  };
  run::engine().load = [](const Compiled& c, const std::string&, Device& d, const RunControl&) {
    return std::unique_ptr<run::Program>(std::make_unique<FakeProgram>(c.ptx, dynamic_cast<FakeDevice&>(d)));
  };
}

}  // namespace dojo::test
