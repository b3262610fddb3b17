// The program from the command line to the report, with compiler and machine: statuses, exit statuses,
// limits.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "../has.hpp"
#include "../sanitizers.hpp"
#include "../unit/shell.hpp"
#include "core/labs/lab.hpp"

using namespace dojo;
using dojo::test::has;
using dojo::test::one_line;
using dojo::test::Shell;
using dojo::test::TempFolder;

namespace {

struct Bench {
  TempFolder t;
  Shell operator()(const std::string& line) const { return test::shell(t, find_root().string(), line); }
  Shell play(const std::string& source, const std::string& options = "", const std::string& args = "") const {
    t.write("p.cu", source);
    return (*this)("cd '" + t.path.string() + "'; $W play p.cu " + options +
                   (args.empty() ? "" : " -- " + args));
  }
};

const std::string add = R"cu(
#include <cstdio>
#include <cstdlib>
__global__ void add(const float* a, float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] += a[i];
}
int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 100;
  size_t bytes = n * sizeof(float);
  float* h = (float*)malloc(bytes);
  for (int i = 0; i < n; ++i) h[i] = i;
  float *a, *b;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMemcpy(a, h, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(b, h, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 63) / 64, 64>>>(a, b, n);
  cudaMemcpy(h, b, bytes, cudaMemcpyDeviceToHost);
  printf("last %.1f\n", h[n - 1]);
  cudaFree(a);
  cudaFree(b);
  free(h);
  return argc > 2 ? 9 : 0;
}
)cu";

}  // namespace

TEST_CASE("play runs an ordinary program: its text, its arguments, its exit status") {
  Bench b;
  const Shell s = b.play(add);
  CHECK(s.status == 0);
  CHECK(s.out == "last 198.0\n");
  CHECK(has(s.err, "bound by"));  // the table of its kernels
  const Shell t = b.play(add, "", "1000 x");
  CHECK(t.status == 9);
  CHECK(t.out == "last 1998.0\n");
  const Shell json = b.play(add, "--json");
  CHECK(json.out.find('{') == 0);
  CHECK(!has(json.out.substr(0, 200), "last 198.0"));
  CHECK(has(json.err, "last 198.0\n"));
  CHECK(!has(json.out, "\"line\": 6"));
  // With lines and blocks, as a report that is opened in the window later needs.
  const Shell whole = b.play(add, "--json --lines --blocks");
  CHECK(has(whole.out, "\"line\": 6"));
  CHECK(has(whole.out, "\"sm\": "));
}

TEST_CASE("play: a finding is 70 with its line, an endless loop 124 with where it was, bad source 3") {
  Bench b;
  std::string outside = add;
  outside.replace(outside.find("if (i < n) b"), 10, "");
  const Shell s = b.play(outside);
  CHECK(s.status == 70);
  CHECK(has(s.err, "p.cu:6"));
  CHECK(has(s.err, "out_of_bounds"));
  const Shell endless = b.play(
      "__global__ void spin(int* p) {\n  while (true) p[threadIdx.x] += 1;\n}\nint main() { int* p; "
      "cudaMalloc(&p, 128); "
      "cudaMemset(p, 0, 128); spin<<<1, 32>>>(p); cudaDeviceSynchronize(); }\n",
      "--time-limit 1");
  CHECK(endless.status == 124);
  CHECK(has(endless.err, "p.cu:2"));
  CHECK(has(endless.err, "Stopped after 1 s of computing. Block 0 is still at line 2."));
  const Shell host =
      b.play("int main() {\n  volatile int x = 0;\n  while (true) x = x + 1;\n}\n", "--time-limit 1");
  CHECK(host.status == 124);
  CHECK(has(host.err, "p.cu:3"));
  const Shell bad = b.play("int main() {\n  return nothing;\n}\n");
  CHECK(bad.status == 3);
  CHECK(has(bad.err, "p.cu:2:10"));
  CHECK(has(bad.err, "^"));
}

TEST_CASE("play: a deadlock of blocks is found at once, and leaks are warnings") {
  Bench b;
  const Shell dead = b.play(
      "__global__ void wait(int* flag) {\n  while (atomicAdd(flag, 0) == 0) {}\n}\nint main() { int* f; "
      "cudaMalloc(&f, 4); "
      "cudaMemset(f, 0, 4); wait<<<1, 1>>>(f); cudaDeviceSynchronize(); cudaFree(f); }\n",
      "--time-limit 60");
  CHECK(dead.status == 70);
  CHECK(has(dead.err, "deadlock"));
  const Shell leak = b.play("int main() { int* f; cudaMalloc(&f, 4); return 0; }\n");
  CHECK(leak.status == 0);
  CHECK(has(leak.err, "leak"));
}

