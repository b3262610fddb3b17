#include "core/compile.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "core/compile/frozen.hpp"
#include "core/compile/includes.hpp"
#include "core/compile/messages.hpp"
#include "core/compile/nvrtc_library.hpp"
#include "core/compile/spaces.hpp"
#include "core/paths.hpp"

namespace dojo {
namespace fs = std::filesystem;
using namespace compile_detail;

namespace {

constexpr size_t largest_source = size_t(4) << 20;
std::atomic<bool> warm{false};

Diagnostic problem(const std::string& file, int line, std::string message) {
  Diagnostic d;
  d.kind = "compile";
  d.where = {file, line, line ? 1 : 0};
  d.message = std::move(message);
  return d;
}

/// A private folder for precompiled headers, removed when the process ends.
const std::string& pch_folder() {
  struct Folder {
    std::string path;
    Folder() {
      std::error_code ec;
      std::string name = (fs::temp_directory_path(ec) / "warpdojo-pch-XXXXXX").string();
      if (!ec && mkdtemp(name.data())) path = name;
    }
    ~Folder() {
      std::error_code ec;
      if (!path.empty()) fs::remove_all(path, ec);
    }
  };
  static const Folder folder;
  return folder.path;
}

/// compute_NN that this NVRTC knows: 13 starts at compute_75.
std::string known_arch(const std::string& arch, int major) {
  if (arch.rfind("compute_", 0) != 0) return arch;
  const int n = std::atoi(arch.c_str() + 8);
  const int least = major >= 13 ? 75 : 50;
  return n > 0 && n < least ? "compute_" + std::to_string(least) : arch;
}

std::vector<std::string> include_folders() {
  const fs::path root = source_root() / "labs" / "include", cuda = cuda_root() / "include";
  return {(root / "shims").string(), root.string(), cuda.string(), (cuda / "cccl").string()};
}

/// Is a header included, with no macro defined before it that could change it?
bool first_header(const TokenFile& file, const std::string& name) {
  for (const Directive& d : file.directives) {
    if (d.name == "define" || d.name == "undef") return false;
    if (d.name == "include" && d.active && !d.tokens.empty() && d.tokens[0].text.size() == name.size() + 2 &&
        d.tokens[0].text.compare(1, name.size(), name) == 0)
      return true;
  }
  return false;
}

/// The name that messages and line tables carry: it must not look like a path that the compiler would search.
std::string shown_name(const std::string& file) { return file.empty() ? "program.cu" : file; }

}  // namespace

/// The line table's file names without the folders of this machine: the student's file as it was asked for,
/// our headers relative to the checkout.
static void shorten_files(std::string& ptx, const std::string& file) {
  const std::string root = source_root().string() + "/";
  for (size_t at = ptx.find("\t.file\t"); at != std::string::npos; at = ptx.find("\t.file\t", at + 1)) {
    const size_t open = ptx.find('"', at), close = open == std::string::npos ? open : ptx.find('"', open + 1);
    if (close == std::string::npos) return;
    const std::string name = ptx.substr(open + 1, close - open - 1);
    auto ends = [&](const std::string& tail) {
      return name.size() >= tail.size() && name.compare(name.size() - tail.size(), tail.size(), tail) == 0;
    };
    std::string shown = name;
    if (ends("/" + file))
      shown = file;
    else if (ends("/__nv_nvrtc_builtin_header.h"))
      shown = "__nv_nvrtc_builtin_header.h";
    else if (name.rfind(root, 0) == 0)
      shown = name.substr(root.size());
    ptx.replace(open + 1, close - open - 1, shown);
  }
}

void keep_headers_warm(bool on) { warm = on; }

Compiled compile(const CompileRequest& request) {
  const auto started = std::chrono::steady_clock::now();
  Compiled out;
  const std::string file = shown_name(request.file);
  auto finish = [&]() -> Compiled& {
    out.milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started).count();
    return out;
  };
  const NvrtcLibrary& nvrtc = nvrtc_library();
  if (!nvrtc.loaded) {
    out.diagnostics.push_back(problem(file, 0, nvrtc.why));
    return finish();
  }
  if (request.source.size() > largest_source) {
    out.diagnostics.push_back(problem(file, 0, "the file is larger than 4 MiB: is it a CUDA source file?"));
    return finish();
  }
  if (const size_t zero = request.source.find('\0'); zero != std::string::npos) {
    const int line = 1 + int(std::count(request.source.begin(), request.source.begin() + long(zero), '\n'));
    out.diagnostics.push_back(problem(file, line, "the file holds a zero byte: is it a CUDA source file?"));
    return finish();
  }

