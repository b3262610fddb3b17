#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "../temp_folder.hpp"
#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "core/paths.hpp"
#include "simt/gpu/device_model.hpp"
#include "simt/gpu/occupancy.hpp"
#include "simt/gpu/rules.hpp"

using namespace dojo;
using namespace dojo::simt;

TEST_CASE("every device file reads, and every number in it says where it is from") {
  std::vector<std::string> problems;
  const auto& models = device_models(&problems);
  for (const auto& p : problems) FAIL_CHECK(p);
  CHECK(models.size() >= 10);
  for (const auto& m : models) {
    std::ifstream in(m.file);
    std::string line;
    for (int n = 1; std::getline(in, line); ++n) {
      const bool number =
          line.find('=') != std::string::npos && line.find('"') == std::string::npos && line[0] != '#';
      if (number && line.find("= true") == std::string::npos && line.find('#') == std::string::npos)
        FAIL_CHECK(m.file << ":" << n << ": no source");
    }
  }
  const std::string calls = dojo::read_or_empty(source_root() / "docs/cli.md");
  const size_t row = calls.find("| `warpdojo devices");
  REQUIRE(row != calls.npos);
  const std::string named = calls.substr(row, calls.find('\n', row) - row);
  for (const auto& m : models)
    CHECK_MESSAGE(named.find("`" + m.info.name + "`") != named.npos,
                  "docs/cli.md, row of `warpdojo devices`: " << m.info.name);
  CHECK(device_model("h100").info.sms == 132);
  CHECK(device_model("simt:a100").arch() == "sm_80");
  CHECK_THROWS_AS(device_model("simt:none"), Error);
}

namespace {

/// Whether each "NAME.cu" in a rule's evidence is a program of tests/microbench.
bool has_programs(const std::string& evidence) {
  std::istringstream words(evidence);
  for (std::string word; words >> word;) {
    if (word.ends_with(",")) word.pop_back();
    if (word.ends_with(".cu") && !std::filesystem::exists(source_root() / "tests/microbench" / word))
      return false;
  }
  return true;
}

}  // namespace

TEST_CASE("every rule that keys carry can be switched off, one at a time, on every GPU") {
  const std::string page = dojo::read_or_empty(source_root() / "docs/time-model-evidence.md"),
                    model = dojo::read_or_empty(source_root() / "docs/time-model.md");
  for (const TimeRule& rule : time_rules()) {
    CAPTURE(std::string(rule.name));
    CHECK(find_rule(rule.name) == &rule);
    CHECK(std::string(rule.says).size() > 10);
    CHECK(std::string(rule.evidence).size() > 3);
    CHECK_MESSAGE(page.find("\n| " + std::string(rule.name) + " |") != page.npos,
                  "docs/time-model-evidence.md, last table: " << std::string(rule.name));
    CHECK_MESSAGE(model.find("`" + std::string(rule.name) + "`)") != model.npos,
                  "docs/time-model.md has no sentence that ends with (`" << std::string(rule.name) << "`)");
    CHECK_MESSAGE(has_programs(rule.evidence),
                  "tests/microbench has not all of: " << std::string(rule.evidence));
    for (const DeviceModel& m : device_models()) {
      if (m.toy) continue;
      const DeviceModel& less = device_model(m.info.name + "-without-" + rule.name);
      CHECK(less.info.name == m.info.name + "-without-" + rule.name);
      CHECK(&less == &device_model(less.info.name));
    }
  }
  // A rule that is switched off has its neutral value, and nothing else has changed.
  const DeviceModel &whole = device_model("h100"), &less = device_model("h100-without-l2-halves");
  CHECK(whole.l2_halves());
  CHECK(!less.l2_halves());
  CHECK(less.latency.l2 == whole.latency.l2);
  CHECK(less.memory.refresh_ns == whole.memory.refresh_ns);
  CHECK(device_model("h100-without-refresh").memory.refresh_ns == 0);
  CHECK_THROWS_WITH_AS(device_model("h100-without-gravity"), doctest::Contains("no rule 'gravity'"), Error);
  CHECK_THROWS_WITH_AS(device_model("h101-without-refresh"), doctest::Contains("no device"), Error);
}

