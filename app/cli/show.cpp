// A report as text: the side-by-side table, what is wrong, gates, kernels, the timeline.
#include "cli/show.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/cli.hpp"
#include "cli/terminal.hpp"
#include "core/counters.hpp"
#include "core/host_work.hpp"
#include "core/timeline/work_spans.hpp"
#include "run/step/poison.hpp"
#include "run/verdict/shown.hpp"

namespace dojo::cli {
namespace {

std::string verdict(const RunReport& r) {
  switch (r.status) {
    case Status::pass:
      return paint(Ink::good, "pass");
    case Status::gate_failed:
      if (wrong_elsewhere(r)) return paint(Ink::bad, "wrong at another size");
      return paint(Ink::warn, "right, but a gate fails");
    case Status::wrong:
      return paint(Ink::bad,
                   r.inputs_changed && r.check.wrong == 0 ? "wrong: inputs changed" : "wrong result");
    case Status::compile_error:
      return paint(Ink::bad, "does not compile");
    case Status::finding:
      return paint(Ink::bad, "finding");
    case Status::timeout:
      return paint(Ink::bad, "time limit");
    case Status::crash:
      return paint(Ink::bad, "crashed");
  }
  return "?";
}

std::string dim(const Dim3& d) {
  if (d.z > 1) return fmt::format("{}x{}x{}", d.x, d.y, d.z);
  if (d.y > 1) return fmt::format("{}x{}", d.x, d.y);
  return std::to_string(d.x);
}
/// The launch that takes longest: its shape stands for the run.
const LaunchReport* main_launch(const RunReport& r) {
  auto it =
      std::max_element(r.launches.begin(), r.launches.end(),
                       [](const LaunchReport& a, const LaunchReport& b) { return a.time_us < b.time_us; });
  return it == r.launches.end() ? nullptr : &*it;
}

using Rows = std::vector<std::vector<std::string>>;

/// A row with one cell a run; left out when no run has anything to say.
template <class F>
void row(Rows& rows, const Report& report, const std::string& name, F cell) {
  std::vector<std::string> cells{name};
  bool any = false;
  for (const auto& r : report.runs) {
    cells.push_back(cell(r));
    any = any || (!cells.back().empty() && cells.back() != "-");
  }
  if (any) rows.push_back(std::move(cells));
}

template <class F>
void launch_row(Rows& rows, const Report& report, const std::string& name, F cell) {
  row(rows, report, name, [&](const RunReport& r) {
    const LaunchReport* l = main_launch(r);
    return l ? cell(*l) : std::string("-");
  });
}

Rows figures(const Report& report) {
  Rows rows;
  std::vector<std::string> head{""};
  for (const auto& r : report.runs) head.push_back(paint(Ink::bold, r.who));
  rows.push_back(head);
  row(rows, report, "verdict", verdict);
  row(rows, report, "time", [&report](const RunReport& r) {
    std::string s = time_on(report.device, r.time_us.value);
    if (r.time_us.n > 1) s += fmt::format(" ({:.1f}..{:.1f})", r.time_us.min, r.time_us.max);
    return s;
  });
  row(rows, report, "end to end",
      [&report](const RunReport& r) { return time_on(report.device, r.end_to_end_us); });
  const auto rates = [&report](const RunReport& r) { return has_rates(r, report.device); };
  row(rows, report, "bandwidth", [&rates](const RunReport& r) {
    return r.gbps > 0 && rates(r) ? fmt::format("{} ({:.0f} %)", rate_text(r.gbps), r.pct_of_peak_bandwidth)
                                  : "-";
  });
  row(rows, report, "DRAM traffic",
      [&report](const RunReport& r) { return in_units(report.device) ? "-" : rate_text(r.dram_gbps); });
  row(rows, report, "arithmetic",
      [&rates](const RunReport& r) { return rates(r) ? flops_text(r.gflops) : "-"; });
  row(rows, report, "launches",
      [](const RunReport& r) { return r.launches.size() > 1 ? std::to_string(r.launches.size()) : "-"; });
  launch_row(rows, report, "grid x block",
             [](const LaunchReport& l) { return dim(l.grid) + " x " + dim(l.block); });
  launch_row(rows, report, "registers",
             [](const LaunchReport& l) { return l.registers ? std::to_string(l.registers) : "-"; });
  launch_row(rows, report, "shared memory", [](const LaunchReport& l) {
    return l.static_smem + l.dynamic_smem ? fmt::format("{} B", l.static_smem + l.dynamic_smem) : "-";
  });
  launch_row(rows, report, "occupancy", [](const LaunchReport& l) {
    return l.occupancy > 0 ? fmt::format("{:.0f} %", 100 * l.occupancy) : "-";
  });
  launch_row(rows, report, "resident blocks per SM",
             [](const LaunchReport& l) { return l.occupancy > 0 ? std::to_string(l.blocks_per_sm) : "-"; });
  launch_row(rows, report, "waves", [](const LaunchReport& l) {
    return l.waves > 0 ? fmt::format("{:.2f} ({:.0f} % used)", l.waves, 100 * l.wave_utilization) : "-";
  });
  for (const auto& [name, alias] : {std::pair<const char*, const char*>{"instructions", "instructions"},
                                    {"predicated-on lanes", "lanes_on_per_instruction"},
                                    {"global sectors", "global_sectors"},
                                    {"shared wavefronts", "shared_wavefronts"},
                                    {"bank conflicts", "shared_conflicts"},
                                    {"divergent branches", "divergent_branches"},
                                    {"DRAM bytes", "dram_bytes"}})
    row(rows, report, name, [&report, alias = alias](const RunReport& r) {
      // A run on a GPU, or a recording of one, has times but no counters, and a launch that was stopped has
      // none: "0 instructions" would be false.
      const bool known = report.device.kind == DeviceKind::simt
                             ? std::all_of(r.launches.begin(), r.launches.end(), counted)
                             : total(r, alias) > 0;
      return r.launches.empty() || !known ? "-" : count_text(total(r, alias));
    });
  return rows;
}

std::string compare_text(const Report& report) {
  const RunReport* s = student_run(report);
  const RunReport* r = reference_run(report);
  if (!s || !r || !(s->time_us.value > 0) || !(r->time_us.value > 0)) return "";
  // Where copies or graphs are the point, the time that counts is end to end.
  const bool host = r->end_to_end_us > 0 && std::any_of(r->timeline.begin(), r->timeline.end(), [](auto& w) {
                      return w.graph || w.kind == WorkSpan::Kind::up || w.kind == WorkSpan::Kind::down;
                    });
  const double q = host ? s->end_to_end_us / r->end_to_end_us : s->time_us.value / r->time_us.value;
  const std::string whose = correct(*s) ? "Yours" : time_doubt(*s) + std::string("yours");
  const char* clock = host ? ", end to end" : "";
  if (q > 1.02) return fmt::format("{} takes {:.2f} times the reference's time{}.\n", whose, q, clock);
  if (q < 0.98) return fmt::format("{} is {:.2f} times as fast as the reference{}.\n", whose, 1 / q, clock);
  return whose + " is as fast as the reference" + clock + ".\n";
}

std::string check_text(const RunReport& r) {
  const CheckReport& c = r.check;
  std::string out;
  if (r.inputs_changed) out += paint(Ink::bad, "The inputs were changed.") + " Write to the output only.\n";
  if (c.wrong <= 0) return out;
  // Text has its own words, in a diagnostic.
  if (c.mismatches.size() == 1 && c.mismatches[0].buffer == "printed text")
    return out + paint(Ink::bad, "The printed text is wrong.") + "\n";
  out += paint(Ink::bad, fmt::format("{} element{} wrong", count_text(double(c.wrong)),
                                     c.wrong == 1 ? " is" : "s are"));
  // How far an element is off that no thread wrote says nothing.
  const bool written = std::none_of(c.mismatches.begin(), c.mismatches.end(), never_written);
  if (written && std::isfinite(c.max_abs) && c.max_abs > 0)
    out += fmt::format(", by up to {:.3g}", c.max_abs);
  out += fmt::format(" (tolerance {:.3g}{})\n", c.tolerance,
                     c.tolerance_note.empty() ? "" : ": " + c.tolerance_note);
  Rows rows{{"", "index", "got", "expected", "written by"}};
  for (const auto& m : c.mismatches) {
    const std::string by = thread_words(m.block, m.thread);
    rows.push_back({m.buffer, std::to_string(m.index),
                    never_written(m) ? "not written" : fmt::format("{:.9g}", m.got),
                    fmt::format("{:.9g}", m.expected), by.empty() ? "-" : by});
  }
  return out + table(rows, "  ");
}

std::string gate_text(const RunReport& r) {
  std::string out;
  for (const auto& g : r.gates) {
    out += g.pass ? paint(Ink::good, "  ok    ") : paint(Ink::bad, "  FAILS ");
    out += g.name;
    if (!std::isnan(g.value)) {
      const std::string figures = fmt::format("{} {} {}", count_text(g.value), g.op, count_text(g.bound));
      out += fits(8 + width(g.name) + 3 + width(figures)) ? "   " : "\n        ";
      out += paint(Ink::dim, figures);
    }
    out += "\n";
    if (!g.pass && !g.words.empty()) out += wrap(g.words, 96, "        ");
  }
  return out;
}

}  // namespace

std::string show_kernels(const std::vector<run::KernelRow>& kernels, Source source,
                         const ReportDevice& device) {
  constexpr size_t most_columns = 60;  // names of templates go on for long
  if (kernels.empty()) return "";
  const bool sampled =
      std::any_of(kernels.begin(), kernels.end(), [](auto& k) { return k.in_detail < k.launches; });
  Rows rows{{"kernel", "launches", "time", "share", "bound by"}};
  if (sampled) rows[0].insert(rows[0].begin() + 2, "in detail");
  for (const auto& k : kernels) {
    const std::string name =
        k.kernel.size() > most_columns ? k.kernel.substr(0, most_columns - 3) + "..." : k.kernel;
    rows.push_back({name, std::to_string(k.launches), k.time_us > 0 ? time_on(device, k.time_us) : "-",
                    k.time_us > 0 ? fmt::format("{:.1f} %", 100 * k.share) : "-",
                    k.bound_by.empty() ? "-" : k.bound_by});
    if (!sampled) continue;
    auto& row = rows.back();
    row.insert(row.begin() + 2, std::to_string(k.in_detail));
    if (k.in_detail < k.launches && k.time_us > 0) row[3] = "~" + row[3];
  }
  const bool timed = std::any_of(kernels.begin(), kernels.end(), [](auto& k) { return k.time_us > 0; });
  return fmt::format(
      "\n{}{}", table(rows),
      timed ? fmt::format("time: {}, all launches of the kernel together\n", to_string(source)) : "");
}

std::string run_title(const Step& step, const RunReport& run) {
  return run::is_program(step) ? step.lab : step.id() + " (" + run.who + ")";
}

std::string show_report(const Report& report, const Catalog* catalog, const Step* step,
                        const std::string& root) {
  std::string out = paint(Ink::bold, report.step);
  if (step) out += "  " + step->title;
  out += "\n";
  const auto& d = report.device;
  std::string where = d.name;
  if (d.kind == DeviceKind::simt)
    where += d.model_version.empty() ? " (modelled)" : " (modelled, model " + d.model_version + ")";
  if (d.kind == DeviceKind::cuda) where += " (measured on " + d.title + ")";
  if (d.kind == DeviceKind::recording) where += " (recorded: " + d.recorded_note + ")";
  const std::string size = size_text(report.size), seed = fmt::format("seed {}", report.seed);
  const bool one_line = fits(width(size) + width(where) + width(seed) + 6);
  const char* gap = one_line ? "   " : "\n";
  out += paint(Ink::dim,
               fmt::format("{}{}{}{}{}\n", size, size.empty() && !one_line ? "" : gap, where, gap, seed)) +
         "\n";
  out += table(figures(report), "  ");
  if (std::any_of(report.runs.begin(), report.runs.end(), estimated))
    out += paint(Ink::dim,
                 "  Counts are estimated: there is no machine code to read them from, or not all of it was "
                 "recognised.\n");
  if (d.kind == DeviceKind::recording)
    out += paint(Ink::dim, "  This is the recorded reference. A recording cannot run your file.\n");
  if (const auto c = compare_text(report); !c.empty()) out += "\n" + c;
  for (const auto& r : report.runs) {
    std::string part = check_text(r);
    for (const auto& diagnostic : r.diagnostics) part += show_diagnostic(diagnostic, root);
    if (r.who == "student" && !r.printed.empty())
      part += paint(Ink::dim, "printed:") + "\n" + r.printed + (r.printed.back() == '\n' ? "" : "\n");
    part += gate_text(r);
    if (r.who != "student" && r.status == Status::pass) continue;  // the reference has nothing to add
    if (!part.empty()) out += "\n" + paint(Ink::bold, r.who) + "\n" + part;
    const std::string lines = show_lines(r, root);
    if (!lines.empty()) out += "\n" + lines;
  }
  if (step && !step->published.empty()) {
    out += "\n" + paint(Ink::dim, "published") + "\n";
    for (const auto& p : step->published)
      out += paint(Ink::dim, fmt::format("  {}: {} ({}{})\n", p.what, p.value, p.gpu,
                                         p.source.empty() ? "" : ", " + p.source));
  }
  (void)catalog;
  return out;
}

std::string show_timeline(const Report& report) {
  constexpr int columns = 72;
  std::string out;
  for (const RunReport& r : report.runs) {
    double end = 0;
    for (const WorkSpan& s : r.timeline) end = std::max(end, s.end_us);
    if (end <= 0) continue;
    out += fmt::format("\n{}, {} on the host's clock; copies and kernels {}, {} overlap\n", r.who,
                       time_on(report.device, end), time_on(report.device, span_figure(r, "busy_us")),
                       span_figure(r, "overlap_us") > 0
                           ? "of which " + time_on(report.device, span_figure(r, "overlap_us"))
                           : "which do not");
    for (const SpanLane& lane : lanes(r.timeline)) {
      std::string row(columns, '.');
      int nth = 0;
      for (size_t i : lane.spans) {
        const WorkSpan& s = r.timeline[i];
        const int from = std::clamp(int(s.start_us / end * columns), 0, columns - 1),
                  to = std::clamp(int(std::ceil(s.end_us / end * columns)), from + 1, columns);
        // Spans that follow each other alternate, so that their ends show.
        const char mark =
            s.kind == WorkSpan::Kind::host ? (s.label.empty() ? 'h' : s.label[0]) : (nth++ % 2 ? '=' : '#');
        for (int k = from; k < to; ++k) row[size_t(k)] = mark;
      }
      out += fmt::format("  {:>10}  {}\n", lane.name, row);
    }
  }
  if (!out.empty())
    out +=
        "  # and = are copies or kernels by turns; of the host the first letter of what it does: launch, "
        "copy, "
        "wait, ...\n";
  return out;
}

}  // namespace dojo::cli
