#include "core/compile.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "core/compile/compiler.hpp"
#include "core/compile/front_end.hpp"
#include "core/compile/frozen.hpp"
#include "core/compile/includes.hpp"
#include "core/compile/messages.hpp"
#include "core/compile/own/exceptions.hpp"
#include "core/compile/own/handlers.hpp"
#include "core/compile/own/host_tables.hpp"
#include "core/compile/own/late_globals.hpp"
#include "core/compile/own/link_units.hpp"
#include "core/compile/own/own_headers.hpp"
#include "core/compile/source_names.hpp"
#include "core/compile/spaces.hpp"
#include "core/compile/words/source_advice.hpp"
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

/// The name by which the texts include an own header: inside every folder, and in none.
std::string own_key(const Bundle& r, size_t i) {
  return "own" + std::to_string(i) + "/" + std::filesystem::path(r.headers[i].name).filename().string();
}

/// The file with its globals initialised in main, where that is all that the compiler refuses; else empty.
LateGlobals without_early_globals(const std::string& source, const std::string& file,
                                  const std::vector<Diagnostic>& said) {
  std::set<int> lines;
  for (const Diagnostic& d : said) {
    if (d.severity != Severity::error) continue;
    if (d.where.file != file || d.message != early_global) return {};
    lines.insert(d.where.line);
  }
  return lines.empty() ? LateGlobals() : with_late_globals(source, tokenize(source), lines);
}

/// A text of the program after what is done before the compiler sees it.
struct Passed {
  std::optional<Diagnostic> problem;  ///< the text can't be compiled
  std::string text;                   ///< same lines as the student's
  SpaceCheck spaces;
  IncludeScan includes;
  SourceNames names;
  bool groups_first = false;
};

/// The macros of a program's own headers: `DEV` of common.h is __device__ in every file.
std::map<std::string, Macro> shared_macros(const Bundle& program) {
  std::map<std::string, Macro> all;
  for (const OwnHeader& h : program.headers)
    for (auto& [name, macro] : tokenize(h.text).macros)
      if (Macro& known = all[name]; known.body.empty()) known = macro;
  return all;
}

/// By its byte order mark, or by the zeros of its first two letters.
bool is_utf16(const std::string& text) {
  if (text.rfind("\xFF\xFE", 0) == 0 || text.rfind("\xFE\xFF", 0) == 0) return true;
  const auto zero = [&](size_t i) { return text[i] == 0; };
  return text.size() >= 4 && zero(0) == zero(2) && zero(1) == zero(3) && zero(0) != zero(1);
}

/// What a text is part of: a whole program or a step, and the standard that it is compiled by.
struct Dialect {
  bool whole = false, later = false;
};

Passed pass(const std::string& file, const std::string& given, const Bundle& program, const Dialect& dialect,
            const std::map<std::string, Macro>& macros) {
  const bool whole = dialect.whole;
  Passed p;
  auto refuse = [&](int line, std::string message) { p.problem = compile_problem(file, line, message); };
  std::string& source = p.text;
  source = given;
  if (is_utf16(source)) {
    refuse(1, "the file is UTF-16 text: save it as UTF-8");
    return p;
  }
  if (const size_t zero = source.find('\0'); zero != std::string::npos) {
    refuse(1 + int(std::count(source.begin(), source.begin() + long(zero), '\n')),
           "the file holds a zero byte: is it a CUDA source file?");
    return p;
  }
  if (source.rfind("\xEF\xBB\xBF", 0) == 0) source.erase(0, 3);
  const TokenFile tokens = tokenize(source);
  if (tokens.trigraph_line) {
    refuse(tokens.trigraph_line, "trigraphs (\?\?=, \?\?/) are not supported");
    return p;
  }
  if (const JoinedName j = freeze_date_and_time(source, tokens); !j.text.empty()) {
    refuse(j.line, "a file with ## can't have the name '" + j.text +
                       "', which could be joined to __TIME__ or __DATE__. Use another name.");
    p.problem->where.column = j.column;
    return p;
  }
  if (DeviceCub use = find_device_cub(tokens, whole); use.line) {
    refuse(use.line, std::move(use.why));
    p.problem->where.column = use.column;
    return p;
  }
  TokenFile with_headers = tokens;
  with_headers.macros.insert(macros.begin(), macros.end());
  p.spaces = check_spaces(with_headers, whole);
  for (Diagnostic& d : p.spaces.errors) d.where.file = file;
  for (const auto& [at, name] : p.spaces.host_calls)
    if (at + name.size() <= source.size()) source.replace(at, name.size(), name);
  for (size_t at : p.spaces.blanked)
    for (size_t i = at;
         i < source.size() && (isalnum(static_cast<unsigned char>(source[i])) || source[i] == '_'); ++i)
      source[i] = ' ';
  if (whole) source = with_own_words(without_throw(source, tokens), tokens);
  p.names = read_source_names(given, file);
  p.groups_first = first_header(tokens, "cooperative_groups.h");
  p.includes = close_includes(
      source, tokens,
      [&](const std::string& name, bool quoted) {
        const int i = find_own(program, file, name, quoted);
        return i < 0 ? std::string() : own_key(program, size_t(i));
      },
      whole, dialect.later);
  if (whole) source = with_handlers(source);
  return p;
}

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

