// The hand-off to Nsight Compute: its table is read, recordings keep it, and comparing finds what differs.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "../near.hpp"
#include "../temp_folder.hpp"
#include "core/error.hpp"
#include "core/labs/lab.hpp"
#include "run/audits/counter_check.hpp"
#include "run/engine.hpp"
#include "run/profile/profile.hpp"
#include "run/runner.hpp"

using namespace dojo;
using namespace dojo::run;

namespace {

const char* table =
    "==PROF== Connected to process 77\n"
    "==PROF== Profiling \"scale\" - 0: 0%....100% - 3 passes\n"
    "\"ID\",\"Process ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"smsp__inst_executed.sum\","
    "\"dram__bytes_read.sum\",\"lts__t_sector_hit_rate.pct\"\n"
    "\"\",\"\",\"\",\"\",\"\",\"inst\",\"byte\",\"%\"\n"
    "\"0\",\"77\",\"void space::scale<float, (int)4>(float *, \"\"odd\"\" int)\",\"(256, 1, 1)\",\"(64, 2, "
    "1)\","
    "\"1,024\",\"65,536\",\"12.5\"\n"
    "\"1\",\"77\",\"last(int)\",\"(32, 1, 1)\",\"(1, 1, 1)\",\"7\",\"0\",\"n/a\"\n";

}  // namespace

TEST_CASE("ncu's raw page is read: names, sizes, numbers with separators; what is n/a is left out") {
  const auto kernels = parse_ncu_csv(table);
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].kernel == "scale");
  CHECK(kernels[0].grid.x == 64);
  CHECK(kernels[0].grid.y == 2);
  CHECK(kernels[0].block.x == 256);
  CHECK(kernels[0].counters.at("smsp__inst_executed.sum") == 1024);
  CHECK(kernels[0].counters.at("dram__bytes_read.sum") == 65536);
  CHECK(kernels[0].counters.at("lts__t_sector_hit_rate.pct") == 12.5);
  CHECK(kernels[1].kernel == "last");
  CHECK(kernels[1].counters.count("lts__t_sector_hit_rate.pct") == 0);
}

TEST_CASE("without a table the message repeats what ncu said") {
  const std::string refused = "==ERROR== ERR_NVGPUCTRPERM - no permission to access the counters\n";
  std::string said;
  try {
    parse_ncu_csv(refused);
  } catch (const Error& e) {
    said = e.what();
  }
  CHECK(said.find("ERR_NVGPUCTRPERM") != std::string::npos);
}

TEST_CASE("a tool is taken from its variable, and when it is missing the message names the variable") {
  setenv("NO_SUCH_TOOL", "/opt/mine/no-such-tool", 1);
  CHECK(find_tool("no-such-tool") == "/opt/mine/no-such-tool");
  unsetenv("NO_SUCH_TOOL");
  std::string said;
  try {
    find_tool("no-such-tool");
  } catch (const Error& e) {
    said = e.what();
  }
  CHECK(said.find("$NO_SUCH_TOOL") != std::string::npos);
}

TEST_CASE("a recording of the machine's own counters compares as equal, and a changed one doesn't") {
  use_native_engine();
  register_devices();
  temporary::TempFolder folder;
  const fs::path program = folder.path / "copy.cu";
  std::ofstream(program)
      << "__global__ void copy(const float* a, float* b) {\n"
         "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
         "  b[i] = a[2 * i];\n}\n"
         "int main() {\n  float *a, *b;\n  cudaMalloc(&a, 8192);\n  cudaMalloc(&b, 4096);\n"
         "  cudaMemset(a, 0, 8192);\n  copy<<<4, 256>>>(a, b);\n"
         "  cudaDeviceSynchronize();\n  cudaFree(a);\n  cudaFree(b);\n}\n";
  PlayRequest p;
  p.file = program.string();
  p.apart = true;
  const Report here = play(p, {}, nullptr);
  REQUIRE(here.runs.at(0).launches.size() == 1);
  const LaunchReport& l = here.runs[0].launches[0];
  CounterRecording made;
  made.gpu = "a GPU", made.date = "2026-01-01";
  made.launches.push_back({program.string(), "", {}, 0, {l.kernel, l.grid, l.block, l.counters}});
  const fs::path file = folder.path / "counters.json";
  save_counters(file, made);
  CounterRecording read = load_counters(file);
  CHECK(read.gpu == "a GPU");
  CHECK(read.launches.at(0).kernel.counters == l.counters);

  Catalog none;
  auto silent = [](const std::string&) {};
  auto same = compare_counters(none, read, silent);
  REQUIRE(same.size() == 1);
  CHECK(same[0].memory_exact());
  CHECK(same[0].executed_exact());
  CHECK(same[0].difference().empty());

  read.launches[0].kernel.counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] += 1;
  const auto other = compare_counters(none, read, silent);
  CHECK_FALSE(other[0].memory_exact());
  CHECK(other[0].difference().find("global_load_sectors") != std::string::npos);
}

