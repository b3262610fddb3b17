#include "grade/book/calendar.hpp"

#include <fmt/format.h>

#include <cctype>
#include <chrono>
#include <cstdlib>

namespace dojo::grade {
namespace {

bool digits(const std::string& s, size_t at, size_t n) {
  for (size_t i = at; i < at + n; ++i)
    if (i >= s.size() || !std::isdigit(static_cast<unsigned char>(s[i]))) return false;
  return true;
}

int number(const std::string& s, size_t at, size_t n) { return std::atoi(s.substr(at, n).c_str()); }

bool one_of(const std::string& s, size_t at, const char* any) {
  return at < s.size() && std::string(any).find(s[at]) != std::string::npos;
}

/// YYYY-MM-DD at `at`, and what follows of HH:MM(:SS); `end`: behind it.
std::optional<int64_t> time_at(const std::string& s, size_t at, size_t* end) {
  if (!digits(s, at, 4) || !one_of(s, at + 4, "-") || !digits(s, at + 5, 2) || !one_of(s, at + 7, "-") ||
      !digits(s, at + 8, 2))
    return std::nullopt;
  const std::chrono::year_month_day day{std::chrono::year(number(s, at, 4)),
                                        std::chrono::month(unsigned(number(s, at + 5, 2))),
                                        std::chrono::day(unsigned(number(s, at + 8, 2)))};
  if (!day.ok()) return std::nullopt;
  int64_t seconds = std::chrono::sys_days(day).time_since_epoch().count() * int64_t(86400);
  *end = at + 10;
  if (!one_of(s, at + 10, "T _-") || !digits(s, at + 11, 2) || !one_of(s, at + 13, ":-._") ||
      !digits(s, at + 14, 2))
    return seconds + 86399;
  const int hour = number(s, at + 11, 2), minute = number(s, at + 14, 2);
  int second = 0;
  *end = at + 16;
  // What separates hours from minutes separates seconds, too: in "23:59-07:00" an offset follows.
  if (at + 16 < s.size() && s[at + 16] == s[at + 13] && digits(s, at + 17, 2))
    second = number(s, at + 17, 2), *end = at + 19;
  if (hour > 23 || minute > 59 || second > 60) return std::nullopt;
  return seconds + hour * 3600 + minute * 60 + second;
}

}  // namespace

std::optional<Moment> read_moment(const std::string& s) {
  size_t end = 0;
  const auto t = time_at(s, 0, &end);
  if (!t) return std::nullopt;
  // A fraction of a second and an offset may follow, nothing else.
  if (one_of(s, end, "."))
    for (++end; digits(s, end, 1);) ++end;
  while (one_of(s, end, " ")) ++end;
  if (end == s.size()) return Moment{*t, {}};
  const std::string zone = s.substr(end);
  if (zone == "Z" || zone == "UTC") return Moment{*t, 0};
  // +02, +0200 or +02:00.
  const size_t colon = zone.size() == 6 && zone[3] == ':', minutes = 3 + colon;
  const bool written = zone.size() == 3 || (zone.size() == 5 + colon && digits(zone, minutes, 2));
  if (!one_of(zone, 0, "+-") || !digits(zone, 1, 2) || !written) return std::nullopt;
  const int64_t away =
      number(zone, 1, 2) * 3600 + (zone.size() == 3 ? 0 : number(zone, minutes, 2) * int64_t(60));
  if (away > 14 * 3600) return std::nullopt;
  return Moment{*t, zone[0] == '-' ? -away : away};
}

int64_t seconds_between(const Moment& from, const Moment& to) {
  const int64_t walls = to.wall - from.wall;
  return from.offset && to.offset ? walls - *to.offset + *from.offset : walls;
}

std::string moment_words(const Moment& m) {
  if (!m.offset) return time_words(m.wall);
  const int64_t minutes = std::abs(*m.offset) / 60;
  return time_words(m.wall) +
         fmt::format("{}{:02}:{:02}", *m.offset < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

std::optional<int64_t> read_time(const std::string& s) {
  const auto m = read_moment(s);
  return m ? std::optional(m->wall) : std::nullopt;
}

std::optional<int64_t> read_span(const std::string& s) {
  char* end = nullptr;
  const double n = std::strtod(s.c_str(), &end);
  const std::string unit = end;
  if (end == s.c_str() || !(n >= 0) || n > 1e6) return std::nullopt;
  if (unit == "d") return int64_t(n * 86400);
  if (unit == "h") return int64_t(n * 3600);
  if (unit == "m") return int64_t(n * 60);
  return std::nullopt;
}

std::optional<int64_t> time_within(const std::string& s) {
  size_t end = 0;
  for (size_t i = 0; i + 10 <= s.size(); ++i)
    if (i == 0 || !std::isdigit(static_cast<unsigned char>(s[i - 1])))
      if (const auto t = time_at(s, i, &end)) return t;
  return std::nullopt;
}

std::string time_words(int64_t t) {
  const int64_t days = t >= 0 ? t / 86400 : -((-t + 86399) / 86400), rest = t - days * 86400;
  const std::chrono::year_month_day day{std::chrono::sys_days(std::chrono::days(days))};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", int(day.year()), unsigned(day.month()),
                     unsigned(day.day()), rest / 3600, rest / 60 % 60, rest % 60);
}

}  // namespace dojo::grade
