// What others published of GPUs that are not at hand: the model of those GPUs against it.
#include <doctest/doctest.h>

#include <map>

#include "lab_runs.hpp"

using namespace dojo;

namespace {

/// Of rates that were published without a size in lab.toml: the lab's on a GPU.
const std::map<std::string, Size> kSizes = {{"reduce", {{"n", 1 << 25}}}};

/// The device file of a GPU that is named in lab.toml; empty: none of these.
std::string device_of(const std::string& gpu) { return gpu == "A5000" ? "simt:a5000" : ""; }

}  // namespace

TEST_CASE("modelled times of an A5000 are within a fifth of what was published") {
  int compared = 0;
  for (const Lab& lab : test::catalog().labs)
    for (const Step& step : lab.steps)
      for (const Published& p : step.published) {
        const std::string device = device_of(p.gpu);
        if (device.empty() || (p.time_us <= 0 && p.gbps <= 0) || p.what.find("bound") != std::string::npos)
          continue;
        run::RunRequest r;
        r.step = step.id();
        r.who = run::Who::reference;
        r.device = device;
        r.size = p.size.empty() ? kSizes.at(step.lab) : p.size;
        r.gates = false;
        const RunReport reference = run_step(test::catalog(), r).runs.at(0);
        INFO(step.id() << " on " << device << ": " << p.value << ", modelled " << reference.time_us.value
                       << " us, " << reference.gbps << " GB/s");
        REQUIRE(reference.status == Status::pass);
        const double ratio = p.time_us > 0 ? reference.time_us.value / p.time_us : p.gbps / reference.gbps;
        CHECK(ratio < 1.2);
        CHECK(ratio > 1 / 1.2);
        ++compared;
      }
  CHECK(compared == 4);
}
