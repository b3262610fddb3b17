#include "run/verdict/hoisted_loads.hpp"

#include <algorithm>

namespace dojo::run {
namespace {

bool may_be_moved_load(const Diagnostic& d) {
  if (d.kind == FindingKind::uninitialized) return d.facts.shared;
  return d.kind == FindingKind::race && d.block && d.related.size() == 1 && d.related[0].block == d.block &&
         d.facts.read;
}

bool is_error(const Diagnostic& d) { return d.severity == Severity::error; }

}  // namespace

bool may_be_hoisted(const std::vector<Diagnostic>& all) {
  return has_errors(all) && std::all_of(all.begin(), all.end(), [](const Diagnostic& d) {
           return !is_error(d) || may_be_moved_load(d);
         });
}

void drop_errors(std::vector<Diagnostic>& all) { std::erase_if(all, is_error); }

}  // namespace dojo::run
