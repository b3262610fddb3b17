// Prepared labs, reports and devices (fixtures.hpp).
#include "fixtures.hpp"

#include <stdlib.h>

#include <cmath>
#include <fstream>
#include <queue>

namespace dojo::gui::test {

namespace fs = std::filesystem;

namespace {
void put(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}
const char* const kernel = R"(// Sums n floats; bound by shared memory.
__global__ void sum(const float* in, float* out, int n) {
  extern __shared__ float part[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];  // TODO: no conflicts
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, part[0]);
}

void run(const float* in, float* out, int n) {
  sum<<<(n + 255) / 256, 256, 1024>>>(in, out, n);
}
)";
}  // namespace

void write_labs(const fs::path& root) {
  put(root / "labs/01-demo/lab.toml", R"(name = "demo"
title = "Demo: a lab for tests"
order = 1
[defaults]
device = "simt:h100"
size = { n = 1048576 }
entry = "run"
arch = "compute_75"
[[step]]
file = "1-first.cu"
title = "First steps"
picture = "time"
hints = ["look at the loop", "halve the stride", "s = blockDim.x / 2"]
  [step.prediction]
  question = "How many gates hold?"
  answer = "2"
  explain = "There are two of them."
  [[step.gates]]
  expr = "shared_conflicts == 0"
  words = "Threads of a warp still meet in the same bank."
  [[step.published]]
  what = "published"
  value = "1.24 ms at 2^25"
  gpu = "A5000"
  source = "course notes"
  time_us = 60
  size = { n = 1048576 }
[[step]]
file = "2-second.cu"
title = "The second step, with a title that is rather long"
picture = "timeline"
)");
  put(root / "labs/01-demo/brief.md", "# Demo\nA lab for tests.\n");
  put(root / "labs/01-demo/1-first.md",
      "# First steps\n\nThis kernel takes **{{time_us}} µs** with `shared_conflicts` = "
      "{{shared_conflicts}}.\n\n- one thing\n- another, with `code`\n\n"
      "| tier | time |\n|---|---:|\n| first | 12 |\n| second | 8 |\n\n```\nbank 0 1 2 3\n     x . x "
      ".\n```\n");
  put(root / "labs/01-demo/2-second.md", "Now the same again.\n");
  put(root / "labs/02-other/lab.toml",
      "name = \"other\"\ntitle = \"Other\"\norder = 2\n[defaults]\ndevice = \"simt:h100\"\nsize = { n = 1024 "
      "}\nentry = \"run\"\narch = \"compute_75\"\n[[step]]\nfile = \"1-only.cu\"\ntitle = \"The only "
      "one\"\npicture = \"roofline\"\n");
  put(root / "labs/02-other/brief.md", "Other.\n");
  put(root / "labs/02-other/1-only.md", "Only.\n");
  for (const char* f : {"01-demo/1-first.cu", "01-demo/2-second.cu", "02-other/1-only.cu"}) {
    put(root / "labs" / f, kernel);
    put(root / "reference" / f, kernel);
  }
}