TEST_CASE("of a kernel in two recordings the newer one counts, on the machine of its GPU") {
  register_devices();
  auto recording = [](const char* date, const char* gpu, std::vector<std::string> targets) {
    CounterRecording r;
    r.date = date, r.gpu = gpu;
    for (const auto& t : targets)
      for (int launch : {0, 1}) r.launches.push_back({t, "reference", {}, launch, {"k", {}, {}, {}}});
    return r;
  };
  const auto all = newest_of({recording("2026-01-01", "NVIDIA H100 80GB HBM3", {"reduce/1", "reduce/2"}),
                              recording("2026-01-02", "NVIDIA H200", {"reduce/2", "reduce/3"})});
  REQUIRE(all.size() == 2);
  CHECK(all[0].launches.size() == 4);
  REQUIRE(all[1].launches.size() == 2);
  CHECK(all[1].launches[0].target == "reduce/1");
  CHECK(counted_device(all[0]) == "simt:h200");
  CHECK(counted_device(all[1]) == "simt:h100");
  CHECK(counted_device(recording("", "NVIDIA GeForce RTX 4090", {})) == "simt:rtx4090");
}

TEST_CASE("a difference of counters has a reason, and a reason a difference") {
  ComparedKernel k;
  k.target = "reduce/1", k.kernel = "sum";
  k.memory = {{"global_loads", 10, 10}};
  k.executed = {{"instructions", 100, 100}, {"lanes_on_per_instruction", 30, 30.004, 0.005}};
  k.traffic = {{"dram_read_bytes", 100000, 102000, 4096}, {"l1_hit_rate", 30, 35, 0, true}};
  CHECK_FALSE(k.differs());
  CHECK(reason_of(k, {}).empty());
  CHECK(wrong_reasons({k}, {{"reduce/2", "sum", "of a kernel that was not compared"}}).empty());
  CHECK(wrong_reasons({k}, {{"reduce/1", "sum", "of nothing"}}).size() == 1);

  k.executed[1].machine = 29;  // 3 % off: what the page says of predicates
  CHECK(k.differs());
  CHECK(k.executed_error() == dojo::tolerance::within(1.0 / 30));
  CHECK_FALSE(reason_of(k, {}).empty());
  k.executed[0].machine = 101;
  CHECK(reason_of(k, {}).empty());
  CHECK(wrong_reasons({k}, {}).size() == 1);
  CHECK(wrong_reasons({k}, {{"reduce/1", "sum", "a slow path"}}).empty());
  CHECK(reason_of(k, {{"reduce/1", "sum", "a slow path"}}) == "a slow path");
  // Of one GPU only.
  k.gpu = "NVIDIA H200";
  CHECK(wrong_reasons({k}, {{"reduce/1", "sum", "a slow path", "NVIDIA H200"}}).empty());
  CHECK(wrong_reasons({k}, {{"reduce/1", "sum", "a slow path", "NVIDIA A100"}}).size() == 1);

  ComparedKernel far;
  far.traffic = {{"dram_read_bytes", 100000, 120000, 4096}, {"l1_hit_rate", 30, 41, 0, true}};
  CHECK(far.traffic_error() == dojo::tolerance::within(0.2));
  CHECK(far.error_of("l1_hit_rate") == dojo::tolerance::within(0.11));
  CHECK(far.difference().find("l1_hit_rate 41, hardware 30") != std::string::npos);
  // A share of what was stored, not of the nothing that was written back.
  CHECK(ComparedCounter{"dram_write_bytes", 0, 5000, 4096, false, 100000}.error() ==
        dojo::tolerance::within(0.05));
}