TEST_CASE("on a device whose blocks are alone, another block's address is the block's own") {
  const char* source = R"(
__global__ void __cluster_dims__(2, 1, 1) k(int* out) {
  __shared__ int mine;
  unsigned rank, other;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  mine = int(rank);
  asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(other) : "r"((unsigned)__cvta_generic_to_shared(&mine)), "r"(rank ^ 1));
  int v;
  asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(v) : "r"(other));
  asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
  out[blockIdx.x] = v;
}
)";
  for (const bool alone : {false, true}) {
    dojo::test::Kernels k(source, alone ? "simt:h100-alone" : "simt:h100");
    const uint64_t out = k.buffer(2 * sizeof(int));
    const LaunchReport launch = k.run(k.spec("k", {2, 1, 1}, {1, 1, 1}, out));
    CHECK(k.read<int>(out, 2) == (alone ? std::vector<int>{0, 1} : std::vector<int>{1, 0}));
    CHECK(k.device->take_findings().empty());
    CHECK(k.device->info().name == (alone ? "simt:h100-alone" : "simt:h100"));
  }
  CHECK_THROWS_WITH_AS(device_model("h101-alone"), doctest::Contains("no device"), Error);
}

namespace {
std::string message_of(const std::string& text) {
  const temporary::TempFolder own;
  const auto path = own.write("device.toml", text);
  std::string message = "read";
  try {
    load_device_model(path);
  } catch (const Error& e) {
    message = e.what();
  }
  return message;
}
std::string model_text(const char* name) { return dojo::read_or_empty(device_model(name).file); }
std::string replaced(std::string s, const std::string& a, const std::string& b) {
  const auto at = s.find(a);
  REQUIRE(at != std::string::npos);
  return s.replace(at, a.size(), b);
}
}  // namespace

TEST_CASE("a broken device file is refused with its line and key") {
  const std::string good = model_text("toy4");
  CHECK(message_of(good) == "read");
  CHECK(message_of(replaced(good, "sms = 4", "sms = 0")).find("device.sms = 0 is out of range") !=
        std::string::npos);
  CHECK(message_of(replaced(good, "sms = 4", "sms = \"4\"")).find("device.sms must be a number") !=
        std::string::npos);
  CHECK(message_of(replaced(good, "sms = 4", "smx = 4")).find("device.sms is missing") != std::string::npos);
  CHECK(message_of(replaced(good, "sms = 4", "sms = 4\nfoo = 1")).find("unknown key device.foo") !=
        std::string::npos);
  CHECK(message_of(replaced(good, "[sm]", "[s")).find(".toml:") != std::string::npos);
  CHECK(message_of("order = 1\n").find("section [device] is missing") != std::string::npos);
  CHECK(message_of(replaced(good, "toy = true", "")).find("section [pipes] is missing") != std::string::npos);
}

TEST_CASE("occupancy follows the toolkit's calculator") {
  const auto& h100 = device_model("h100");
  // The reduce tiers: 256 threads, 16 registers, 1 KiB of shared memory.
  Occupancy o = occupancy(h100, {256, 16, 1024, 0});
  CHECK(o.blocks == 8);
  CHECK(o.limiter == "warps");
  CHECK(o.share == 1.0);
  o = occupancy(h100, {256, 64, 0, 0});
  CHECK(o.blocks == 4);
  CHECK(o.limiter == "registers");
  // 65 registers go out as 72: 28 warps, of which 3 blocks of 8 are used.
  CHECK(occupancy(h100, {256, 65, 0, 0}).blocks == 3);
  o = occupancy(h100, {64, 32, 0, 0});
  CHECK(o.blocks == 32);
  o = occupancy(h100, {32, 16, 0, 0});
  CHECK(o.blocks == 32);
  CHECK(o.limiter == "blocks");
  CHECK(o.share == 0.5);
  // One KiB of every block is the system's: 228 KiB hold four blocks of 56 KiB, not of 57.
  CHECK(occupancy(h100, {128, 32, 0, 56 * 1024}).blocks == 4);
  CHECK(occupancy(h100, {128, 32, 0, 57 * 1024}).blocks == 3);
  CHECK(occupancy(h100, {128, 32, 0, 57 * 1024}).limiter == "shared");
  CHECK(occupancy(h100, {1024, 64, 0, 0}).blocks == 1);
  CHECK(occupancy(h100, {1024, 65, 0, 0}).blocks == 0);
  CHECK(occupancy(h100, {128, 32, 0, 232449}).blocks == 0);
  // Published for a T4: one block of 1024 threads on each of 40 SMs.
  CHECK(occupancy(device_model("t4"), {1024, 32, 0, 0}).blocks == 1);
  CHECK(occupancy(device_model("toy8"), {32, 16, 0, 0}).blocks == 1);
  CHECK(carveout_bytes(h100, {256, 16, 1024, 0}, 8) == 16 * 1024);
}