TEST_CASE("play: a warp that polls an mbarrier or naps lets the others of its block run") {
  Bench b;
  const Shell s = b.play(R"cu(
#include <cstdio>
__global__ void meet(int* polls, int* naps) {
  __shared__ unsigned long long all;
  __shared__ volatile int ready;
  const unsigned at = unsigned(__cvta_generic_to_shared(&all));
  if (threadIdx.x == 0) {
    ready = 0;
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(blockDim.x) : "memory");
  }
  __syncthreads();
  // The second warp passes the barrier first: it naps until the first warp is ready.
  if (threadIdx.x == 0) ready = 1;
  for (int n = 1; threadIdx.x == 32 && !ready; ++n) {
    __nanosleep(100);
    *naps = n;
  }
  // The first warp has arrived meanwhile, and polls until the second one has.
  unsigned long long phase;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(phase) : "r"(at) : "memory");
  unsigned done = 0;
  for (int n = 0; !done; ++n) {
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(at), "l"(phase) : "memory");
    if (threadIdx.x == 0) *polls = n;
  }
}
int main() {
  int *polls, *naps;
  cudaMallocManaged(&polls, sizeof(int));
  cudaMallocManaged(&naps, sizeof(int));
  *polls = *naps = 0;
  meet<<<1, 64>>>(polls, naps);
  cudaDeviceSynchronize();
  printf("%d %d\n", *polls, *naps);
  cudaFree(polls);
  cudaFree(naps);
}
)cu",
                         "--device a100");
  int polls = 0, naps = 0;
  REQUIRE_MESSAGE(std::sscanf(s.out.c_str(), "%d %d", &polls, &naps) == 2, s.out << s.err);
  CHECK(polls > 0);
  CHECK(polls <= 20);
  CHECK(naps > 0);
  CHECK(naps <= 8);
}

TEST_CASE("run gives a report in the documented form, and the same bits each time") {
  Bench b;
  const Shell s = b("$W run reduce/5 --who reference --json --blocks --lines --size 65536");
  REQUIRE_MESSAGE(s.status == 0, s.err);
  auto j = nlohmann::json::parse(s.out);
  CHECK(j.at("schema") == "warpdojo/report/1");
  CHECK(j.at("step") == "reduce/5-sequential");
  CHECK(j.at("size").at("n") == 65536);
  CHECK(j.at("device").at("name") == "simt:h100");
  const auto& run = j.at("runs").at(0);
  CHECK(run.at("who") == "reference");
  CHECK(run.at("status") == "pass");
  CHECK(run.at("time_us").at("source") == "modelled");
  CHECK(run.at("time_us").at("value") > 0);
  const auto& launch = run.at("launches").at(0);
  CHECK(launch.at("grid") == nlohmann::json{256, 1, 1});
  CHECK(launch.at("blocks").size() == 256);
  CHECK(!launch.at("lines").empty());
  for (const char* counter :
       {"smsp__inst_executed.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "dram__bytes_read.sum",
        "sm__warps_active.avg.pct_of_peak_sustained_active", "gpu__time_duration.sum",
        "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
        "dojo__lane_bytes_shared_op_ld.sum"})
    CHECK_MESSAGE(launch.at("counters").contains(counter), counter);
  // Nothing kept from the first time: run again from an empty cache.
  auto again = nlohmann::json::parse(
      b("rm -rf \"$XDG_CACHE_HOME\"; $W run reduce/5 --who reference --json --blocks --lines --size 65536")
          .out);
  for (auto* report : {&j, &again})
    for (auto& r : (*report)["runs"]) r.erase("wall_ms"), r.erase("compile_ms");
  CHECK(j == again);
}

TEST_CASE(
    "sizes of zero and of ten to the twelfth, a missing device and a broken step file end as documented") {
  Bench b;
  const Shell zero = b("$W run reduce/5 --who reference --size 0");
  CHECK(zero.status == 0);
  const Shell huge = b("$W run reduce/5 --size 1000000000000");
  CHECK(huge.status == 2);
  CHECK(one_line(huge.err));
  const Shell device = b("$W run reduce/5 --device cuda:7");
  CHECK(device.status == 2);
  CHECK(one_line(device.err));
}

// (AddressSanitizer itself does not start in so little.)
TEST_CASE("a crash of the worker is 71, and says what went on" * doctest::skip(test::sanitized)) {
  Bench b;
  // A worker that dies for a reason of its own: no address room for the modelled memory.
  const Shell s = b("ulimit -v 400000; $W run reduce/5 --who reference");
  CHECK(s.status == 71);
}

TEST_CASE("a read-only checkout runs all the same") {
  Bench b;
  const std::string copy = b.t.path.string() + "/co";
  const Shell s = test::shell(
      b.t, copy,
      "mkdir -p '" + copy + "' && cp -r '" + find_root().string() + "/labs' '" + find_root().string() +
          "/reference' '" + find_root().string() + "/assets' '" + copy + "' && chmod -R a-w '" + copy +
          "' && $W run reduce/5 --who reference --size 1000; s=$?; chmod -R u+w '" + copy + "'; exit $s");
  CHECK_MESSAGE(s.status == 0, s.err);
}

TEST_CASE("profile prints the page of a step or a program, modelled, and keeps counters of GPUs only") {
  Bench b;
  const Shell s = b("$W profile profiles/7 --size 5000");
  CHECK(s.status == 0);  // gates are not asked for
  CHECK(has(s.out, "GPU-Util meanwhile: 100 %"));
  CHECK(has(s.out, "Launch Statistics"));
  CHECK(has(s.out, "7-normalise.cu:"));  // source counters
  b.t.write("p.cu", add);
  const Shell own = b("cd '" + b.t.path.string() + "'; $W profile p.cu");
  CHECK(own.status == 0);
  CHECK(has(own.out, "add (2, 1, 1)x(64, 1, 1)"));
  b.t.write("broken.cu", "int main() { return x; }\n");
  const Shell broken = b("cd '" + b.t.path.string() + "'; $W profile broken.cu");
  CHECK(broken.status == 3);
  CHECK(has(broken.out + broken.err, "broken.cu:1"));
  const Shell kept = b("$W profile profiles/7 --device simt:h100 --out x.json");
  CHECK(kept.status == 2);
  CHECK(has(kept.err, "--out keeps the counters of a GPU"));
}
