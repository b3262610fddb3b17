#include "core/compile.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "core/compile/compiler.hpp"
#include "core/compile/front_end.hpp"
#include "core/compile/frozen.hpp"
#include "core/compile/includes.hpp"
#include "core/compile/spaces.hpp"
#include "core/paths.hpp"

namespace dojo {
using namespace compile_detail;

namespace {

constexpr size_t largest_source = size_t(4) << 20;

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

namespace compile_detail {

Diagnostic compile_problem(const std::string& file, int line, std::string message) {
  Diagnostic d;
  d.kind = "compile";
  d.where = {file, line, line ? 1 : 0};
  d.message = std::move(message);
  return d;
}

const FrontEnd& front_end() {
  const char* wanted = std::getenv("WARPDOJO_FRONT_END");
  const std::string name = wanted ? wanted : "";
  if (name == "nvrtc") return nvrtc_front_end();
  if (name == "clang") return clang_front_end();
  return !nvrtc_front_end().available(nullptr) && clang_front_end().available(nullptr) ? clang_front_end()
                                                                                       : nvrtc_front_end();
}

std::string without_device_macro(std::string text) {
  for (size_t at = text.find(device_macro); at != text.npos; at = text.find(device_macro, at))
    text.replace(at, device_macro.size(), "__CUDA_HOST__");
  return text;
}

void shorten_files(std::string& ptx, const std::string& file) {
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

}  // namespace compile_detail

std::string compiler_name() { return front_end().name(); }
bool compiler_available(std::string* why) { return front_end().available(why); }

Compiled compile(const CompileRequest& request) {
  const auto started = std::chrono::steady_clock::now();
  Compiled out;
  const std::string file = shown_name(request.file);
  auto finish = [&]() -> Compiled& {
    out.milliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started).count();
    return out;
  };
  const FrontEnd& compiler = front_end();
  if (std::string why; !compiler.available(&why)) {
    out.diagnostics.push_back(compile_problem(file, 0, why));
    return finish();
  }
  if (request.source.size() > largest_source) {
    out.diagnostics.push_back(
        compile_problem(file, 0, "the file is larger than 4 MiB: is it a CUDA source file?"));
    return finish();
  }
  if (const size_t zero = request.source.find('\0'); zero != std::string::npos) {
    const int line = 1 + int(std::count(request.source.begin(), request.source.begin() + long(zero), '\n'));
    out.diagnostics.push_back(
        compile_problem(file, line, "the file holds a zero byte: is it a CUDA source file?"));
    return finish();
  }

  std::string source = request.source;
  if (source.rfind("\xEF\xBB\xBF", 0) == 0) source.erase(0, 3);
  if (source.rfind("\xFF\xFE", 0) == 0 || source.rfind("\xFE\xFF", 0) == 0) {
    out.diagnostics.push_back(compile_problem(file, 1, "the file is UTF-16 text: save it as UTF-8"));
    return finish();
  }
  const TokenFile tokens = tokenize(source);
  if (tokens.trigraph_line) {
    out.diagnostics.push_back(
        compile_problem(file, tokens.trigraph_line, "trigraphs (\?\?=, \?\?/) are not supported"));
    return finish();
  }
  if (const JoinedName j = freeze_date_and_time(source, tokens); !j.text.empty()) {
    Diagnostic d = compile_problem(file, j.line,
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
  Translation t;
  t.file = file;
  t.source = std::move(source);
  t.arch = request.arch;
  t.defines = request.defines;
  t.debug = request.debug;
  t.heavy = includes.heavy;
  t.groups_first = first_header(tokens, "cooperative_groups.h");
  t.managed = out.managed_variables;
  t.host_variables = out.host_variables;
  t.refused = includes.refused;
  Translated made = compiler.translate(t);
  out.ptx = std::move(made.ptx);
  out.diagnostics = std::move(made.diagnostics);
  auto errors = [&] {
    return std::count_if(out.diagnostics.begin(), out.diagnostics.end(),
                         [](const Diagnostic& d) { return d.severity == Severity::error; });
  };
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
