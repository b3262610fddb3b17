// Names of allocations in messages: the variable whose address the source line passes to cudaMalloc.
#include <cctype>
#include <filesystem>
#include <fstream>

#include "core/compile/source_names.hpp"
#include "core/files/whole_file.hpp"
#include "exec/process.hpp"

namespace dojo::exec {
namespace {

/// "d_in" of `CHECK(cudaMalloc((void**)&d_in, bytes));`. Empty: no such call, or several on the line.
std::string allocated_name(const std::string& line) {
  size_t call = std::string::npos;
  for (const char* name :
       {"cudaMalloc", "cudaHostAlloc", "cudaCreateTextureObject", "cudaCreateSurfaceObject"}) {
    const size_t at = line.find(name);
    if (at == std::string::npos) continue;
    if (call != std::string::npos || line.find(name, at + 1) != std::string::npos) return {};
    call = at;
  }
  if (call == std::string::npos) return {};
  const size_t from = line.find('&', call), comma = line.find(',', call);
  if (from == std::string::npos || from > comma) return {};
  size_t end = from + 1;
  const auto part_of_name = [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '[' || c == ']' ||
           c == '-' || c == '>' || c == ':';
  };
  while (end < line.size() && part_of_name(line[end])) ++end;
  return line.substr(from + 1, end - from - 1);
}

/// Files of the toolkit and the system, which declare nothing of the program's.
bool is_foreign(const std::string& file) {
  return file.starts_with("/usr/include/") || file.starts_with("/usr/lib/") ||
         file.find("/targets/") != std::string::npos || file.find("/nvidia/cu") != std::string::npos ||
         file.find("/include/c++/") != std::string::npos;
}

}  // namespace

std::string with_names_of_sources(std::string ptx) {
  constexpr size_t most_files = 64, most_bytes = size_t(4) << 20;
  SourceNames names;
  size_t files = 0;
  for (size_t at = 0; (at = ptx.find(".file", at)) != std::string::npos && files < most_files; at += 5) {
    if (at && ptx[at - 1] != '\n' && ptx[at - 1] != '\t') continue;
    const size_t end = ptx.find('\n', at), open = ptx.find('"', at);
    const size_t close = open == std::string::npos ? open : ptx.find('"', open + 1);
    if (close == std::string::npos || close > end) continue;
    const std::string file = ptx.substr(open + 1, close - open - 1);
    std::error_code error;
    if (is_foreign(file) || !std::filesystem::is_regular_file(file, error) ||
        std::filesystem::file_size(file, error) > most_bytes || error)
      continue;
    names.add(read_source_names(read_or_empty(file), file));
    ++files;
  }
  return with_source_names(std::move(ptx), names);
}

std::string Process::allocated_at(const SourceLoc& where) {
  if (where.file.empty() || where.line <= 0) return {};
  auto [file, fresh] = allocations_.try_emplace(where.file);
  if (fresh) {
    std::ifstream in(where.file);
    std::string line;
    for (int n = 1; n < 100000 && std::getline(in, line); ++n)
      if (std::string name = allocated_name(line); !name.empty()) file->second[n] = std::move(name);
  }
  const auto name = file->second.find(where.line);
  return name == file->second.end() ? "" : name->second;
}

}  // namespace dojo::exec
