// Names of a source: looked up, written behind a PTX text and read from there, and sizes of the types in
// them.
#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "core/compile/source_names.hpp"

namespace dojo {
namespace {

constexpr std::string_view names_mark = "//~names\t";

void put_variable(std::string& line, const SourceNames::Variable& v) {
  line += "\t" + v.type + "\t" + v.name + "\t";
  for (uint64_t n : v.extents) line += std::to_string(n) + ",";
}

SourceNames::Variable variable_of(const std::vector<std::string>& w, size_t at) {
  SourceNames::Variable v{w[at], w[at + 1], {}};
  const std::string& e = w[at + 2];
  for (size_t from = 0, comma; (comma = e.find(',', from)) != e.npos; from = comma + 1)
    v.extents.push_back(std::strtoull(e.c_str() + from, nullptr, 10));
  return v;
}

}  // namespace

const SourceNames::Function* SourceNames::function(std::string_view name, size_t parameters, int line) const {
  const Function* found = nullptr;
  for (const Function& f : functions) {
    if (f.name != name || f.params.size() != parameters) continue;
    if (!found || (line >= f.line && (found->line > line || f.line > found->line))) found = &f;
  }
  return found;
}

const SourceNames::Structure* SourceNames::structure(std::string_view name) const {
  const auto at =
      std::find_if(structures.begin(), structures.end(), [&](const Structure& s) { return s.name == name; });
  return at == structures.end() ? nullptr : &*at;
}

void SourceNames::add(const SourceNames& other) {
  std::ranges::copy(other.functions, std::back_inserter(functions));
  std::ranges::copy(other.arrays, std::back_inserter(arrays));
  std::ranges::copy(other.structures, std::back_inserter(structures));
}

std::string with_source_names(std::string ptx, const SourceNames& names) {
  if (ptx.empty()) return ptx;
  if (ptx.back() != '\n') ptx += '\n';
  for (const SourceNames::Function& f : names.functions) {
    std::string line =
        std::string(names_mark) + "function\t" + f.file + "\t" + std::to_string(f.line) + "\t" + f.name;
    for (const SourceNames::Variable& v : f.params) put_variable(line, v);
    ptx += line + "\n";
  }
  for (const SourceNames::Variable& v : names.arrays) {
    std::string line = std::string(names_mark) + "array";
    put_variable(line, v);
    ptx += line + "\n";
  }
  for (const SourceNames::Structure& s : names.structures) {
    std::string line = std::string(names_mark) + "struct\t" + s.name;
    for (const SourceNames::Variable& v : s.members) put_variable(line, v);
    ptx += line + "\n";
  }
  return ptx;
}

SourceNames source_names_of(std::string_view ptx) {
  SourceNames out;
  for (size_t at = without_source_names(ptx).size(); at < ptx.size();) {
    const size_t end = std::min(ptx.find('\n', at), ptx.size());
    std::string_view line = ptx.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with(names_mark)) continue;
    line.remove_prefix(names_mark.size());
    std::vector<std::string> w;
    for (size_t from = 0;;) {
      const size_t tab = std::min(line.find('\t', from), line.size());
      w.emplace_back(line.substr(from, tab - from));
      if (tab == line.size()) break;
      from = tab + 1;
    }
    const size_t first = w[0] == "function" ? 4 : w[0] == "struct" ? 2 : 1;
    std::vector<SourceNames::Variable> all;
    for (size_t k = first; k + 2 < w.size(); k += 3) all.push_back(variable_of(w, k));
    if (w[0] == "function" && w.size() >= 4)
      out.functions.push_back({w[1], w[3], std::atoi(w[2].c_str()), std::move(all)});
    else if (w[0] == "struct" && w.size() >= 2)
      out.structures.push_back({w[1], std::move(all)});
    else
      out.arrays.insert(out.arrays.end(), all.begin(), all.end());
  }
  return out;
}

std::string_view without_source_names(std::string_view ptx) {
  const size_t at = ptx.starts_with(names_mark) ? 0 : ptx.find("\n" + std::string(names_mark));
  return at == ptx.npos ? ptx : ptx.substr(0, at ? at + 1 : 0);
}

uint32_t known_type_bytes(std::string_view type) {
  struct Known {
    std::string_view name;
    uint32_t bytes;
  };
  static constexpr Known whole[] = {
      {"bool", 1},          {"unsigned char", 1}, {"signed char", 1},   {"unsigned short", 2},
      {"unsigned int", 4},  {"unsigned", 4},      {"unsigned long", 8}, {"unsigned long long", 8},
      {"long", 8},          {"long long", 8},     {"size_t", 8},        {"int8_t", 1},
      {"uint8_t", 1},       {"int16_t", 2},       {"uint16_t", 2},      {"int32_t", 4},
      {"uint32_t", 4},      {"int64_t", 8},       {"uint64_t", 8},      {"half", 2},
      {"half2", 4},         {"__half", 2},        {"__half2", 4},       {"__nv_bfloat16", 2},
      {"__nv_bfloat162", 4}};
  static constexpr Known vectors[] = {{"char", 1},  {"uchar", 1}, {"short", 2},    {"ushort", 2},
                                      {"int", 4},   {"uint", 4},  {"float", 4},    {"double", 8},
                                      {"ulong", 8}, {"long", 8},  {"longlong", 8}, {"ulonglong", 8}};
  if (type.starts_with("std :: ")) type.remove_prefix(7);
  if (type.starts_with("std::")) type.remove_prefix(5);
  for (const Known& k : whole)
    if (type == k.name) return k.bytes;
  for (const Known& k : vectors) {
    if (!type.starts_with(k.name)) continue;
    const std::string_view n = type.substr(k.name.size());
    if (n.empty()) return k.bytes;
    if (n.size() == 1 && n[0] >= '1' && n[0] <= '4') return k.bytes * uint32_t(n[0] - '0');
  }
  return 0;
}

std::string pointee_of(std::string type) {
  if (const size_t at = type.find("(*)"); at != std::string::npos) type.erase(at), type += '*';
  for (const std::string_view word : {" restrict", " __restrict__", " __restrict", " const", " volatile"})
    for (size_t at; (at = type.find(word)) != std::string::npos;) type.erase(at, word.size());
  for (const std::string_view word : {"const ", "volatile "})
    if (type.starts_with(word)) type.erase(0, word.size());
  const auto trim = [&] {
    while (!type.empty() && type.back() == ' ') type.pop_back();
  };
  trim();
  if (type.empty() || type.back() != '*') return {};
  type.pop_back();
  trim();
  return type;
}

}  // namespace dojo
