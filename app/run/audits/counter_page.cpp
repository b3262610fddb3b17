// The comparison of counters as a page, with the reasons of what differs.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "core/paths.hpp"
#include "core/text/json_words.hpp"
#include "run/audits/counter_check.hpp"

namespace dojo::run {
namespace {

using Json = nlohmann::ordered_json;

/// Of a table's cell: equal, or how far off.
std::string off_by(double error, const char* equal = "equal") {
  return error == 0 ? equal : error < 0.0005 ? "< 0.1 %" : fmt::format("{:.1f} %", 100 * error);
}

template <class Has>
size_t count(const std::vector<ComparedKernel>& all, Has has) {
  return size_t(std::count_if(all.begin(), all.end(), has));
}

std::string summary(const std::vector<ComparedKernel>& all) {
  const size_t n = all.size();
  auto line = [&](const char* what, const char* how, size_t equal, std::string near) {
    return fmt::format("| {} | {} | {} of {} | {} |\n", what, how, equal, n, near);
  };
  auto near = [&](const char* counter) {
    return fmt::format("{} within 10 %", count(all, [&](auto& k) { return k.error_of(counter) <= 0.1; }));
  };
  std::string s = "| counters | compared | equal | |\n| --- | --- | ---: | --- |\n";
  s +=
      line("memory", "requests, sectors, wavefronts and accesses, global, shared and local, loads and stores",
           count(all, [](auto& k) { return k.memory_exact(); }), "");
  s += line("executed", "warp and thread instructions, predicated-on lanes, divergent branches",
            count(all, [](auto& k) { return k.executed_exact(); }),
            fmt::format("{} within 5 %", count(all, [](auto& k) { return k.executed_error() <= 0.05; })));
  s += line(
      "warp instructions alone", "`smsp__inst_executed.sum`",
      count(all, [](auto& k) { return k.error_of("instructions") == 0; }),
      fmt::format("{} within 5 %", count(all, [](auto& k) { return k.error_of("instructions") <= 0.05; })));
  s += line("DRAM, read", "`dram__bytes_read.sum`; a difference of up to 4 KiB is none",
            count(all, [](auto& k) { return k.error_of("dram_read_bytes") == 0; }), near("dram_read_bytes"));
  s +=
      line("DRAM, written", "`dram__bytes_write.sum`, as a share of the bytes stored; up to 4 KiB is none",
           count(all, [](auto& k) { return k.error_of("dram_write_bytes") == 0; }), near("dram_write_bytes"));
  s += line("L1", "`l1tex__t_sector_hit_rate.pct`, in percentage points",
            count(all, [](auto& k) { return k.error_of("l1_hit_rate") == 0; }), near("l1_hit_rate"));
  s += line("L2",
            "hits among `lts__t_sectors_srcunit_tex_lookup_hit.sum` and `_miss.sum`, in percentage points",
            count(all, [](auto& k) { return k.error_of("l2_hit_rate") == 0; }), near("l2_hit_rate"));
  return s;
}

constexpr const char* how =
    "Every kernel runs on the SIMT machine that models the GPU, at the recorded size, alone and with empty "
    "caches, as "
    "Nsight Compute runs it (`--cache-control all`). In a program the machine's L2 keeps what the kernel "
    "before left "
    "there.\n\n"
    "What is compared, and what can't be:\n\n"
    "- **DRAM, read**: what the L2 missed, 64 bytes at a time, and the kernel's machine code, which is in no "
    "cache "
    "either. A launch reads 2 to 3 KiB more (constants, parameters), which the machine leaves out.\n"
    "- **DRAM, written**: kernels of these sizes leave what they store in the L2; the machine writes back "
    "what has to "
    "leave it, a GPU now and then a little more.\n"
    "- **L1**: of loads the sectors that are there, of stores those whose line is there, of atomics none. A "
    "GPU starts a "
    "load that misses and counts those that follow before the data are there as missed too; the machine runs "
    "block by "
    "block and counts them as found.\n"
    "- **L2**: of the SMs' own requests the sectors that the half of the L2 that serves them has "
    "(`srcunit_tex`). Requests of up to four SMs "
    "of a GPC for the same sectors at one time are one (tests/microbench/joined.cu); what a half asks of the "
    "other it has missed; "
    "a miss of one sector is counted with the neighbour that comes with it. The machine's blocks go in step, "
    "a GPU's drift apart, and "
    "a GPU's L1 sends parts of a sector that warps store one after another to the L2 as one. "
    "`lts__t_sector_hit_rate.pct` is not compared: it "
    "counts what goes from one half to the other again (a copy of 8 MiB shows about 1.6 times the sectors "
    "that the SMs asked for).\n"
    "- **Textures and surfaces**: a fetch counts as one request per warp. Sectors of linear and pitched "
    "memory are those of its texels. An array's layout is not "
    "public: the machine assumes tiles of 64 bytes by 8 rows, in which a sector holds 16 bytes of two rows "
    "(the block-linear layout of the Tegra X1 manual). Hit rates of the L1 differ for arrays: by 27 points "
    "in textures/3-linear.\n"
    "- **Predicated-on lanes**: predicates of a source `if` are known to the lane. Those that ptxas puts "
    "into one PTX "
    "instruction (corrections of a division, a select turned into a predicated move) depend on values and "
    "count as off.\n";

}  // namespace

std::vector<CounterRecording> newest_of(std::vector<CounterRecording> all) {
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.date > b.date; });
  std::set<std::string> seen;
  for (CounterRecording& r : all) {
    std::set<std::string> here;
    std::erase_if(r.launches, [&](const CountedLaunch& l) {
      const std::string key = l.target + "|" + l.who;
      here.insert(key);
      return seen.count(key) > 0;
    });
    seen.merge(here);
  }
  return all;
}

