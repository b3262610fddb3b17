// Registers with the names of the source's variables: from debug information as written, by their values in
// optimised code.
#include "core/steps/step_names.hpp"

#include <algorithm>
#include <set>

#include "device_fixture.hpp"
#include "ptx/lines/source_variables.hpp"

using namespace dojo;

namespace {

const char* named_source = R"(
__device__ float twice(float v) { float w = v * 2; return w; }
extern "C" __global__ void sum(const float* in, float* out, int n) {
  __shared__ float tile[64];
  int t[40];
  float m[4][8];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 40; ++k) t[k] = in[i] > k ? k : -k;
  m[i & 3][i & 7] = 3;
  float acc = 0.5f;
  for (int j = i; j < n; j += 64) acc += twice(in[j]) + t[j % 40];
  tile[threadIdx.x] = acc + m[2][1];
  __syncthreads();
  out[i] = tile[63 - threadIdx.x];
}
)";

std::shared_ptr<const ptx::Module> compiled_sum(bool debug, const std::string& text = named_source) {
  CompileRequest request;
  request.file = "k.cu";
  request.source = text;
  request.debug = debug;
  const Compiled c = compile(request);
  REQUIRE(c.ok);
  return ptx::parse(ptx::strip_host(*ptx::parse(c.ptx, "k.cu")), "k.cu");
}

StepTrace record_sum(bool debug) {
  simt::register_simt();
  auto device = open_device("simt:h100");
  auto trace = std::make_shared<StepTrace>();
  trace->most = 200000;
  RunControl control;
  control.threads = 1;
  control.steps = trace;
  control.timing = false;
  device->set_control(control);
  const auto module = compiled_sum(debug);
  device->load(module, {});
  uint64_t in = 0, out = 0, host = 0;
  const std::vector<float> values(256, 7.25f);
  REQUIRE(device->allocate(&in, 1024, Owner::device, "in", {}).ok());
  REQUIRE(device->allocate(&out, 1024, Owner::device, "out", {}).ok());
  REQUIRE(device->allocate(&host, 1024, Owner::pinned, "staging", {}).ok());
  std::memcpy(device->memory().at(host, 1024), values.data(), 1024);
  REQUIRE(device->copy(in, host, 1024, 0, true).ok());
  LaunchSpec s;
  s.kernel = "sum";
  s.grid = {2, 1, 1};
  s.block = {64, 1, 1};
  s.cluster = {1, 1, 1};
  s.params.resize(20);
  const int n = 256;
  std::memcpy(s.params.data(), &in, 8);
  std::memcpy(s.params.data() + 8, &out, 8);
  std::memcpy(s.params.data() + 16, &n, 4);
  REQUIRE(device->launch(s).ok());
  CHECK_THROWS_AS(device->synchronize(), RunStopped);
  REQUIRE(trace->ended);
  return std::move(*trace);
}

std::set<std::string> variables_of(const StepTrace& t) {
  std::set<std::string> all;
  for (const auto& r : t.registers) all.insert(r.variable);
  return all;
}

const ptx::SourceVariable* find(const std::vector<ptx::SourceVariable>& all, const std::string& name) {
  const auto it = std::find_if(all.begin(), all.end(), [&](auto& v) { return v.name == name; });
  return it == all.end() ? nullptr : &*it;
}

}  // namespace

TEST_CASE("source variables: arrays have extents and places, scalars have registers") {
  const auto m = compiled_sum(true);
  const auto all = ptx::source_variables(*m);
  const auto& of = all.at(m->function_by_name.at("sum"));
  const auto* t = find(of, "t");
  REQUIRE(t);
  CHECK(t->extents == std::vector<uint64_t>{40});
  CHECK(t->element_bytes == 4);
  CHECK(t->symbol.find("__local_depot") == 0);
  const auto* two = find(of, "m");
  REQUIRE(two);
  CHECK(two->extents == std::vector<uint64_t>{4, 8});
  CHECK(ptx::element_of(*two, 4 * 17) == "m[2][1]");
  CHECK(ptx::element_of(*two, 4 * 32) == "m[4][0]");
  CHECK(ptx::element_of(*two, -4) == "m[-1][7]");
  CHECK(ptx::element_of(*two, 6).empty());
  CHECK(ptx::element_of(*t, 160) == "t[40]");
  for (const char* name : {"i", "k", "j", "acc", "n", "in", "out"}) {
    INFO(name);
    const auto* v = find(of, name);
    REQUIRE(v);
    CHECK_FALSE(v->held.empty());
    for (auto& h : v->held) {
      CHECK(h.reg.front() == '%');
      CHECK(h.first <= h.last);
      CHECK(h.last <= m->functions[m->function_by_name.at("sum")].code.size());
    }
  }
}