void shorten_files(std::string& ptx, const Translation& t) {
  const std::string root = source_root().string() + "/";
  for (size_t at = ptx.find("\t.file\t"); at != std::string::npos; at = ptx.find("\t.file\t", at + 1)) {
    const size_t open = ptx.find('"', at), close = open == std::string::npos ? open : ptx.find('"', open + 1);
    if (close == std::string::npos) return;
    const std::string name = ptx.substr(open + 1, close - open - 1);
    auto ends = [&](const std::string& tail) {
      return name.size() >= tail.size() && name.compare(name.size() - tail.size(), tail.size(), tail) == 0;
    };
    std::string shown = name;
    const auto own = std::find_if(t.headers.begin(), t.headers.end(),
                                  [&](const OwnText& h) { return name == h.key || ends("/" + h.key); });
    if (ends("/" + t.file))
      shown = t.file;
    else if (own != t.headers.end())
      shown = own->name;
    else if (ends("/__nv_nvrtc_builtin_header.h"))
      shown = "__nv_nvrtc_builtin_header.h";
    else if (name.rfind(root, 0) == 0)
      shown = name.substr(root.size());
    ptx.replace(open + 1, close - open - 1, shown);
  }
}

}  // namespace compile_detail

namespace {

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Each file by itself, then all as one module.
Compiled compile_units(const CompileRequest& request, Bundle program) {
  std::vector<OwnHeader> files = std::move(program.units);
  program.units.clear();
  files.insert(files.begin(), OwnHeader{request.file, pack(program)});
  Compiled all;
  SourceNames names;
  all.ok = true;
  std::vector<Unit> units;
  for (const OwnHeader& f : files) {
    CompileRequest one = request;
    one.file = f.name;
    one.source = f.text;
    Compiled c = compile(one);
    all.ok = all.ok && c.ok;
    const SourceNames own = source_names_of(c.ptx);
    units.push_back({f.name, std::string(without_source_names(c.ptx))});
    names.add(own);
    append(all.diagnostics, c.diagnostics);
    append(all.host_variables, c.host_variables);
    append(all.managed_variables, c.managed_variables);
    if (&f == &files.front()) all.allocation_names = std::move(c.allocation_names);
  }
  if (!all.ok) return all;
  all.ptx = with_source_names(link_units(units, &all.diagnostics), names);
  all.ok = !has_errors(all.diagnostics);
  if (!all.ok) all.ptx.clear();
  return all;
}

/// The file and the program's own headers, each after its pass.
struct PassedProgram {
  Passed main;
  std::vector<Passed> headers;  ///< as Bundle::headers
};

/// Passes every text. Variables, names and what can't be compiled go into `out`.
PassedProgram pass_program(const std::string& file, const Bundle& program, const Dialect& dialect,
                           Compiled& out) {
  const std::map<std::string, Macro> macros = shared_macros(program);
  PassedProgram p;
  p.main = pass(file, program.text, program, dialect, macros);
  out.allocation_names = std::move(p.main.spaces.allocation_names);
  const auto take = [&out](Passed& text) {
    append(out.host_variables, text.spaces.host_variables);
    append(out.managed_variables, text.spaces.managed_variables);
  };
  take(p.main);
  for (const OwnHeader& h : program.headers) {
    p.headers.push_back(pass(h.name, h.text, program, dialect, macros));
    take(p.headers.back());
    if (p.headers.back().problem) out.diagnostics.push_back(std::move(*p.headers.back().problem));
  }
  if (p.main.problem) out.diagnostics.push_back(std::move(*p.main.problem));
  return p;
}

Translation translation_of(const CompileRequest& request, const std::string& file, const Bundle& program,
                           const PassedProgram& p, const Compiled& out) {
  Translation t;
  t.file = file;
  t.source = p.main.text;
  t.arch = request.arch;
  t.defines = request.defines;
  t.standard = request.standard;
  t.debug = request.debug;
  t.heavy = p.main.includes.heavy;
  t.groups_first = p.main.groups_first;
  t.managed = out.managed_variables;
  t.host_variables = out.host_variables;
  t.refused = p.main.includes.refused;
  for (size_t i = 0; i < p.headers.size(); ++i)
    t.headers.push_back(
        {own_key(program, i), program.headers[i].name, p.headers[i].text, p.headers[i].includes.refused});
  return t;
}

/// Where a program's only fault is that globals need code before main, they get their values in main.
Translated translate(const FrontEnd& compiler, Translation& t, bool whole) {
  Translated made = compiler.translate(t);
  if (!whole || !made.ptx.empty()) return made;
  LateGlobals moved = without_early_globals(t.source, t.file, made.diagnostics);
  if (moved.source.empty()) return made;
  t.source = std::move(moved.source);
  append(t.host_variables, moved.names);
  Translated again = compiler.translate(t);
  return again.ptx.empty() ? made : again;
}

Compiled compile_text(const CompileRequest& request, const FrontEnd& compiler, const Bundle& program) {
  constexpr size_t most_diagnostics = 50;
  Compiled out;
  const std::string file = shown_name(request.file);
  const PassedProgram p = pass_program(file, program, {request.program, request.standard != "c++17"}, out);
  if (!out.diagnostics.empty()) return out;
  Translation t = translation_of(request, file, program, p, out);
  Translated made = translate(compiler, t, request.program);
  out.host_variables = std::move(t.host_variables);
  SourceNames names = p.main.names;
  for (const Passed& h : p.headers) names.add(h.names);
  out.ptx = with_source_names(with_host_tables(made.ptx), names);
  out.diagnostics = std::move(made.diagnostics);
  if (has_errors(out.diagnostics)) add_source_advice(out.diagnostics, tokenize(program.text), file);
  // The token pass reads what it can't parse loosely: it speaks only when the compiler is content.
  if (!has_errors(out.diagnostics)) {
    append(out.diagnostics, p.main.spaces.errors);
    for (const Passed& h : p.headers) append(out.diagnostics, h.spaces.errors);
  }
  // Errors first: what a student must look at.
  std::stable_sort(out.diagnostics.begin(), out.diagnostics.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.severity > b.severity; });
  out.ok = !has_errors(out.diagnostics);
  if (out.diagnostics.size() > most_diagnostics) out.diagnostics.resize(most_diagnostics);
  if (!out.ok) out.ptx.clear();
  return out;
}

Compiled compile_any(const CompileRequest& request) {
  const auto refused = [&request](std::string why) {
    Compiled out;
    out.diagnostics.push_back(compile_problem(shown_name(request.file), 0, std::move(why)));
    return out;
  };
  const FrontEnd& compiler = front_end();
  if (std::string why; !compiler.available(&why)) return refused(why);
  const Bundle program = request.program ? unpack(request.source) : Bundle{request.source, {}, {}, {}};
  if (!program.units.empty()) return compile_units(request, program);
  // PTX's line table has names between quotation marks, and nothing that quotes them.
  if (shown_name(request.file).find_first_of("\"\r\n") != std::string::npos)
    return refused("the file's name has a quotation mark or a line break: rename it");
  if (program.text.size() > largest_source)
    return refused("the file is larger than 4 MiB: is it a CUDA source file?");
  return compile_text(request, compiler, program);
}

}  // namespace

std::string compiler_name() { return front_end().name(); }
bool compiler_available(std::string* why) { return front_end().available(why); }

Compiled compile(const CompileRequest& request) {
  const auto started = std::chrono::steady_clock::now();
  Compiled out = compile_any(request);
  out.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started).count();
  return out;
}

}  // namespace dojo