RunReport make_run(const RunShape& s) {
  RunReport r;
  r.who = s.who;
  r.status = s.status;
  r.compile_ms = 31;
  r.wall_ms = 84;
  LaunchReport l;
  l.kernel = "sum";
  l.grid = {uint32_t(s.blocks), 1, 1};
  l.block = {256, 1, 1};
  l.registers = 16;
  l.dynamic_smem = 1024;
  l.blocks_per_sm = s.per_sm;
  l.occupancy = std::min(1.0, s.per_sm * 8 / 64.0);
  l.occupancy_limiter = "warps";
  double capacity = double(s.sms) * s.per_sm;
  l.waves = double(s.blocks) / capacity;
  l.wave_utilization = double(s.blocks) / (std::ceil(l.waves) * capacity);
  // Each slot of an SM takes the next block when it is free.
  using Slot = std::pair<double, int>;
  std::priority_queue<Slot, std::vector<Slot>, std::greater<>> free;
  for (int k = 0; k < s.per_sm; ++k)
    for (int sm = 0; sm < s.sms; ++sm) free.push({0.0, sm});
  uint64_t state = 7;
  double end = 0, busy = 0;
  for (int64_t b = 0; b < s.blocks; ++b) {
    auto [at, sm] = free.top();
    free.pop();
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    double length = s.block_us * (0.92 + 0.16 * double(state >> 40) / double(1 << 24));
    l.blocks.push_back({uint64_t(b), sm, at, at + length, {}});
    free.push({at + length, sm});
    end = std::max(end, at + length);
    busy += length;
  }
  l.time_us = end;
  l.tail_idle = 1 - busy / (end * s.sms * s.per_sm);
  bool conflicts = s.who == "student" && s.status != Status::pass;
  auto blocks = double(s.blocks);
  l.counters = {
      {"smsp__inst_executed.sum", 800 * blocks},
      {"smsp__thread_inst_executed_per_inst_executed.ratio", 31.7},
      {"smsp__thread_inst_executed_pred_on_per_inst_executed.ratio", conflicts ? 19.5 : 25.7},
      {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 8 * blocks},
      {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 32 * blocks},
      {"smsp__inst_executed_op_shared_ld.sum", 25 * blocks},
      {"smsp__inst_executed_op_shared_st.sum", 20 * blocks},
      {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", (conflicts ? 95 : 25) * blocks},
      {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", (conflicts ? 55 : 20) * blocks},
      {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", conflicts ? 70 * blocks : 0},
      {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", conflicts ? 35 * blocks : 0},
      {"sm__warps_active.avg.pct_of_peak_sustained_active", 85.2},
      {"dram__bytes_read.sum", 1024 * blocks},
      {"smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", conflicts ? 4.1 : 6.2},
      {"smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio", conflicts ? 7.5 : 1.9},
      {"smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio", 3.3},
      {"smsp__average_warps_issue_stalled_wait_per_issue_active.ratio", 1.2}};
  l.bounds = {{"dram", 0.7 * end},
              {"shared", (conflicts ? 0.95 : 0.3) * end},
              {"issue", 0.5 * end},
              {"latency", 0.4 * end},
              {"alu", 0.2 * end}};
  auto line = [&](int n, Counters c) { l.lines.push_back({s.file, n, std::move(c)}); };
  line(4, {{"smsp__inst_executed.sum", 40 * blocks}});
  line(5, {{"smsp__inst_executed.sum", 96 * blocks},
           {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 8 * blocks},
           {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 32 * blocks},
           {"smsp__inst_executed_op_shared_st.sum", 8 * blocks},
           {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 8 * blocks}});
  line(6, {{"smsp__inst_executed.sum", 8 * blocks}});
  line(7, {{"smsp__inst_executed.sum", 210 * blocks}});
  line(8, {{"smsp__inst_executed.sum", 390 * blocks},
           {"smsp__inst_executed_op_shared_ld.sum", 25 * blocks},
           {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", (conflicts ? 95 : 25) * blocks},
           {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", conflicts ? 70 * blocks : 0}});
  line(9, {{"smsp__inst_executed.sum", 48 * blocks}});
  line(11, {{"smsp__inst_executed.sum", 8 * blocks}});
  // A copy up, the kernel, a copy down, and the host that waits for them.
  const auto span = [&](WorkSpan::Kind kind, const char* label, double from, double to) {
    WorkSpan w;
    w.kind = kind, w.label = label, w.start_us = from * end, w.end_us = to * end;
    if (kind == WorkSpan::Kind::up || kind == WorkSpan::Kind::down) w.bytes = 512 * double(s.blocks);
    w.stream = 1;
    r.timeline.push_back(std::move(w));
  };
  span(WorkSpan::Kind::up, "host to device", 0, 0.5);
  span(WorkSpan::Kind::kernel, "sum", 0.5, 1.5);
  span(WorkSpan::Kind::down, "device to host", 1.2, 1.8);
  span(WorkSpan::Kind::host, "wait", 0.1, 1.9);
  r.end_to_end_us = 1.9 * end;
  r.time_us = {end, end, end, 1, Source::modelled};
  r.bytes = 1024 * blocks;
  r.gbps = r.bytes / end / 1e3;
  r.flops = 256 * blocks;
  r.gflops = r.flops / end / 1e3;
  r.pct_of_peak_bandwidth = 100 * r.gbps / 3352;
  r.check = {true, 1e-4, 1e-6, 1e-2, "n·2^-24·sum|x|: worst case of n float additions in any order.", 0, {}};
  r.gates = {{"shared_conflicts == 0", conflicts ? 105 * blocks : 0, 0, "==", !conflicts,
              "Threads of a warp still meet in the same bank."},
             {"instructions <= 0.56 * reference(previous)", 800 * blocks, 900 * blocks, "<=", true,
              "Too many instructions."}};
  if (s.status == Status::wrong) {
    r.check.wrong = 12;
    r.check.max_abs = 3.5;
    for (int k = 0; k < 4; ++k)
      r.check.mismatches.push_back(
          {"out", k * 31, 1.25 + k, 2.5 + k, Dim3{uint32_t(k), 0, 0}, Dim3{0, 0, 0}});
    r.gates.clear();
  }
  if (s.status == Status::finding) {
    Diagnostic d;
    d.kind = FindingKind::race;
    d.where = {s.file, 8, 31};
    d.message =
        "Two threads of a block touch part[1] without a barrier between them: one writes, the other reads. "
        "Add __syncthreads() between the two.";
    d.kernel = "sum";
    d.block = Dim3{3, 0, 0};
    d.thread = Dim3{1, 0, 0};
    Related other;
    other.where.file = s.file;
    other.where.line = 5;
    other.message = "The other access is here.";
    other.block = Dim3{3, 0, 0};
    other.thread = Dim3{129, 0, 0};
    d.related.push_back(other);
    r.diagnostics.push_back(d);
    r.gates.clear();
  }
  if (s.status == Status::compile_error) {
    Diagnostic d;
    d.kind = FindingKind::compile;
    d.where = {s.file, 4, 7};
    d.message = "identifier \"blokIdx\" is undefined";
    r.diagnostics.push_back(d);
    r.gates.clear();
    r.time_us = {};
    r.gbps = 0;
    l = {};
  }
  if (!l.kernel.empty()) r.launches.push_back(std::move(l));
  return r;
}

Report make_report(const std::string& step, const RunShape& student, const RunShape& reference) {
  Report r;
  r.step = step;
  r.size = {{"n", 1048576}};
  r.device = {
      "simt:h100", DeviceKind::simt, "NVIDIA H100 80GB HBM3", student.sms, 3352, 66900, 1980, "model 1", ""};
  for (RunShape s : {student, reference}) {
    s.file = step.substr(step.find('/') + 1) + ".cu";
    r.runs.push_back(make_run(s));
  }
  return r;
}

std::vector<DeviceInfo> make_devices() {
  std::vector<DeviceInfo> out(3);
  out[0].name = "simt:h100";
  out[0].title = "NVIDIA H100 80GB HBM3";
  out[1].name = "simt:a5000";
  out[1].title = "NVIDIA RTX A5000";
  out[1].sms = 64;
  out[1].peak_gbps = 768;
  out[1].peak_gflops = 27800;
  out[2].name = "simt:toy4";
  out[2].title = "A toy with 4 SMs";
  out[2].sms = 4;
  return out;
}

}  // namespace dojo::gui::test
