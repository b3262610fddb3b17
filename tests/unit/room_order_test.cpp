// The rooms of app/ depend one way: an #include against the order below is an error. So is a declaration of
// another file's function: it belongs in that file's header.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "core/files/whole_file.hpp"
#include "core/paths.hpp"

using namespace dojo;
namespace fs = std::filesystem;

namespace {

using RoomOrder = std::map<std::string, std::set<std::string>>;  ///< room -> rooms that it may include

/// As CMake links them.
const RoomOrder rooms = {
    {"core", {}},
    {"ptx", {"core"}},
    {"simt", {"core", "ptx"}},
    {"cuda", {"core", "ptx"}},
    {"host", {"core", "ptx", "simt"}},
    {"exec", {"core", "ptx", "simt", "host"}},
    {"run", {"core", "ptx", "simt", "cuda", "host"}},
    {"grade", {"core", "ptx", "simt", "cuda", "host", "run"}},
    {"gui", {"core", "ptx", "simt", "cuda", "host", "run", "grade"}},
    {"cli", {"core", "ptx", "simt", "cuda", "host", "run", "grade"}},
    {"window", {"core", "ptx", "simt", "cuda", "host", "run", "grade", "gui", "cli"}},
};

/// Inside app/simt. "" holds the contracts: trace.hpp (machine to time), replay.hpp (machine to caches).
const RoomOrder simt_rooms = {
    {"", {}},
    {"gpu", {}},
    {"textures", {}},
    {"decode", {}},
    {"state", {"", "decode"}},
    {"checks", {"", "decode", "state"}},
    {"ops", {"", "textures", "decode", "state", "checks"}},
    {"machine", {"", "textures", "decode", "state", "checks", "ops"}},
    {"caches", {"", "gpu"}},
    {"time", {"", "gpu"}},
    {"device", {"", "gpu", "textures", "decode", "state", "checks", "ops", "machine", "caches", "time"}},
};

/// The file of each room that says what comes in, what goes out, and what the room never knows.
const std::map<std::string, std::string> simt_heads = {
    {"", "trace.hpp"},         {"gpu", "device_model.hpp"},   {"textures", "image.hpp"},
    {"decode", "program.hpp"}, {"state", "exec.hpp"},         {"checks", "shadow.hpp"},
    {"ops", "ops.hpp"},        {"machine", "machine.hpp"},    {"caches", "hierarchy.hpp"},
    {"time", "model.hpp"},     {"device", "device_simt.hpp"},
};

/// Includes against the order, each with the reason for which it is still there. This table only shrinks.
const std::map<std::pair<std::string, std::string>, std::string> exceptions = {
    {{"simt/gpu/device_file.cpp", "simt/time/version.hpp"}, "DeviceInfo carries the model's version"},
};

struct Include {
  std::string file, to;  ///< below app/
  int line = 0;
};

std::vector<fs::path> sources() {
  std::vector<fs::path> all;
  static const std::set<std::string> kinds = {".cpp", ".hpp", ".h", ".cc", ".cu", ".cuh"};
  for (const auto& e : fs::recursive_directory_iterator(source_root() / "app"))
    if (kinds.count(e.path().extension().string())) all.push_back(e.path());
  return all;
}

std::vector<Include> includes() {
  static const std::regex shape("^#include \"([^\"]+)\"");
  std::vector<Include> all;
  for (const fs::path& p : sources()) {
    std::ifstream in(p);
    std::string line;
    std::smatch m;
    for (int n = 1; std::getline(in, line); ++n)
      if (std::regex_search(line, m, shape))
        all.push_back({p.lexically_relative(source_root() / "app").generic_string(), m[1], n});
  }
  return all;
}

/// "simt" of "simt/ops/mma.cpp".
std::string first_of(const std::string& path) { return path.substr(0, path.find('/')); }
/// "ops" of "simt/ops/mma.cpp", "" of "simt/trace.hpp".
std::string second_of(const std::string& path) {
  const size_t from = path.find('/') + 1, to = path.find('/', from);
  return to == path.npos ? std::string() : path.substr(from, to - from);
}

/// The include that breaks the order, or nothing.
std::string against(const RoomOrder& order, const std::string& from, const std::string& to) {
  const auto room = order.find(from);
  if (room == order.end()) return "room '" + from + "' has no row in the order";
  if (from == to || room->second.count(to)) return {};
  return "room '" + from + "' may not include room '" + to + "'";
}

std::string wrong(const Include& i) {
  if (!rooms.count(first_of(i.to))) return {};  // a library's, or a file beside the includer
  if (std::string w = against(rooms, first_of(i.file), first_of(i.to)); !w.empty()) return w;
  if (first_of(i.file) != "simt" || first_of(i.to) != "simt") return {};
  return against(simt_rooms, second_of(i.file), second_of(i.to));
}

}  // namespace

