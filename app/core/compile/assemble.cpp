// ptxas as a child: what a kernel needs of a real SM, and its machine code.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>

#include "core/bytes.hpp"
#include "core/compile.hpp"
#include "core/compile/child.hpp"
#include "core/compile/spills.hpp"
#include "core/files/whole_file.hpp"
#include "core/fingerprint.hpp"
#include "core/paths.hpp"

namespace dojo {
namespace fs = std::filesystem;
namespace {

constexpr int ptxas_limit_s = 30;
constexpr size_t cache_entries = 64;

int number_before(const std::string& line, const char* words) {
  const size_t at = line.find(words);
  if (at == std::string::npos) return 0;
  size_t b = at;
  while (b > 0 && isdigit(static_cast<unsigned char>(line[b - 1]))) --b;
  return std::atoi(line.substr(b, at - b).c_str());
}

std::map<std::string, KernelResources> parse_resources(const std::string& log, int least_registers,
                                                       std::map<std::string, Spills>& spills) {
  std::map<std::string, KernelResources> out;
  std::string kernel, properties;
  std::map<std::string, int> stack;
  std::map<std::string, Spills> in_function;
  for (size_t i = 0; i < log.size();) {
    const size_t n = std::min(log.find('\n', i), log.size());
    const std::string line = log.substr(i, n - i);
    i = n + 1;
    if (size_t at = line.find("Compiling entry function '"); at != std::string::npos) {
      at += std::strlen("Compiling entry function '");
      kernel = line.substr(at, line.find('\'', at) - at);
    } else if (size_t at2 = line.find("Function properties for "); at2 != std::string::npos) {
      properties = line.substr(at2 + std::strlen("Function properties for "));
    } else if (line.find("bytes stack frame") != std::string::npos) {
      stack[properties] = number_before(line, " bytes stack frame");
      in_function[properties] = {number_before(line, " bytes spill stores"),
                                 number_before(line, " bytes spill loads")};
    } else if (line.find("Used ") != std::string::npos && !kernel.empty()) {
      KernelResources r;
      r.registers = std::max(least_registers, number_before(line, " registers"));
      r.static_smem = number_before(line, " bytes smem");
      r.const_bytes = number_before(line, " bytes cmem[0]");
      r.local_bytes = stack.count(kernel) ? stack[kernel] : 0;
      spills[kernel] = in_function[kernel];
      r.estimated = false;
      out[kernel] = r;
    }
  }
  return out;
}

/// The first error of ptxas, without its own file names: "ptxas FILE, line 7; error   : MESSAGE",
/// "ptxas fatal   : MESSAGE".
void note_first_error(Assembled& out, const std::string& log) {
  out.refused = true;
  out.message = log.empty() ? "ptxas failed" : "ptxas: " + log.substr(0, log.find('\n'));
  for (size_t i = 0; i < log.size();) {
    const size_t n = std::min(log.find('\n', i), log.size());
    const std::string line = log.substr(i, n - i);
    i = n + 1;
    for (const char* word : {"; error", "; fatal", "ptxas error", "ptxas fatal"}) {
      const size_t at = line.find(word);
      const size_t colon = line.find(": ", at == line.npos ? at : at + std::strlen(word));
      if (colon == line.npos || (word[0] == 'p' && at != 0)) continue;
      out.message = "ptxas: " + line.substr(colon + 2);
      if (const size_t l = line.rfind(", line ", at); l != line.npos)
        out.ptx_line = std::atoi(line.c_str() + l + std::strlen(", line "));
      return;
    }
  }
}

/// With what Assembled has no room for.
struct Made {
  Assembled assembled;
  std::map<std::string, Spills> spills;
};

Made assemble_now(const std::string& ptx, const std::string& sm) {
  Made made;
  Assembled& out = made.assembled;
  std::error_code ec;
  const fs::path ptxas = cuda_root() / "bin" / "ptxas";
  if (!fs::exists(ptxas, ec)) {
    out.message = "no ptxas found in the CUDA Toolkit: registers and machine code are estimated";
    return made;
  }
  const ScratchFolder folder;
  if (folder.path.empty()) {
    out.message = "no temporary folder can be made";
    return made;
  }
  {
    std::ofstream f(folder.path + "/in.ptx", std::ios::binary);
    f.write(ptx.data(), std::streamsize(ptx.size()));
    if (!f) {
      out.message = "the temporary folder is full or read-only";
      return made;
    }
  }
  std::string log;
  std::vector<std::string> words = {"-v", "-lineinfo", folder.path + "/in.ptx", "-o",
                                    folder.path + "/out.cubin"};
  // The functions with which kernels launch kernels are in a library that nothing is linked with here.
  if (ptx.find("__cudaCDP2") != std::string::npos) words.push_back("--compile-only");
  auto run = [&](const std::string& arch) {
    log.clear();
    std::vector<std::string> command = {ptxas.string(), "-arch=" + arch};
    command.insert(command.end(), words.begin(), words.end());
    return run_child(command, folder.path, ptxas_limit_s, &log);
  };
  std::string arch = sm;
  int status = run(arch);
  if (status != 0 && log.find("is not defined for option 'gpu-name'") != std::string::npos) {
    // An architecture that this toolkit dropped: the nearest one that it has.
    arch = "sm_75";
    status = run(arch);
    if (status == 0)
      out.message = "this ptxas has no " + sm + ": registers and machine code are " + arch + "'s";
  }
  if (status != 0) {
    if (status == -1)
      out.message = "ptxas could not be started";
    else
      note_first_error(out, log);
    if (status == -2) {
      out.refused = false;
      out.message = "ptxas took longer than " + std::to_string(ptxas_limit_s) + " s";
    }
    return made;
  }
  const std::string bytes = read_or_empty(folder.path + "/out.cubin");
  out.cubin.resize(bytes.size());
  copy_bytes(out.cubin.data(), bytes.data(), bytes.size());
  const int cc = arch.size() > 3 ? std::atoi(arch.c_str() + 3) : 0;
  out.kernels = parse_resources(log, cc >= 90 ? 16 : 0, made.spills);
  out.ok = !out.cubin.empty();
  if (!out.ok) out.message = "ptxas wrote no machine code";
  return made;
}

Made assemble_once(const std::string& stripped_ptx, const std::string& sm) {
  struct Key {
    uint64_t a, b;
    size_t n;
    auto operator<=>(const Key&) const = default;
  };
  static std::mutex mutex;
  static std::map<Key, std::pair<uint64_t, Made>> cache;  // with the time of the last use
  static uint64_t clock = 0;
  const Key key{fingerprint(sm, fingerprint(stripped_ptx)),
                fingerprint(stripped_ptx, fingerprint(sm, 0x9E3779B97F4A7C15ull)), stripped_ptx.size()};
  {
    std::lock_guard lock(mutex);
    if (auto it = cache.find(key); it != cache.end()) {
      it->second.first = ++clock;
      return it->second.second;
    }
  }
  Made out = assemble_now(stripped_ptx, sm);
  if (out.assembled.ok) {
    std::lock_guard lock(mutex);
    if (cache.size() >= cache_entries)
      cache.erase(std::min_element(cache.begin(), cache.end(), [](const auto& x, const auto& y) {
        return x.second.first < y.second.first;
      }));
    cache[key] = {++clock, out};
  }
  return out;
}

}  // namespace

Assembled assemble(const std::string& stripped_ptx, const std::string& sm) {
  return assemble_once(stripped_ptx, sm).assembled;
}

std::map<std::string, Spills> spills_of(const std::string& stripped_ptx, const std::string& sm) {
  return assemble_once(stripped_ptx, sm).spills;
}

}  // namespace dojo
