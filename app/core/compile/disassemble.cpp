#include "core/compile/disassemble.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/compile/child.hpp"
#include "core/install/search_path.hpp"
#include "core/paths.hpp"

namespace dojo {
namespace fs = std::filesystem;
namespace {

constexpr int tool_limit_s = 20;

/// The tool of the toolkit in use, else the first one of PATH.
std::string find_tool(const char* name) {
  const fs::path root = cuda_root();
  return find_program(name, root.empty() ? std::vector<fs::path>{} : std::vector<fs::path>{root / "bin"})
      .string();
}

std::string trimmed(const std::string& s) {
  const size_t a = s.find_first_not_of(" \t"), b = s.find_last_not_of(" \t\r");
  return a == std::string::npos ? "" : s.substr(a, b - a + 1);
}

}  // namespace

std::map<std::string, std::map<uint32_t, std::string>> parse_disassembly(const std::string& text) {
  std::map<std::string, std::map<uint32_t, std::string>> out;
  std::string function;
  std::stringstream in(text);
  for (std::string raw; std::getline(in, raw);) {
    const std::string line = trimmed(raw);
    constexpr std::string_view section = ".section", of = ".text.", heading = "Function : ";
    if (line.starts_with(section)) {
      // ".section .text.NAME,"ax",@progbits"; another section's data holds no instructions.
      const size_t at = line.find(of);
      function = at == std::string::npos
                     ? ""
                     : trimmed(line.substr(at + of.size(), line.find(',', at) - at - of.size()));
    } else if (line.starts_with(heading)) {
      function = trimmed(line.substr(heading.size()));
    } else if (line.starts_with("/*") && !function.empty()) {
      const size_t close = line.find("*/"), end = line.find(';');
      if (close == std::string::npos || end == std::string::npos || end < close)
        continue;  // a second half of the bits
      char* stop = nullptr;
      const std::string digits = trimmed(line.substr(2, close - 2));
      const unsigned long address = std::strtoul(digits.c_str(), &stop, 16);
      if (digits.empty() || *stop) continue;
      out[function][uint32_t(address)] = trimmed(line.substr(close + 2, end - close - 2));
    }
  }
  return out;
}

Disassembly disassemble(const std::vector<std::byte>& cubin) {
  Disassembly d;
  const std::pair<const char*, const char*> tools[] = {{"nvdisasm", "-c"}, {"cuobjdump", "-sass"}};
  for (const auto& [name, option] : tools) {
    const std::string tool = find_tool(name);
    if (tool.empty()) continue;
    const ScratchFolder folder;
    const std::string file = folder.path + "/code.cubin";
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(cubin.data()), std::streamsize(cubin.size()));
    out.close();
    if (folder.path.empty() || !out) {
      d.message = "No temporary folder can be made for " + std::string(name) + ".";
      return d;
    }
    std::string text;
    const int status = run_child({tool, option, file}, folder.path, tool_limit_s, &text);
    if (status == 0) d.functions = parse_disassembly(text);
    if (!d.functions.empty()) {
      d.ok = true;
      d.tool = name;
      d.message.clear();
      return d;
    }
    d.message = status == -2
                    ? std::string(name) + " took longer than " + std::to_string(tool_limit_s) + " s."
                    : std::string(name) + " can't read this machine code: " + text.substr(0, text.find('\n'));
  }
  if (d.message.empty())
    d.message =
        "No disassembler is installed, so operands are not shown. Put nvdisasm (package cuda-nvdisasm of the "
        "CUDA Toolkit) into the toolkit's bin or on PATH.";
  return d;
}

}  // namespace dojo
