#include "run/verdict/hoisted_loads.hpp"

#include <algorithm>
#include <string_view>

namespace dojo::run {
namespace {

/// "Race: thread 0 reads s[1] while thread 1 writes it. ...": does either side read?
bool reads(const Diagnostic& race) {
  const std::string_view all = race.message;
  const size_t advice = all.find(" it. ");
  return advice != all.npos && all.substr(0, advice + 1).find(" reads ") != all.npos;
}

bool may_be_moved_load(const Diagnostic& d) {
  // Of memory that a block has to itself; of other memory the words are "which nothing has written".
  if (d.kind == "uninitialized") return d.message.find("no thread of the block") != d.message.npos;
  return d.kind == "race" && d.block && d.related.size() == 1 && d.related[0].block == d.block && reads(d);
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
