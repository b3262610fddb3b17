#include "run/verdict/leaks.hpp"

#include <algorithm>
#include <regex>
#include <string>

#include "core/text/numbers.hpp"

namespace dojo::run {
namespace {

constexpr int most_listed = 20;

struct Leaks {
  size_t at = 0;  ///< of the first one
  std::string owner, freed_by;
  std::vector<std::string> names;  ///< without doubles
  double bytes = 0;
  int count = 0;
};

std::string words_of(const Leaks& l, bool all_listed) {
  std::string names;
  for (const std::string& n : l.names) names += (names.empty() ? "" : ", ") + n;
  return (all_listed ? "" : "At least ") + grouped(l.bytes) + " bytes of " + l.owner + " in " +
         std::to_string(l.count) + " allocations (" + names + ") were never freed: call " + l.freed_by +
         " for each.";
}

}  // namespace

std::vector<Diagnostic> join_leaks(std::vector<Diagnostic> all, Severity severity) {
  static const std::regex form(R"(([0-9][0-9,]*) bytes of (.*) \((.*)\) were never freed: call (\w+)\.)");
  std::vector<Leaks> places;
  int listed = 0;
  std::vector<Diagnostic> out;
  for (Diagnostic& d : all) {
    std::smatch m;
    if (d.kind == "leak") d.severity = severity;
    if (d.kind != "leak" || !std::regex_match(d.message, m, form)) {
      out.push_back(std::move(d));
      continue;
    }
    ++listed;
    std::string digits = m.str(1);
    std::erase(digits, ',');
    auto place = std::find_if(places.begin(), places.end(), [&](const Leaks& l) {
      return out[l.at].where.file == d.where.file && out[l.at].where.line == d.where.line &&
             l.owner == m.str(2) && l.freed_by == m.str(4);
    });
    if (place == places.end()) place = places.insert(place, {out.size(), m.str(2), m.str(4), {}, 0, 0});
    if (std::find(place->names.begin(), place->names.end(), m.str(3)) == place->names.end())
      place->names.push_back(m.str(3));
    place->bytes += std::stod(digits);
    ++place->count;
    if (place->count == 1) out.push_back(std::move(d));
  }
  for (const Leaks& l : places)
    if (l.count > 1) out[l.at].message = words_of(l, listed < most_listed);
  return out;
}

}  // namespace dojo::run
