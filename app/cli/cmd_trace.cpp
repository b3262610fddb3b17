// trace: one block, instruction by instruction.
#include <fmt/format.h>

#include <bit>
#include <cstdio>

#include "cli/cli.hpp"
#include "cli/show.hpp"
#include "core/error.hpp"
#include "core/paths.hpp"
#include "core/step_trace.hpp"

namespace dojo::cli {
namespace {

/// "7", or "x,y,z".
void parse_block(const std::string& text, run::TraceAsk& ask) {
  uint64_t at[3] = {0, 0, 0};
  size_t from = 0;
  for (int k = 0; k < 3; ++k) {
    const size_t to = text.find(',', from);
    const std::string part = text.substr(from, to == std::string::npos ? to : to - from);
    size_t used = 0;
    if (!part.empty() && part[0] != '-') try {
        at[k] = std::stoull(part, &used);
      } catch (const std::exception&) {
        used = 0;
      }
    if (used == 0 || used != part.size()) break;
    if (to == std::string::npos) {
      ask.block = at[0];
      ask.by_index = k > 0;
      ask.index = {uint32_t(at[0]), uint32_t(at[1]), uint32_t(at[2])};
      return;
    }
    from = to + 1;
  }
  throw Error("--block is a number or x,y,z, not '" + text + "'");
}

std::string describe(const StepTrace& t, const StepTrace::Step& s) {
  const auto& c = t.code[s.code];
  std::string out = fmt::format("{:>4} {:>5}  {}  {}", s.warp, c.line ? std::to_string(c.line) : "-",
                                fmt::format("{:08x}", s.mask), c.text);
  std::string notes;
  auto note = [&](const std::string& n) { notes += (notes.empty() ? "" : ", ") + n; };
  for (uint32_t k = 0; k < s.access_count; ++k) {
    const auto& a = t.accesses[s.access - 1 + k];
    if (a.space == StepTrace::Space::shared)
      note(fmt::format("shared: {} wavefront{}{}", a.wavefronts, a.wavefronts == 1 ? "" : "s",
                       a.wavefronts > a.fewest_wavefronts
                           ? fmt::format(" ({} conflict{})", a.wavefronts - a.fewest_wavefronts,
                                         a.wavefronts - a.fewest_wavefronts == 1 ? "" : "s")
                           : ""));
    else if (a.space == StepTrace::Space::global)
      note(fmt::format("global: {} sector{}", a.sectors, a.sectors == 1 ? "" : "s"));
  }
  for (uint32_t k = 0; k < s.writes; ++k) {
    const auto& w = t.writes[s.first_write + k];
    const auto& r = t.registers[w.reg];
    const uint32_t first = uint32_t(std::countr_zero(w.mask)), last = 31 - uint32_t(std::countl_zero(w.mask));
    std::string v = value_text(r.shown, value_of(t, w, first));
    if (!w.uniform) v += " .. " + value_text(r.shown, value_of(t, w, last));
    note((r.variable.empty() ? r.name : r.variable) + " = " + v);
  }
  if (s.flags & StepTrace::diverged) note("lanes part here");
  if (s.flags & StepTrace::at_barrier)
    note(fmt::format("barrier {}", s.barrier));
  else if (s.waiting)
    note("waits");
  return out + (notes.empty() ? "" : "   ; " + notes) + "\n";
}

}  // namespace

int cmd_trace(const TraceOptions& o) {
  Catalog catalog = open_catalog();
  const Step& step = step_or_program(catalog, o.run.step);
  run::RunRequest r = request_of(o.run);
  set_program(r, catalog, step);
  r.step = step.id();
  if (r.who != run::Who::reference) r.who = run::Who::student;
  r.trace = o.ask;
  r.trace.on = r.trace.names = true;
  parse_block(o.block, r.trace);
  run::WorkerClient client;
  const Answer a = ask(client, r);
  std::string text;
  if (!a.steps || !a.steps->reached) {
    if (o.run.json)
      text = to_json(a.report, 2) + "\n";
    else
      text = show_report(a.report, &catalog, &step, catalog.root.string());
  } else if (o.run.json) {
    text = trace_to_json(*a.steps) + "\n";
  } else {
    const StepTrace& t = *a.steps;
    text = fmt::format(
        "{}, block ({}, {}, {}) of {} x {} x {}, {} threads, launch {}: {} warp instructions{}{}\n", t.kernel,
        t.index.x, t.index.y, t.index.z, t.grid.x, t.grid.y, t.grid.z, t.threads.count(), t.launch,
        t.executed, t.ended ? "" : ", stopped before its end",
        t.steps.size() < t.executed ? fmt::format(", {} of them kept", t.steps.size()) : "");
    text += "warp  line  lanes     PTX\n";
    for (size_t k = 0; k < t.steps.size(); ++k) {
      if (o.warp < 0 || t.steps[k].warp == o.warp) text += describe(t, t.steps[k]);
      for (auto& n : t.notes)
        if (n.step == k && (o.warp < 0 || n.warp == o.warp))
          text += "      ^ " + std::string(to_string(n.kind)) + ": " + n.text + "\n";
    }
  }
  std::fwrite(text.data(), 1, text.size(), stdout);
  return a.exit_status;
}

}  // namespace dojo::cli
