// The order of tiers: a step that is an improvement is faster than the step before, in modelled time at the
// default size and on a recorded GPU. Recorded times count while the recorded source is the present
// reference.
#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "../whole_suite.hpp"
#include "core/files/whole_file.hpp"
#include "core/fingerprint.hpp"
#include "lab_runs.hpp"

using namespace dojo;

namespace {

enum Where { modelled = 1, measured = 2, both = 3 };

/// Steps of a lab, each faster than the one before it. Where sizes differ, by operations (or bytes) per
/// second.
struct Chain {
  std::string lab;
  Where where;
  std::vector<std::string> steps;
};

// Left out: steps whose briefs say that they are about why not (reduce/10 and 11, conv1d/2-shared,
// softmax/8-online, coarsening/2-four, attention/2-online at the default size, cusync/4 and 7), and steps
// that solve another problem than the step before.
const std::vector<Chain> chains = {
    {"reduce",
     both,
     {"1-global-modulo", "2-shared", "4-strided-index", "5-sequential", "6-add-on-load", "7-unroll-last-warp",
      "8-shuffle", "9-vec4"}},
    {"reduce", both, {"11-cooperative-groups", "12-grid-stride", "12-static-scratch", "14-open"}},
    {"conv1d", both, {"2-shared", "3-coarsened"}},
    {"conv1d", both, {"6-conv2d-naive", "6-conv2d-tiled", "6-conv2d-even", "6-conv2d-prefetched"}},
    {"matmul", both, {"1-naive-rows", "1-naive-columns", "2-thread-tile"}},
    {"matmul", both, {"1-naive-columns", "3-block-tile", "4-cooperative-fetch"}},
    {"matmul",
     modelled,
     {"4-cooperative-fetch", "4-larger-tiles", "5-vec4", "5-vec4-layout", "6-double-buffered",
      "7-warp-tiled"}},
    {"matmul", both, {"10-sgemv-k32", "10-sgemv-open"}},
    {"banks", both, {"2-transpose-naive", "2-transpose-shared", "2-transpose-padded"}},
    {"banks", measured, {"2-transpose-padded", "6-transpose-open"}},
    {"softmax", both, {"1-five-kernels", "2-fused-shared", "3-warp", "6-packs"}},
    {"softmax", measured, {"5-block-uncached", "8-online"}},
    {"softmax", measured, {"11-backward", "13-open-backward"}},
    {"cusync", modelled, {"3-stream-order", "5-tilesync", "6-rowsync"}},
    {"cusync", measured, {"5-tilesync", "6-rowsync"}},
    {"coarsening", measured, {"1-two", "2-four"}},
    {"privatisation", both, {"2-per-block", "3-few-blocks", "4-vec"}},
    {"elementwise", both, {"3-sigmoid", "4-vec4", "5-half"}},
    {"attention", both, {"2-online", "3-tiles", "5-window"}},
    {"attention", measured, {"1-three-launches", "2-online"}},
    {"attention", modelled, {"1-three-launches", "3-tiles"}},
    {"attention", measured, {"3-tiles", "4-causal", "5-window"}},
    {"attention", both, {"3-tiles", "7-tensor-cores", "8-open-flash"}},
    {"nms", both, {"1-overlap", "2-mask"}},
    {"scan", both, {"2-blelloch", "3-padded", "4-warp-scan"}},
    {"scan", both, {"1-hillis-steele", "4-warp-scan"}},
    {"scan", both, {"6-chained", "7-look-back"}},
    {"scan", both, {"8-compact", "13-open-compact"}},
    {"sparse", both, {"1-scalar", "3-lanes"}},
    {"sparse", both, {"5-split", "6-segments", "9-open"}},
    {"clusters", modelled, {"6-one-block", "7-long-rows"}},
};

// Labs whose steps solve a problem each: the step's own starter is the tier before.
const std::set<std::string> without_order = {"first-launch", "coalescing", "divergence",
                                             "occupancy",    "roofline",   "sync-bugs",
                                             "profiles",     "overlap",    "textures"};

fs::path recordings() { return find_root() / "assets" / "recordings"; }

bool is_present_source(const std::string& step, uint64_t recorded) {
  const Step& s = test::catalog().find(step);
  return fingerprint(read_file(test::catalog().reference_file(s)).value_or("")) == recorded;
}

bool is_present_starter(const std::string& step, uint64_t recorded) {
  const Step& s = test::catalog().find(step);
  return fingerprint(read_file(test::catalog().student_file(s)).value_or("")) == recorded;
}

/// A step's speed: operations per second where the problem counts any, else bytes, else 1 / time.
struct Speed {
  Size size;
  double time_us = 0, rate = 0;
};

Speed speed_of(const Size& size, double time_us, double flops, double bytes) {
  return {size, time_us, (flops > 0 ? flops : bytes > 0 ? bytes : 1) / time_us};
}

/// Recorded references at their GPU sizes whose source is the present one, by step.
std::map<std::string, Speed> recorded() {
  std::map<std::string, uint64_t> sources;
  std::ifstream list(recordings() / "h100-sources.txt");
  for (std::string line; std::getline(list, line);)
    if (!line.starts_with("#"))
      sources[line.substr(0, line.find(' '))] = std::stoull(line.substr(line.find(' ')), nullptr, 16);
  std::map<std::string, Speed> all;
  const auto json = nlohmann::json::parse(read_file(recordings() / "h100.json").value_or("{}"));
  for (const auto& report : json.at("reports")) {
    const std::string step = report.at("step");
    const auto source = sources.find(step);
    if (source == sources.end() || !is_present_source(step, source->second)) continue;
    Size size;
    for (const auto& [name, extent] : report.at("size").items()) size[name] = extent;
    if (size != test::catalog().find(step).gpu_size) continue;
    const auto& r = report.at("runs").at(0);
    all[step] = speed_of(size, r.at("time_us").at("value"), r.at("flops"), r.at("bytes"));
  }
  return all;
}

bool faster(const Speed& later, const Speed& sooner) {
  return later.size == sooner.size ? later.time_us < sooner.time_us : later.rate > sooner.rate;
}

}  // namespace

