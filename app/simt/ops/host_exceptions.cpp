#include "simt/ops/host_exceptions.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "simt/ops/host_calls.hpp"

namespace dojo::simt {
namespace {

template <typename T>
void answer(const CallSite& site, Exec& x, T value) {
  if (!site.results.empty())
    std::memcpy(x.r + site.results[0].offset, &value, std::min<size_t>(site.results[0].bytes, sizeof value));
}

uint64_t address(const CallSite& site, Exec& x) {
  uint64_t a = 0;
  if (!site.args.empty())
    std::memcpy(&a, x.r + site.args[0].offset, std::min<size_t>(site.args[0].bytes, sizeof a));
  return a;
}

void drop(std::vector<HostState::OfRun>& list) {
  if (!list.empty()) list.pop_back();
}

/// The last variable of this run that was made since the innermost try block began. An exception that no
/// block takes ends the program, and its destructors do not run.
uint64_t next_cleanup(HostState& h) {
  if (h.tries.empty() || h.cleanups.empty()) return 0;
  const HostState::TryBlock& block = h.tries.back();
  if (h.cleanups.back().run != h.runs || (block.run == h.runs && h.cleanups.size() <= block.cleanups))
    return 0;
  const uint64_t next = h.cleanups.back().address;
  h.cleanups.pop_back();
  return next;
}

struct ExceptionCall {
  std::string_view name;
  void (*run)(const CallSite&, const Inst*, Exec&);
};
const ExceptionCall exception_calls[] = {
    {"__dojo_try",
     [](const CallSite& site, const Inst* p, Exec& x) {
       HostState& h = *x.host;
       h.tries.push_back({x.frame,
                          p,
                          h.runs,
                          {x.r, x.r + x.frame->code->frame_bytes},
                          h.handled.size(),
                          h.cleanups.size()});
       answer<int32_t>(site, x, 1);
     }},
    {"__dojo_end_try",
     [](const CallSite&, const Inst*, Exec& x) {
       if (!x.host->tries.empty()) x.host->tries.pop_back();
     }},
    {"__dojo_caught",
     [](const CallSite& site, const Inst*, Exec& x) {
       x.host->handled.push_back({address(site, x), x.host->runs});
     }},
    {"__dojo_end_catch", [](const CallSite&, const Inst*, Exec& x) { drop(x.host->handled); }},
    {"__dojo_handled",
     [](const CallSite& site, const Inst*, Exec& x) {
       answer<uint64_t>(site, x, x.host->handled.empty() ? 0 : x.host->handled.back().address);
     }},
    {"__dojo_cleanup",
     [](const CallSite& site, const Inst*, Exec& x) {
       x.host->cleanups.push_back({address(site, x), x.host->runs});
     }},
    {"__dojo_end_cleanup", [](const CallSite&, const Inst*, Exec& x) { drop(x.host->cleanups); }},
    {"__dojo_next_cleanup",
     [](const CallSite& site, const Inst*, Exec& x) { answer<uint64_t>(site, x, next_cleanup(*x.host)); }},
};

}  // namespace

bool exception_call(std::string_view name, const CallSite& site, const Inst* p, Exec& x) {
  const auto found = std::find_if(std::begin(exception_calls), std::end(exception_calls),
                                  [&](const ExceptionCall& c) { return c.name == name; });
  if (found == std::end(exception_calls)) return false;
  found->run(site, p, x);
  return true;
}

const Inst* catch_thrown(Exec& x) {
  HostState& h = *x.host;
  if (h.tries.empty() || h.tries.back().run != h.runs) return nullptr;
  const HostState::TryBlock block = std::move(h.tries.back());
  h.tries.pop_back();
  h.handled.resize(std::min(h.handled.size(), block.handled));
  h.cleanups.resize(std::min(h.cleanups.size(), block.cleanups));
  while (x.frame != block.frame) pop_host_frame(x);
  x.r = x.frame->r;
  std::memcpy(x.r, block.registers.data(), block.registers.size());
  x.access[0] = AccessCount{};
  answer<int32_t>(x.frame->code->calls[size_t(block.call->target)], x, 0);
  return block.call + 1;
}

void leave_run(HostState& h) {
  const auto of_this_run = [&h](const auto& e) { return e.run >= h.runs; };
  std::erase_if(h.tries, of_this_run);
  std::erase_if(h.handled, of_this_run);
  std::erase_if(h.cleanups, of_this_run);
}

}  // namespace dojo::simt