std::vector<CounterRecording> counter_recordings() {
  std::vector<fs::path> files;
  std::error_code ec;
  for (const auto& e : fs::directory_iterator(find_root() / "assets" / "recordings", ec))
    if (e.path().filename().string().ends_with("-counters.json")) files.push_back(e.path());
  std::sort(files.begin(), files.end());
  std::vector<CounterRecording> all;
  for (const fs::path& f : files) all.push_back(load_counters(f));
  return newest_of(std::move(all));
}

std::vector<CounterReason> load_reasons(const fs::path& path) {
  const auto text = read_file(path);
  if (!text) throw Error("cannot read " + path.string());
  try {
    std::vector<CounterReason> all;
    for (const auto& e : Json::parse(*text))
      all.push_back({e.at("target"), e.at("kernel"), e.at("reason"), e.value("gpu", "")});
    return all;
  } catch (const nlohmann::json::exception& e) {
    throw Error(path.string() + " has no reasons: " + json_words(e, *text));
  }
}

bool CounterReason::concerns(const ComparedKernel& k) const {
  return target == k.target && kernel == k.kernel && (gpu.empty() || gpu == k.gpu);
}

std::string reason_of(const ComparedKernel& k, const std::vector<CounterReason>& reasons) {
  if (!k.differs()) return {};
  for (const CounterReason& r : reasons)
    if (r.concerns(k)) return r.reason;
  // The share of lanes alone, and near: the predicates that the page speaks of.
  const bool lanes = k.memory_exact() && k.traffic_error() <= 0.1 && k.executed_error() <= 0.05 &&
                     std::all_of(k.executed.begin(), k.executed.end(), [](const ComparedCounter& c) {
                       return c.error() == 0 || c.name == "lanes_on_per_instruction";
                     });
  return lanes ? "predicates inside PTX instructions" : "";
}

std::vector<std::string> wrong_reasons(const std::vector<ComparedKernel>& all,
                                       const std::vector<CounterReason>& reasons) {
  std::vector<std::string> wrong;
  for (const ComparedKernel& k : all)
    if (k.differs() && reason_of(k, reasons).empty())
      wrong.push_back(fmt::format("{} {} differs without a reason: {}", k.target, k.kernel, k.difference()));
  for (const CounterReason& r : reasons) {
    const auto concerned = [&](const ComparedKernel& k) { return r.concerns(k); };
    const auto differs = [&](const ComparedKernel& k) { return r.concerns(k) && k.differs(); };
    if (std::any_of(all.begin(), all.end(), concerned) && std::none_of(all.begin(), all.end(), differs))
      wrong.push_back(fmt::format("{} {} has a reason though nothing differs", r.target, r.kernel));
  }
  return wrong;
}

std::string counters_markdown(const std::vector<CounterRecording>& recordings,
                              const std::vector<ComparedKernel>& all,
                              const std::vector<CounterReason>& reasons) {
  std::string s =
      "# Counters, against real GPUs\n\n"
      "Made by `warpdojo counters --markdown`. Recorded with Nsight Compute (`warpdojo profile`) on:\n\n";
  for (const CounterRecording& r : recordings) {
    const size_t n = count(all, [&](auto& k) { return k.gpu == r.gpu; });
    if (n)
      s += fmt::format("- {}, driver {}, {}, commit {}: {} kernels here\n", r.gpu, r.driver, r.date, r.commit,
                       n);
  }
  s += "\nA kernel that several recordings have is here once, as the newest has it.\n\n" + summary(all) +
       "\n" + how + "\n";
  s += "| GPU | target | kernel | memory | executed, largest error | DRAM read | L1 hits, points | L2 hits, "
       "points | differences | reason |\n"
       "| --- | --- | --- | --- | ---: | ---: | ---: | ---: | --- | --- |\n";
  for (const auto& k : all)
    s += fmt::format("| {} | {} | `{}` | {} | {} | {} | {} | {} | {} | {} |\n", k.gpu, k.target, k.kernel,
                     k.memory_exact() ? "equal" : "**differ**", off_by(k.executed_error()),
                     off_by(k.error_of("dram_read_bytes")), off_by(k.error_of("l1_hit_rate")),
                     off_by(k.error_of("l2_hit_rate")), k.difference(), reason_of(k, reasons));
  return s;
}

}  // namespace dojo::run
