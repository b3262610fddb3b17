#include "run/recordings/recording_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "core/error.hpp"
#include "core/files/whole_file.hpp"

namespace dojo::run {
namespace {

constexpr const char* heading =
    "# Microseconds of the references, a column for each recording of one model of GPU (of a machine each); "
    "empty: not run.\n"
    "# Made by `warpdojo record [STEP...] --times THIS --out RECORDING`, which adds a column; `warpdojo "
    "bench fidelity` reads it.\n";

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> out(1);
  for (char c : line) {
    if (c == ',')
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

}  // namespace

std::string size_name(const Size& size) {
  std::string s;
  for (const auto& [k, v] : size) s += (s.empty() ? "" : ";") + k + "=" + std::to_string(v);
  return s;
}

RecordedTimes load_times(const fs::path& path) {
  const auto text = read_file(path);
  if (!text) throw Error("cannot read " + path.string());
  RecordedTimes t;
  std::istringstream in(*text);
  int number = 0;
  bool named = false;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> f = fields(line);
    const auto wrong = [&](const char* what) {
      return Error(fmt::format("{}:{}: {}", path.string(), number, what));
    };
    if (f.size() < 3) throw wrong("a table of times has a step, a size and a time for each recording");
    if (!named) {
      named = true;
      t.recordings.assign(f.begin() + 2, f.end());
      continue;
    }
    if (f.size() != t.recordings.size() + 2)
      throw wrong("not as many times as the first line has recordings");
    std::vector<double> us;
    for (size_t i = 2; i < f.size(); ++i) {
      double v = 0;
      const auto [end, bad] = std::from_chars(f[i].data(), f[i].data() + f[i].size(), v);
      if (!f[i].empty() && (bad != std::errc() || end != f[i].data() + f[i].size() || !(v >= 0) || v > 1e12))
        throw wrong("a time is no number of microseconds");
      us.push_back(f[i].empty() ? 0 : v);
    }
    t.us[{f[0], f[1]}] = std::move(us);
  }
  return t;
}

void save_times(const fs::path& path, const RecordedTimes& t) {
  std::string text = std::string(heading) + "step,size";
  for (const auto& r : t.recordings) text += "," + r;
  text += "\n";
  for (const auto& [key, us] : t.us) {
    text += key.first + "," + key.second;
    for (double v : us) text += v > 0 ? fmt::format(",{:.3f}", v) : ",";
    text += "\n";
  }
  if (!write_atomically(path, text)) throw Error("cannot write " + path.string());
}

void add_times(RecordedTimes& t, const Recording& r, const std::vector<std::string>& steps) {
  const auto named = [&](const std::string& step) {
    return steps.empty() || std::any_of(steps.begin(), steps.end(), [&](const std::string& s) {
             return s == step || s == "all" || step.starts_with(s + "/");
           });
  };
  t.recordings.push_back(r.date + " " + r.commit);
  for (const Report& report : r.reports)
    for (const RunReport& run : report.runs)
      if (run.who == "reference" && run.status == Status::pass && run.time_us.value > 0 &&
          named(report.step)) {
        auto& us = t.us[{report.step, size_name(report.size)}];
        us.resize(t.recordings.size());
        us.back() = run.time_us.value;
      }
  for (auto& [key, us] : t.us) us.resize(t.recordings.size());
}

fs::path times_path(const std::string& device) {
  fs::path p = recording_path(device);
  p.replace_filename(p.stem().string() + "-times.csv");
  return p;
}

}  // namespace dojo::run
