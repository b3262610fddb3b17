// The hand-off to Nsight Compute: its table is read, recordings keep it, and comparing finds what differs.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "core/lab.hpp"
#include "run/counter_check.hpp"
#include "run/engine.hpp"
#include "run/profile.hpp"
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
    "\"0\",\"77\",\"void space::scale<float, (int)4>(float *, \"\"odd\"\" int)\",\"(256, 1, 1)\",\"(64, 2, 1)\","
    "\"1,024\",\"65,536\",\"12.5\"\n"
    "\"1\",\"77\",\"last(int)\",\"(32, 1, 1)\",\"(1, 1, 1)\",\"7\",\"0\",\"n/a\"\n";

struct Folder {
  fs::path path = fs::temp_directory_path() / ("profile-test-" + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() {
    std::error_code ec;
    fs::remove_all(path, ec);
  }
};

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
  Folder folder;
  const fs::path program = folder.path / "copy.cu";
  std::ofstream(program) << "__global__ void copy(const float* a, float* b) {\n"
                            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                            "  b[i] = a[2 * i];\n}\n"
                            "int main() {\n  float *a, *b;\n  cudaMalloc(&a, 8192);\n  cudaMalloc(&b, 4096);\n"
                            "  cudaMemset(a, 0, 8192);\n  copy<<<4, 256>>>(a, b);\n"
                            "  cudaDeviceSynchronize();\n  cudaFree(a);\n  cudaFree(b);\n}\n";
  PlayRequest p;
  p.file = program.string();
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