TEST_CASE("lint: no include goes against the order of the rooms") {
  std::set<std::pair<std::string, std::string>> met;
  size_t looked_at = 0;
  for (const Include& i : includes()) {
    ++looked_at;
    const std::string w = wrong(i);
    if (w.empty()) continue;
    met.insert({i.file, i.to});
    CHECK_MESSAGE(exceptions.count({i.file, i.to}),
                  i.file << ":" << i.line << " includes " << i.to << ": " << w);
  }
  CHECK(looked_at > 1000);
  for (const auto& [row, reason] : exceptions)
    CHECK_MESSAGE(met.count(row),
                  "the exception " << row.first << " -> " << row.second << " is no longer needed");
}

TEST_CASE("lint: the order of the rooms has no cycle, and is what the test refuses") {
  for (const RoomOrder* order : {&rooms, &simt_rooms})
    for (const auto& [room, below] : *order)
      for (const std::string& b : below) {
        REQUIRE(order->count(b));
        CHECK_MESSAGE(!order->at(b).count(room), room << " and " << b << " may include each other");
        for (const std::string& c : order->at(b)) CHECK_MESSAGE(below.count(c), room << " lacks " << c);
      }
  CHECK(wrong({"core/labs/lab.cpp", "simt/trace.hpp", 1}) != "");
  CHECK(wrong({"simt/ops/mma.cpp", "simt/machine/machine.hpp", 1}) != "");
  CHECK(wrong({"simt/time/sm.cpp", "simt/caches/hierarchy.hpp", 1}) != "");
  CHECK(wrong({"simt/machine/machine.cpp", "simt/ops/ops.hpp", 1}) == "");
  CHECK(wrong({"run/runner.cpp", "core/labs/lab.hpp", 1}) == "");
}

TEST_CASE("lint: every room of the machine has a head file that says its contract") {
  std::set<std::string> there;
  for (const fs::path& p : sources()) {
    const std::string path = p.lexically_relative(source_root() / "app").generic_string();
    if (first_of(path) == "simt") there.insert(second_of(path));
  }
  for (const std::string& room : there) {
    REQUIRE_MESSAGE(simt_heads.count(room), "app/simt/" << room << " has no head file");
    const fs::path head = source_root() / "app" / "simt" / room / simt_heads.at(room);
    const std::string text = read_or_empty(head);
    CHECK_MESSAGE(std::min(text.find("know"), text.find("Know")) < text.find("namespace"),
                  head.string() << " doesn't say what it never knows");
  }
}

TEST_CASE("lint: functions are declared in the header of the file that defines them") {
  // A declaration at a line's start, on one line: `const Inst* run_end(const Inst*, Exec&);`. What ends in
  // WARPDOJO_CALL(...) is a definition.
  static const std::regex shape("^[A-Za-z_][\\w:<>&*, ]* [*&]*(\\w+)\\([^{}=]*\\);");
  static const std::regex other(
      "^(return|using|throw|static|extern|template|typedef|friend|else|constexpr)\\b");
  int seen = 0;
  for (const fs::path& p : sources()) {
    if (p.extension() != ".cpp") continue;
    std::ifstream in(p);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    std::smatch m;
    for (size_t n = 0; n < lines.size(); ++n) {
      if (!std::regex_search(lines[n], m, shape) || std::regex_search(lines[n], other) ||
          lines[n].find("WARPDOJO_") != std::string::npos)
        continue;
      ++seen;
      const std::string call = m[1].str() + "(";
      bool defined = false;  // the file's own function, declared ahead
      for (const std::string& l : lines)
        defined |= !l.empty() && std::isalpha(static_cast<unsigned char>(l[0])) && l.find(call) != l.npos &&
                   l.back() != ';';
      CHECK_MESSAGE(defined, p.lexically_relative(source_root()).string()
                                 << ":" << n + 1 << " declares " << m[1].str()
                                 << ", which another file defines");
    }
  }
  CHECK(seen > 0);
}
