#include "run/step/results.hpp"

#include <algorithm>
#include <cstring>

#include "core/text/lines.hpp"

namespace dojo::run {
namespace {

/// Names who wrote the wrong elements, where the device knows, and the buffers as the student does.
void name_writers(CheckReport& check, const Instance& instance, const std::vector<Placed>& placed,
                  Device& device) {
  for (Mismatch& m : check.mismatches)
    for (size_t i = 0; i < instance.buffers.size(); ++i) {
      const Buffer& b = instance.buffers[i];
      if (b.name != m.buffer) continue;
      Dim3 block, thread;
      if (!b.host && !b.pinned && m.index >= 0 && m.index < b.count() &&
          device.last_writer(placed[i].address + uint64_t(m.index) * size_of(b.elem), &block, &thread)) {
        m.block = block;
        m.thread = thread;
      }
      m.buffer = placed[i].name;
      break;
    }
}

/// Where two texts part, line by line: the first line that differs, with both texts of it.
std::string printed_difference(const std::string& got, const std::string& expected) {
  const auto is = lines_of(got), should = lines_of(expected);
  auto line = [](const std::vector<std::string_view>& all, size_t k) {
    return k < all.size() ? "\"" + std::string(all[k]) + "\"" : std::string("nothing");
  };
  if (is.empty() && !should.empty()) return "Nothing was printed. Expected: " + line(should, 0) + ".";
  for (size_t k = 0; k < std::max(is.size(), should.size()); ++k)
    if (line(is, k) != line(should, k))
      return "Line " + std::to_string(k + 1) + " of the printed text is " + line(is, k) +
             ". Expected: " + line(should, k) + ".";
  return "The printed text ends differently: check the line break after its last line.";
}

}  // namespace

void read_and_check(const Job& job, Device& device, const std::vector<Placed>& placed, Outputs& outputs,
                    RunReport& report) {
  const Instance& instance = *job.instance;
  for (size_t i = 0; i < placed.size(); ++i) {
    const Buffer& b = instance.buffers[i];
    outputs.buffers.push_back(read_buffer(device, placed[i]));
    if (outputs.buffers.back().size() != placed[i].bytes) {
      report.diagnostics.push_back({.kind = FindingKind::host_error,
                                    .where = {job.shown_file, 0, 0},
                                    .message = "The lab's own buffer '" + placed[i].name +
                                               "' was freed. Free only what your function allocates."});
      continue;
    }
    if (b.role == Role::in && !job.step->mutates_input && placed[i].bytes &&
        std::memcmp(outputs.buffers.back().data(), b.data.data(),
                    std::min<uint64_t>(placed[i].bytes, b.data.size())))
      report.inputs_changed = true;
  }
  report.check = job.problem->check(*job.step, instance, outputs);
  report.check.checked = true;
  name_writers(report.check, instance, placed, device);
  if (instance.print_checked && outputs.printed != instance.printed_expected) {
    report.diagnostics.push_back({.severity = Severity::note,  // the check has failed the run already
                                  .kind = FindingKind::printed,
                                  .where = {job.shown_file, 0, 0},
                                  .message = printed_difference(outputs.printed, instance.printed_expected)});
  }
}

}  // namespace dojo::run
