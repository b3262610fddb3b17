#include "core/host_work.hpp"

#include <algorithm>
#include <cstring>

namespace dojo {
namespace {

std::string counter_name(const std::string& name) { return "dojo__host_" + name + ".sum"; }

}  // namespace

void add_host_work(RunReport& run, const HostWork& work) {
  Counters& to = run.launches.empty() ? run.host : run.launches.front().counters;
  to[counter_name("inst_executed")] = double(work.instructions);
  to[counter_name("api_calls")] = double(work.api_calls());
  to[counter_name("copies")] = double(work.copies);
  to[counter_name("copied_bytes")] = double(work.copied_bytes);
  to[counter_name("memsets")] = double(work.memsets);
  to[counter_name("syncs")] = double(work.syncs);
  to[counter_name("mapped_reads")] = double(work.mapped_reads);
  for (const auto& [name, count] : work.calls) to[counter_name("call." + name)] = double(count);
}

double host_count(const RunReport& run, const std::string& name) {
  const std::string key = counter_name(name);
  const auto own = run.host.find(key);
  double sum = own == run.host.end() ? 0 : own->second;
  for (const LaunchReport& l : run.launches)
    if (const auto it = l.counters.find(key); it != l.counters.end()) sum += it->second;
  return sum;
}

void drop_opcodes(RunReport& run) {
  for (LaunchReport& l : run.launches)
    std::erase_if(l.counters, [](const auto& c) {
      if (!c.first.starts_with(opcode_prefix)) return false;
      const std::string_view opcode = std::string_view(c.first).substr(std::strlen(opcode_prefix));
      return !opcode.starts_with(fragment_load) && !opcode.starts_with(bulk_copy);
    });
}

void append_printed(std::string& kept, std::string_view text) {
  constexpr size_t most = 64 << 10;
  kept += text.substr(0, most - std::min(most, kept.size()));
}

double executed(const RunReport& run, std::string_view opcode) {
  const std::string key = opcode_prefix + std::string(opcode);
  double sum = 0;
  for (const LaunchReport& l : run.launches)
    for (auto it = l.counters.lower_bound(key); it != l.counters.end() && it->first.starts_with(key); ++it)
      sum += it->second;
  return sum;
}

}  // namespace dojo
