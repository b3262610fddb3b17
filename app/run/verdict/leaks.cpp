#include "run/verdict/leaks.hpp"

#include <algorithm>
#include <string>

#include "core/text/numbers.hpp"

namespace dojo::run {
namespace {

struct Leaks {
  size_t at = 0;  ///< of the first one
  LeakedMemory first;
  std::vector<std::string> names;  ///< without doubles
  uint64_t bytes = 0;
  int count = 0;
};

std::string words_of(const Leaks& l, bool all_listed) {
  std::string names;
  for (const std::string& n : l.names) names += (names.empty() ? "" : ", ") + n;
  return (all_listed ? "" : "At least ") + grouped(double(l.bytes)) + " bytes of " + l.first.owner + " in " +
         std::to_string(l.count) + " allocations (" + names + ") were never freed: call " + l.first.freed_by +
         " for each.";
}

}  // namespace

std::vector<Diagnostic> join_leaks(std::vector<Diagnostic> all, Severity severity) {
  std::vector<Leaks> places;
  int listed = 0;
  std::vector<Diagnostic> out;
  for (Diagnostic& d : all) {
    if (d.kind == FindingKind::leak) d.severity = severity;
    if (!d.facts.leak) {
      out.push_back(std::move(d));
      continue;
    }
    ++listed;
    const LeakedMemory leak = *d.facts.leak;
    auto place = std::find_if(places.begin(), places.end(), [&](const Leaks& l) {
      return out[l.at].where.file == d.where.file && out[l.at].where.line == d.where.line &&
             l.first.owner == leak.owner && l.first.freed_by == leak.freed_by;
    });
    if (place == places.end()) place = places.insert(place, {out.size(), leak, {}, 0, 0});
    if (std::find(place->names.begin(), place->names.end(), leak.name) == place->names.end())
      place->names.push_back(leak.name);
    place->bytes += leak.bytes;
    ++place->count;
    if (place->count == 1) out.push_back(std::move(d));
  }
  for (const Leaks& l : places)
    if (l.count > 1) out[l.at].message = words_of(l, listed < LeakedMemory::most_listed);
  return out;
}

}  // namespace dojo::run
