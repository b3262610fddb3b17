#include "run/audits/gpu_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"

namespace dojo::run {
namespace {

std::string words(const Size& size) {
  return size.size() == 1 ? std::to_string(size.begin()->second) : size_argument(size);
}

double elements(const Size& size) {
  double product = 1;
  for (const auto& [k, v] : size) product *= double(std::max<int64_t>(v, 1));
  return product;
}

const Step* step_of(const Catalog& catalog, const std::string& id) {
  for (const Lab& l : catalog.labs)
    for (const Step& s : l.steps)
      if (s.id() == id) return &s;
  return nullptr;
}

/// The best rate of memory that the recording shows: plain copies, where it has them, else 0.
double copy_ceiling(const Recording& r) {
  double best = 0;
  for (const Report& report : r.reports)
    for (const RunReport& run : report.runs)
      if (run.who == "library:copy" && elements(report.size) >= double(1 << 24))
        best = std::max(best, run.gbps);
  return best;
}

}  // namespace

std::vector<GpuFigure> gpu_figures(const Catalog& catalog, const Recording& recording) {
  const double ceiling = copy_ceiling(recording);
  std::vector<GpuFigure> all;
  for (const Report& report : recording.reports) {
    const RunReport* reference = nullptr;
    const RunReport* library = nullptr;
    for (const RunReport& run : report.runs) {
      if (run.who == "reference" && run.status == Status::pass) reference = &run;
      if (run.who.starts_with("library:") && run.who != "library:copy" && run.time_us.value > 0 &&
          run.status != Status::crash && (!library || run.time_us.value < library->time_us.value))
        library = &run;
    }
    if (!reference || reference->time_us.value <= 0) continue;
    const Step* step = step_of(catalog, report.step);
    GpuFigure f;
    f.step = report.step;
    f.size = words(report.size);
    f.open = step && step->open;
    f.us = reference->time_us.value;
    f.gbps = reference->bytes / f.us * 1e-3;
    f.tflops = reference->flops / f.us * 1e-6;
    // Tensor cores have peaks of their own, which a GPU doesn't tell.
    const bool tensor = step && step->options.count("kind") && step->options.at("kind") == "half";
    const double by_bytes = ceiling > 0 ? reference->bytes / ceiling * 1e-3 : 0;
    const double by_flops =
        report.device.peak_gflops > 0 ? reference->flops / report.device.peak_gflops * 1e-3 : 0;
    f.by_arithmetic = by_flops > by_bytes;
    if (!tensor || !f.by_arithmetic) f.of_ceiling = std::max(by_bytes, by_flops) / f.us;
    if (library) {
      f.library = library->who.substr(8);
      f.vs_library = library->time_us.value / f.us;
    }
    all.push_back(std::move(f));
  }
  return all;
}

Figures cuda_bench_figures(const std::vector<GpuFigure>& all) {
  Figures figures;
  for (const GpuFigure& f : all) {
    const std::string key = "cuda." + f.step + "@" + f.size;
    figures[key + ".us"] = f.us;
    if (f.by_arithmetic)
      figures[key + ".tflops"] = f.tflops;
    else
      figures[key + ".gbps"] = f.gbps;
    if (f.of_ceiling > 0) figures[key + ".of_ceiling"] = f.of_ceiling;
    if (f.vs_library > 0) figures[key + ".vs_library"] = f.vs_library;
  }
  return figures;
}

std::string gpu_table(const Catalog& catalog, const Recording& recording) {
  std::vector<GpuFigure> all = gpu_figures(catalog, recording);
  std::map<std::string, double> largest;
  for (const Report& r : recording.reports) largest[r.step] = std::max(largest[r.step], elements(r.size));
  std::vector<std::string> shown;
  for (const Report& r : recording.reports)
    if (elements(r.size) == largest[r.step]) shown.push_back(r.step + "@" + words(r.size));
  std::string s = fmt::format(
      "Recorded on {}. Medians; each pass starts from an empty L2. \"Of ceiling\": the least time that the "
      "fastest copy of "
      "the recording ({:.0f} GB/s) and the fp32 peak allow, over the time taken.\n\n"
      "| step | size | time | rate | of ceiling | beside the library |\n| --- | --- | ---: | ---: | ---: | "
      "---: |\n",
      recording.note(), copy_ceiling(recording));
  // In the order of the labs, whatever the order of recording.
  for (const Lab& lab : catalog.labs)
    for (const Step& step : lab.steps)
      for (const GpuFigure& f : all) {
        if (f.step != step.id()) continue;
        if (std::find(shown.begin(), shown.end(), f.step + "@" + f.size) == shown.end()) continue;
        s +=
            fmt::format("| {} | {} | {} | {} | {} | {} |\n", f.step, f.size,
                        f.us >= 1000 ? fmt::format("{:.2f} ms", f.us * 1e-3) : fmt::format("{:.1f} us", f.us),
                        f.by_arithmetic ? fmt::format("{:.1f} TFLOP/s", f.tflops)
                        : f.gbps >= 1   ? fmt::format("{:.0f} GB/s", f.gbps)
                                        : "",
                        f.of_ceiling >= 0.01 ? fmt::format("{:.0f} %", 100 * f.of_ceiling) : "",
                        f.vs_library > 0 ? fmt::format("{:.2f} x {}", f.vs_library, f.library) : "");
      }
  return s;
}

}  // namespace dojo::run
