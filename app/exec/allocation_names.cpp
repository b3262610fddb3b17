// Names of allocations in messages: the variable whose address the source line passes to cudaMalloc.
#include <cctype>
#include <fstream>

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

}  // namespace

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