  std::string source = request.source;
  if (source.rfind("\xEF\xBB\xBF", 0) == 0) source.erase(0, 3);
  if (source.rfind("\xFF\xFE", 0) == 0 || source.rfind("\xFE\xFF", 0) == 0) {
    out.diagnostics.push_back(problem(file, 1, "the file is UTF-16 text: save it as UTF-8"));
    return finish();
  }
  const TokenFile tokens = tokenize(source);
  if (tokens.trigraph_line) {
    out.diagnostics.push_back(
        problem(file, tokens.trigraph_line, "trigraphs (\?\?=, \?\?/) are not supported"));
    return finish();
  }
  if (const JoinedName j = freeze_date_and_time(source, tokens); !j.text.empty()) {
    Diagnostic d = problem(file, j.line,
                           "a file with ## can't have the name '" + j.text +
                               "', which could be joined to __TIME__ or __DATE__. Use another name.");
    d.where.column = j.column;
    out.diagnostics.push_back(std::move(d));
    return finish();
  }
  SpaceCheck spaces = check_spaces(tokens);
  out.host_variables = std::move(spaces.host_variables);
  out.managed_variables = std::move(spaces.managed_variables);
  out.allocation_names = std::move(spaces.allocation_names);
  for (size_t at : spaces.host_clocks)
    if (source.compare(at, 5, "clock") == 0)
      source.replace(at, 5, "_dclk");  // of the same width: columns stay
  for (size_t at : spaces.blanked)
    for (size_t i = at;
         i < source.size() && (isalnum(static_cast<unsigned char>(source[i])) || source[i] == '_'); ++i)
      source[i] = ' ';
  const IncludeScan includes = close_includes(source, tokens);
  // Read first wherever the file includes it, so that one precompiled header serves every file that does:
  // what is precompiled ends before the first declaration, and a #line within it would forbid it.
  if (first_header(tokens, "cooperative_groups.h"))
    source.insert(0, "#include <cooperative_groups.h>\nstruct __dojo_stop;\n#line 1\n");

  const auto folders = include_folders();
  std::vector<std::string> options = {"-rdc=true",
                                      "-default-device",
                                      "-lineinfo",
                                      "-std=c++17",
                                      "--gpu-architecture=" + known_arch(request.arch, nvrtc.major),
                                      "--pre-include=" + folders[0] + "/dojo_pre.hpp"};
  for (const std::string& f : folders) options.push_back("-I" + f);
  for (const std::string& d : request.defines) options.push_back("-D" + d);
  if (request.debug) options.push_back("-G");
  if (includes.heavy && warm && !pch_folder().empty()) {
    options.push_back("--pch");
    options.push_back("--pch-dir=" + pch_folder());
    options.push_back("--pch-messages=false");
    options.push_back("--diag-suppress=20283");
  }
  std::vector<const char*> raw;
  for (const std::string& o : options) raw.push_back(o.c_str());

  nvrtcProgram program = nullptr;
  nvrtcResult result = nvrtc.create(&program, source.c_str(), file.c_str(), 0, nullptr, nullptr);
  std::string log;
  if (result == NVRTC_SUCCESS) {
    result = nvrtc.compile(program, int(raw.size()), raw.data());
    size_t n = 0;
    if (nvrtc.log_size(program, &n) == NVRTC_SUCCESS && n > 1) {
      log.resize(n);
      nvrtc.log(program, log.data());
      log.resize(n - 1);
    }
    if (result == NVRTC_SUCCESS && nvrtc.ptx_size(program, &n) == NVRTC_SUCCESS && n > 1) {
      out.ptx.resize(n);
      nvrtc.ptx(program, out.ptx.data());
      out.ptx.resize(n - 1);
      shorten_files(out.ptx, file);
    }
    nvrtc.destroy(&program);
  }
  out.diagnostics = parse_log(log, {file, includes.refused, folders});
  auto errors = [&] {
    return std::count_if(out.diagnostics.begin(), out.diagnostics.end(),
                         [](const Diagnostic& d) { return d.severity == Severity::error; });
  };
  if (result != NVRTC_SUCCESS && errors() == 0)
    out.diagnostics.push_back(
        problem(file, 0, std::string("the compiler stopped: ") + nvrtc.error_string(result)));
  // The token pass reads what it can't parse loosely: it speaks only when the compiler is content.
  if (errors() == 0)
    for (Diagnostic& d : spaces.errors) {
      d.where.file = file;
      out.diagnostics.push_back(std::move(d));
    }
  // Errors first: what a student must look at.
  std::stable_sort(out.diagnostics.begin(), out.diagnostics.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.severity > b.severity; });
  out.ok = errors() == 0;
  if (out.diagnostics.size() > 50) out.diagnostics.resize(50);
  if (!out.ok) out.ptx.clear();
  return finish();
}

}  // namespace dojo