TEST_CASE("tiers: every lab has an order of tiers or steps of their own, and all names are steps") {
  std::set<std::string> ordered;
  for (const Chain& c : chains) {
    ordered.insert(c.lab);
    for (const auto& s : c.steps) CHECK(test::catalog().find(c.lab + "/" + s).id() == c.lab + "/" + s);
  }
  for (const auto& lab : test::catalog().labs)
    CHECK_MESSAGE(ordered.contains(lab.name) != without_order.contains(lab.name), lab.name);
}

TEST_CASE("tiers: a recorded H100 runs each tier faster than the one before") {
  const auto all = recorded();
  int compared = 0;
  for (const Chain& c : chains)
    for (size_t i = 1; i < c.steps.size() && (c.where & measured); ++i) {
      const auto a = all.find(c.lab + "/" + c.steps[i - 1]), b = all.find(c.lab + "/" + c.steps[i]);
      if (a == all.end() || b == all.end()) continue;  // rewritten since: a new recording is due
      CHECK_MESSAGE(faster(b->second, a->second), c.lab << ": " << c.steps[i - 1] << " " << a->second.time_us
                                                        << " us, " << c.steps[i] << " " << b->second.time_us
                                                        << " us");
      ++compared;
    }
  CHECK_MESSAGE(compared >= 20, compared << " pairs compared: record the references again");
}

TEST_CASE("tiers: at 2048 and 4096 an H100 runs each matmul tier faster than the one before") {
  std::map<std::pair<int, std::string>, double> all;
  std::istringstream in(read_file(recordings() / "h100-matmul.txt").value_or(""));
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream row(line);
    std::string step, source;
    int n = 0;
    double us = 0;
    row >> step >> source >> n >> us;
    if (is_present_source(step, std::stoull(source, nullptr, 16))) all[{n, step}] = us;
  }
  const std::vector<std::vector<std::string>> orders = {
      {"1-naive-columns", "2-thread-tile"},
      {"1-naive-columns", "3-block-tile", "4-cooperative-fetch", "4-larger-tiles", "5-vec4", "5-vec4-layout",
       "6-double-buffered", "7-warp-tiled", "9-open", "8-tensor-core"},
  };
  int compared = 0;
  for (const int n : {2048, 4096})
    for (const auto& steps : orders)
      for (size_t i = 1; i < steps.size(); ++i) {
        const auto a = all.find({n, "matmul/" + steps[i - 1]}), b = all.find({n, "matmul/" + steps[i]});
        if (a == all.end() || b == all.end()) continue;  // rewritten since
        CHECK_MESSAGE(b->second < a->second, n << ": " << steps[i - 1] << " " << a->second << " us, "
                                               << steps[i] << " " << b->second << " us");
        ++compared;
      }
  CHECK_MESSAGE(compared >= 10, compared << " pairs compared: measure the references again");
}

TEST_CASE("tiers: on an H100 the checklist labs' references beat their starters, or the brief says why not") {
  const std::set<std::string> why_not = {"coalescing/3-structures", "occupancy/2-shared",
                                         "conv1d/6-conv2d-tiled"};
  std::istringstream in(read_file(recordings() / "h100-starters.txt").value_or(""));
  int compared = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream row(line);
    std::string step, starter_source, source, n;
    double starter = 0, reference = 0;
    row >> step >> starter_source >> source >> n >> starter >> reference;
    if (!is_present_source(step, std::stoull(source, nullptr, 16)) ||
        !is_present_starter(step, std::stoull(starter_source, nullptr, 16)))
      continue;  // rewritten since
    if (why_not.contains(step)) {
      const std::string& brief = test::catalog().find(step).brief;
      CHECK_MESSAGE(brief.find(" measured ") != std::string::npos,
                    step << ": its brief does not say why not");
    } else {
      CHECK_MESSAGE(reference < starter, step << ": " << starter << " us, " << reference << " us");
    }
    ++compared;
  }
  CHECK_MESSAGE(compared >= 8, compared << " steps compared: measure the starters again");
}

TEST_CASE("tiers: at the default sizes the model runs each tier faster than the one before") {
  test::Part part("chains of tiers", 4);
  for (const Chain& c : chains) {
    std::map<std::string, Speed> all;
    if (!(c.where & modelled) || !test::wanted(test::catalog().find(c.lab + "/" + c.steps.front()))) continue;
    if (!part.takes(c.lab + "/" + c.steps.front())) continue;
    for (const auto& name : c.steps) {
      const Report report =
          test::run(test::catalog().find(c.lab + "/" + name), run::Who::reference, {}, {}, false);
      const RunReport& r = report.runs.at(0);
      CHECK_MESSAGE(r.status == Status::pass, c.lab << "/" << name);
      all[name] = speed_of(report.size, r.time_us.value, r.flops, r.bytes);
    }
    for (size_t i = 1; i < c.steps.size(); ++i)
      CHECK_MESSAGE(faster(all[c.steps[i]], all[c.steps[i - 1]]),
                    c.lab << ": " << c.steps[i - 1] << " " << all[c.steps[i - 1]].time_us << " us, "
                          << c.steps[i] << " " << all[c.steps[i]].time_us << " us");
  }
}
