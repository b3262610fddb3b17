#include <fmt/format.h>

#include <algorithm>

#include "core/text/numbers.hpp"
#include "run/profile/page.hpp"
#include "run/verdict/shown.hpp"

namespace dojo::run {
namespace {

/// Columns: the first left, the others right.
std::string columns(const std::vector<std::vector<std::string>>& rows, const std::string& indent) {
  std::vector<size_t> width;
  for (const auto& r : rows)
    for (size_t i = 0; i < r.size(); ++i) {
      if (i >= width.size()) width.push_back(0);
      width[i] = std::max(width[i], r[i].size());
    }
  std::string text;
  for (const auto& r : rows) {
    std::string line = indent;
    for (size_t i = 0; i < r.size(); ++i)
      line += i == 0 ? fmt::format("{:<{}}", r[i], width[i]) : fmt::format("  {:>{}}", r[i], width[i]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

/// A metric in a narrow terminal: its name, and below it, at the right edge, value and unit where they don't
/// fit behind the name.
std::string narrow_row(const ProfileRow& r, size_t room) {
  const std::string figure = r.value + (r.unit.empty() ? "" : " " + r.unit);
  const std::string name = (r.metric.size() + 2 <= room ? "  " : "") + r.metric;
  if (name.size() + 1 + figure.size() <= room)
    return name + fmt::format("{:>{}}", figure, room - name.size()) + "\n";
  return name + "\n" + fmt::format("{:>{}}", figure, room) + "\n";
}

/// A table whose rows don't fit: each row's name, its figures below with the heads of their columns.
std::string narrow_table(const ProfileTable& t, size_t room) {
  std::string text = t.head.empty() ? "" : "  " + t.head[0] + "\n";
  for (const auto& r : t.rows) {
    text += "  " + r[0] + "\n";
    for (size_t i = 1; i < r.size(); ++i)
      text += narrow_row({i < t.head.size() ? "  " + t.head[i] : "", "", r[i]}, room);
  }
  return text;
}

size_t widest(const std::string& text) {
  size_t most = 0;
  for (size_t at = 0, end; at < text.size(); at = end + 1) {
    end = std::min(text.find('\n', at), text.size());
    most = std::max(most, end - at);
  }
  return most;
}

std::string section_text(const ProfileSection& s, size_t room) {
  constexpr size_t usual = 79;
  std::string text = (room && room < usual ? "" : "  ") + s.title + "\n";
  std::vector<std::vector<std::string>> rows;
  // A common width, so that the sections of a page line up.
  for (const auto& r : s.rows)
    rows.push_back(
        {fmt::format("{:<42}", r.metric), fmt::format("{:>15}", r.unit), fmt::format("{:>14}", r.value)});
  if (const std::string wide = columns(rows, "    "); !room || widest(wide) <= room)
    text += wide;
  else
    for (const auto& r : s.rows) text += narrow_row(r, room);
  for (const auto& t : s.tables) {
    std::vector<std::vector<std::string>> cells{t.head};
    cells.insert(cells.end(), t.rows.begin(), t.rows.end());
    const std::string wide = columns(cells, "    ");
    text += !room || widest(wide) <= room ? wide : narrow_table(t, room);
  }
  return text;
}

std::string triple(const Dim3& d) { return fmt::format("({}, {}, {})", d.x, d.y, d.z); }

}  // namespace

std::string profile_number(double v, int digits) { return with_commas(fmt::format("{:.{}f}", v, digits), 4); }

std::vector<ProfiledLaunches> alike_launches(const RunReport& run) {
  std::vector<ProfiledLaunches> all;
  for (size_t i = 0; i < run.launches.size(); ++i) {
    const LaunchReport& l = run.launches[i];
    const auto same = std::find_if(all.begin(), all.end(), [&](const ProfiledLaunches& p) {
      const LaunchReport& o = run.launches[p.first];
      return o.kernel == l.kernel && o.grid == l.grid && o.block == l.block &&
             o.dynamic_smem == l.dynamic_smem;
    });
    if (same == all.end()) {
      all.push_back({i, 1, l.time_us});
      continue;
    }
    ++same->count;
    same->time_us += l.time_us;
    if (l.time_us > run.launches[same->first].time_us) same->first = i;
  }
  return all;
}

double gpu_utilization(const RunReport& run) {
  std::vector<std::pair<double, double>> spans;
  for (const auto& l : run.launches) spans.emplace_back(l.start_us, l.start_us + l.time_us);
  if (spans.empty()) return 0;
  std::sort(spans.begin(), spans.end());
  double busy = 0, until = spans[0].first;
  for (const auto& [start, end] : spans) {
    busy += std::max(0.0, end - std::max(start, until));
    until = std::max(until, end);
  }
  const double all = until - spans[0].first;
  return all > 0 ? busy / all : 0;
}

std::string profile_text(const RunReport& run, const ReportDevice& device, size_t room) {
  const char* unit = in_units(device) ? "units" : "us";
  std::string text =
      fmt::format("{} launches, {} {} on {}, {}.{}nvidia-smi's GPU-Util meanwhile: {:.0f} %\n",
                  run.launches.size(), profile_number(run.time_us.value), unit, device.name,
                  to_string(run.time_us.source), room && room < 90 ? "\n" : " ", 100 * gpu_utilization(run));
  if (run.launches.size() == 1) text.replace(0, 10, "1 launch");
  for (const ProfiledLaunches& p : alike_launches(run)) {
    const LaunchReport& l = run.launches[p.first];
    text += fmt::format("\n{} {}x{}", l.kernel, triple(l.grid), triple(l.block));
    if (p.count > 1)
      text += fmt::format(", the longest of {} such launches, together {} {}", p.count,
                          profile_number(p.time_us), unit);
    text += "\n";
    for (const auto& s : profile_sections(l, device)) text += section_text(s, room);
  }
  return text;
}

}  // namespace dojo::run
