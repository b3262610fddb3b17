// waves: what-if arithmetic for two dependent kernels. No compiler, no run: only slots and tiles.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/cli.hpp"
#include "cli/terminal.hpp"
#include "core/error.hpp"
#include "core/waves.hpp"

namespace dojo::cli {
namespace {

constexpr WaitPolicy kPolicies[] = {WaitPolicy::stream, WaitPolicy::row, WaitPolicy::tile};

/// "3x2": rows x columns of tiles.
TileGrid parse_grid(const std::string& text, double us) {
  const size_t x = text.find('x');
  if (x == std::string::npos) throw Error("'" + text + "' is no grid of tiles: write ROWSxCOLUMNS, as 3x2");
  const int64_t rows = parse_extent(text.substr(0, x)), columns = parse_extent(text.substr(x + 1));
  constexpr int64_t most = 1 << 22;
  if (std::min(rows, columns) < 1 || std::max(rows, columns) > most)
    throw Error("'" + text + "' is no grid of tiles: rows and columns are from 1 to 4194304");
  return {int(rows), int(columns), us};
}

/// A row of text for each slot: the first kernel's tiles C, the second's E, waiting ~, idle a dot.
std::string drawing(const WhatIf& w, const Forecast& f) {
  constexpr int columns = 64;
  std::vector<std::string> rows(size_t(w.capacity()), std::string(columns, '.'));
  for (const TileSpan& s : f.spans) {
    auto at = [&](double t) { return std::clamp(int(std::lround(t / f.time_us * columns)), 0, columns); };
    std::string& row = rows[size_t(s.slot)];
    const int from = at(s.start), to = at(s.end), works = at(s.start + s.waiting);
    for (int i = from; i < to; ++i) row[size_t(i)] = i < works ? '~' : s.kernel ? 'e' : 'c';
    if (works < to) row[size_t(works)] = s.kernel ? 'E' : 'C';  // where a tile begins
  }
  std::string out;
  for (size_t i = 0; i < rows.size(); ++i)
    out += fmt::format("  {:>6}  {}\n", i == 0 ? "SM 0" : std::to_string(i % size_t(w.sms)), rows[i]);
  return out;
}

nlohmann::json to_json(const WhatIf& w, const Forecast& f) {
  nlohmann::json j{{"policy", to_string(f.policy)},
                   {"time_us", f.time_us},
                   {"utilization", f.utilization},
                   {"waiting_us", f.waiting_us}};
  for (const TileSpan& s : f.spans)
    j["tiles"].push_back({{"kernel", s.kernel},
                          {"row", s.row},
                          {"column", s.column},
                          {"sm", s.slot % w.sms},
                          {"start_us", s.start},
                          {"end_us", s.end},
                          {"waiting_us", s.waiting}});
  return j;
}

int sweep_mlp(const WavesOptions& o) {
  const TileGrid tile = parse_grid(o.tile, 1);
  if (tile.rows <= 0 || tile.columns <= 0) throw Error("a tile has at least one row and one column");
  if (!(o.tflops > 0)) throw Error("--tflops must be above 0");
  std::vector<std::vector<std::string>> rows{
      {"M", "tiles", "stream order", "RowSync", "", "TileSync", "", "best"}};
  std::string csv = "m,tiles_first,tiles_second,stream_us,row_us,tile_us,ideal_us,best\n";
  nlohmann::json all = nlohmann::json::array();
  for (int m : o.m) {
    if (m <= 0 || m > (1 << 20)) throw Error("--m takes rows from 1 to 2^20");
    WhatIf w = mlp(m, tile.rows, tile.columns, o.sms ? o.sms : 132, o.tflops);
    if (o.wait >= 0) w.wait_us = o.wait;
    w.blocks_per_sm = o.blocks_per_sm;
    double us[3];
    for (int i = 0; i < 3; ++i) us[i] = forecast(w, kPolicies[i], false).time_us;
    // Within half a per cent no policy wins.
    const int least = int(std::min_element(us, us + 3) - us), best = us[least] > us[0] * 0.995 ? 0 : least;
    const bool tie =
        best == 0 && us[least] < us[0] * 1.005 && (us[1] < us[0] * 1.005 || us[2] < us[0] * 1.005);
    const std::string word = tie ? "no difference" : to_string(kPolicies[best]);
    auto change = [&](int i) { return fmt::format("{:+.1f} %", 100 * (us[i] / us[0] - 1)); };
    rows.push_back({std::to_string(m), fmt::format("{} + {}", w.first.count(), w.second.count()),
                    time_text(us[0]), time_text(us[1]), change(1), time_text(us[2]), change(2), word});
    csv += fmt::format("{},{},{},{:.6g},{:.6g},{:.6g},{:.6g},{}\n", m, w.first.count(), w.second.count(),
                       us[0], us[1], us[2], ideal_us(w), word);
    all.push_back({{"m", m},
                   {"tiles", {w.first.count(), w.second.count()}},
                   {"stream_us", us[0]},
                   {"row_us", us[1]},
                   {"tile_us", us[2]},
                   {"ideal_us", ideal_us(w)},
                   {"best", word}});
  }
  if (!o.csv.empty() && !(std::ofstream(o.csv) << csv))
    throw Error("cannot write " + o.csv + ": is the folder there?");
  if (o.json) {
    fmt::print("{}\n", nlohmann::json{{"source", "modelled"}, {"sweep", all}}.dump(2));
    return 0;
  }
  fmt::print(
      "GPT-3's feed-forward pair, [M x 12288] . [12288 x 6144] . [6144 x 12288], tiles of {}, {} SMs, {} "
      "TFLOP/s: modelled\n\n{}",
      o.tile, o.sms ? o.sms : 132, o.tflops, table(rows, "  "));
  fmt::print("\nBlocks and slots only: no cache, no clock. A wait costs {} us (docs/waves.md).\n",
             o.wait >= 0 ? o.wait : kMlpWaitUs);
  return 0;
}

}  // namespace

int cmd_waves(const WavesOptions& o) {
  if (o.mlp) return sweep_mlp(o);
  WhatIf w;
  w.first = parse_grid(o.grid, o.time);
  w.second = parse_grid(o.then, o.then_time > 0 ? o.then_time : o.time);
  w.sms = o.sms ? o.sms : 4;
  w.blocks_per_sm = o.blocks_per_sm;
  w.wait_us = std::max(0.0, o.wait);
  w.post_us = o.post;
  w.launch_us = o.launch;
  const bool draw =
      w.sms > 0 && w.blocks_per_sm > 0 && w.capacity() <= 16 && w.first.count() + w.second.count() <= 200;
  std::vector<Forecast> all;
  for (WaitPolicy p : kPolicies) all.push_back(forecast(w, p, draw || o.json));
  if (o.json) {
    nlohmann::json j{{"source", "modelled"},
                     {"capacity", w.capacity()},
                     {"waves_apart", waves_apart(w)},
                     {"waves_together", waves_together(w)},
                     {"ideal_us", ideal_us(w)}};
    for (const Forecast& f : all) j["policies"].push_back(to_json(w, f));
    fmt::print("{}\n", j.dump(2));
    return 0;
  }
  const std::string says = fmt::format(
      "{} + {} tiles on {} slots ({} SMs x {}): {} + {} waves one after the other, {} together. Ideal gain "
      "{:.2f}. Modelled.",
      w.first.count(), w.second.count(), w.capacity(), w.sms, w.blocks_per_sm,
      waves_of(w.first.count(), w.capacity()), waves_of(w.second.count(), w.capacity()), waves_together(w),
      ideal_us(w) > 0 ? all[0].time_us / ideal_us(w) : 1.0);
  fmt::print("{}\n", hang("", says));
  std::vector<std::vector<std::string>> rows{{"", "time", "used", "spun", "against stream order"}};
  for (const Forecast& f : all)
    rows.push_back(
        {to_string(f.policy), fmt::format("{:.4g}", f.time_us), fmt::format("{:.0f} %", 100 * f.utilization),
         fmt::format("{:.4g}", f.waiting_us),
         fmt::format("{:+.1f} %", all[0].time_us > 0 ? 100 * (f.time_us / all[0].time_us - 1) : 0.0)});
  fmt::print("{}", table(rows, "  "));
  if (draw)
    for (const Forecast& f : all)
      if (f.time_us > 0) fmt::print("\n{}\n{}", to_string(f.policy), drawing(w, f));
  return 0;
}

}  // namespace dojo::cli
