#include "core/gates/place.hpp"

#include <algorithm>
#include <charconv>

#include "core/fingerprint.hpp"

namespace dojo::gates {
namespace {

constexpr size_t most_digits = 10;

bool parse_number(std::string_view text, int64_t& to) {
  if (text.empty() || text.size() > most_digits ||
      !std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return false;
  return std::from_chars(text.data(), text.data() + text.size(), to).ec == std::errc();
}

/// One of `count` choices: the last one for draw 0, else a pseudo-random one.
uint64_t choice(const std::string& what, uint64_t draw, uint64_t count) {
  if (draw == 0) return count - 1;
  return spread(fingerprint(what + "|" + std::to_string(draw))) % count;
}

}  // namespace

bool parse_range(std::string_view text, Range& to) {
  Range r;
  const size_t dots = text.find("..");
  if (dots == text.npos) {
    if (!parse_number(text, r.first)) return false;
    r.last = r.first;
  } else {
    std::string_view last = text.substr(dots + 2);
    if (const size_t slash = last.find('/'); slash != last.npos) {
      if (!parse_number(last.substr(slash + 1), r.step)) return false;
      last = last.substr(0, slash);
    }
    if (!parse_number(text.substr(0, dots), r.first) || !parse_number(last, r.last)) return false;
  }
  if (r.step < 1 || r.last < r.first) return false;
  to = r;
  return true;
}

std::string to_string(const Range& r) {
  std::string s = std::to_string(r.first);
  if (r.last == r.first) return s;
  s += ".." + std::to_string(r.last);
  if (r.step != 1) s += "/" + std::to_string(r.step);
  return s;
}

bool Place::drawn() const {
  return devices.size() > 1 ||
         std::any_of(size.begin(), size.end(), [](const auto& extent) { return extent.second.count() > 1; });
}

std::string to_string(const Place& p) {
  if (!p.given()) return {};
  std::string s;
  for (const auto& [extent, values] : p.size) s += (s.empty() ? "" : ", ") + extent + "=" + to_string(values);
  for (size_t i = 0; i < p.devices.size(); ++i) s += (s.empty() ? "" : i ? "|" : ", ") + p.devices[i];
  return " (" + s + ")";
}

Spot spot(const Place& p, uint64_t draw) {
  const std::string text = to_string(p);
  Spot s;
  for (const auto& [extent, values] : p.size)
    s.size[extent] =
        values.first + values.step * int64_t(choice(text + extent, draw, uint64_t(values.count())));
  if (!p.devices.empty()) s.device = p.devices[choice(text, draw, p.devices.size())];
  return s;
}

}  // namespace dojo::gates
