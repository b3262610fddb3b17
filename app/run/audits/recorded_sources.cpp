#include "run/audits/recorded_sources.hpp"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "core/error.hpp"
#include "core/files/whole_file.hpp"
#include "core/fingerprint.hpp"
#include "run/recordings/recording.hpp"

namespace dojo::run {

RecordedSources load_sources(const fs::path& path) {
  RecordedSources sources;
  const auto text = read_file(path);
  if (!text) return sources;
  std::istringstream in(*text);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    const size_t space = std::min(line.find(' '), line.size());
    const char *first = line.data() + std::min(space + 1, line.size()), *last = line.data() + line.size();
    uint64_t print = 0;
    const auto [end, error] = std::from_chars(first, last, print, 16);
    if (space == 0 || error != std::errc() || end != last)
      throw Error(
          fmt::format("{}:{}: a step and the 16 hexadecimal digits of its source's fingerprint, not "
                      "'{}'",
                      path.string(), number, line));
    sources[line.substr(0, space)] = print;
  }
  return sources;
}

fs::path sources_path(const std::string& device) {
  fs::path p = recording_path(device);
  if (p.extension() == ".json") p.replace_extension();
  return p += "-sources.txt";
}

std::string other_source(const RecordedSources& sources, const std::string& step, const fs::path& reference) {
  const auto recorded = sources.find(step);
  if (recorded == sources.end()) return {};
  const auto text = read_file(reference);
  if (text && fingerprint(*text) == recorded->second) return {};
  return "its source changed after it was recorded: record it anew";
}

}  // namespace dojo::run