TEST_CASE("source variables: optimised PTX has none, and neither has text that is cut off") {
  const auto m = compiled_sum(false);
  for (auto& list : ptx::source_variables(*m)) CHECK(list.empty());
  ptx::Module cut = *compiled_sum(true);
  const std::string whole = cut.text;
  for (size_t n = whole.find(".debug_loc"); n < whole.size(); n += 97) {
    cut.text = whole.substr(0, n) + "}";
    CHECK(ptx::source_variables(cut).size() == cut.functions.size());
  }
}

TEST_CASE("step names: as written, registers carry the variables of the debug information") {
  const StepTrace t = record_sum(true);
  const auto all = variables_of(t);
  for (const char* name : {"i", "k", "j", "acc", "n", "in", "out", "v", "w", "threadIdx.x", "blockDim.x"}) {
    INFO(name);
    CHECK(all.count(name));
  }
  // What is named i holds i: 64 threads of block 0.
  for (const auto& s : t.steps)
    for (uint32_t k = 0; k < s.writes; ++k) {
      const auto& w = t.writes[s.first_write + k];
      if (t.registers[w.reg].variable != "i") continue;
      for (uint32_t l = 0; l < 32; ++l) CHECK(value_of(t, w, l) == s.warp * 32u + l);
    }
  CHECK(trace_to_json(t).find("\"variables\":{") != std::string::npos);
  CHECK(decode_trace(encode_trace(t)).registers.back().variable == t.registers.back().variable);
}

TEST_CASE("step names: optimised code gets the names of variables whose values its registers take") {
  StepTrace t = record_sum(false);
  CHECK_FALSE(variables_of(t).count("acc"));
  name_registers(t, record_sum(true));
  const auto all = variables_of(t);
  CHECK(all.count("acc"));
  CHECK(all.count("in"));
  CHECK(all.count("out"));
  CHECK(all.count("j"));
  // Addresses that no variable holds stay without a name.
  CHECK(all.count(""));
  for (const auto& s : t.steps)
    for (uint32_t k = 0; k < s.writes; ++k) {
      const auto& w = t.writes[s.first_write + k];
      if (t.registers[w.reg].variable != "acc") continue;
      CHECK(t.registers[w.reg].shown == StepTrace::Shown::float32);
    }
}

TEST_CASE("step names: two variables with the same values leave a register without a name") {
  StepTrace a = record_sum(false), b = record_sum(true);
  name_registers(a, b);
  REQUIRE(variables_of(a).count("acc"));
  StepTrace again = record_sum(false);
  // A second variable that takes all that acc takes.
  const size_t n = b.registers.size();
  for (size_t r = 0; r < n; ++r)
    if (b.registers[r].variable == "acc") {
      b.registers.push_back(b.registers[r]);
      b.registers.back().variable = "twin";
    }
  std::vector<StepTrace::Write> writes;
  std::vector<StepTrace::Step> steps = b.steps;
  for (auto& s : steps) {
    const uint32_t first = uint32_t(writes.size());
    for (uint32_t k = 0; k < s.writes; ++k) {
      StepTrace::Write w = b.writes[s.first_write + k];
      writes.push_back(w);
      if (w.reg >= n || b.registers[w.reg].variable != "acc") continue;
      size_t twin = n;
      for (size_t r = 0; r < w.reg; ++r) twin += b.registers[r].variable == "acc";
      w.reg = uint32_t(twin);
      writes.push_back(w);
    }
    s.first_write = first;
    s.writes = uint16_t(writes.size() - first);
  }
  b.writes = writes;
  b.steps = steps;
  name_registers(again, b);
  CHECK_FALSE(variables_of(again).count("acc"));
  CHECK_FALSE(variables_of(again).count("twin"));
}
