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
#include "core/compile/messages.hpp"
#include "core/compile/own/handlers.hpp"
#include "core/compile/own/host_tables.hpp"
#include "core/compile/own/late_globals.hpp"
#include "core/compile/own/late_statics.hpp"
#include "core/compile/own/link_units.hpp"
#include "core/compile/own/own_headers.hpp"
#include "core/compile/own/plain_words.hpp"
#include "core/compile/passed.hpp"
#include "core/compile/source_names.hpp"
#include "core/compile/spaces/spaces.hpp"
#include "core/compile/tokens.hpp"
#include "core/compile/words/source_advice.hpp"
#include "core/paths.hpp"

namespace dojo {
using namespace compile_detail;

namespace {

constexpr size_t largest_source = size_t(4) << 20;

/// The name that messages and line tables carry: it must not look like a path that the compiler would search.
std::string shown_name(const std::string& file) { return file.empty() ? "program.cu" : file; }

/// The file with its host functions' statics initialised when they are reached and its globals in main, where
/// initialisers are all that the compiler refuses; else empty. `whole`: it has a main.
LateGlobals without_early_globals(const std::string& source, const std::string& file, bool whole,
                                  const std::vector<Diagnostic>& said) {
  std::set<int> lines;
  for (const Diagnostic& d : said) {
    if (d.severity != Severity::error) continue;
    if (d.where.file != file || d.message != early_global) return {};
    lines.insert(d.where.line);
  }
  if (lines.empty()) return {};
  LateStatics once = with_late_statics(source, tokenize(source), lines);
  if (once.left.empty()) return {std::move(once.source), {}};
  return whole ? with_late_globals(once.source, tokenize(once.source), once.left) : LateGlobals();
}

}  // namespace

namespace compile_detail {

Diagnostic compile_problem(const std::string& file, int line, std::string message) {
  Diagnostic d;
  d.kind = FindingKind::compile;
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

/// Each file by itself, then all as one module.
Compiled compile_units(const CompileRequest& request, Bundle program) {
  std::vector<OwnHeader> files = std::move(program.units);
  program.units.clear();
  files.insert(files.begin(), OwnHeader{request.file, pack(program)});
  Compiled all;
  SourceNames names;
  all.ok = true;
  std::vector<Unit> units;
  const bool handlers = std::any_of(files.begin(), files.end(),
                                    [](const OwnHeader& f) { return f.text.find("catch") != f.text.npos; });
  for (const OwnHeader& f : files) {
    CompileRequest one = request;
    one.catches = handlers;
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

size_t errors_of(const std::vector<Diagnostic>& all) {
  return size_t(std::count_if(all.begin(), all.end(),
                              [](const Diagnostic& d) { return d.severity == Severity::error; }));
}

/// What the compiler refuses goes to it once more without extensions of GNU C++.
Translated translate_plain(const FrontEnd& compiler, Translation& t) {
  Translated made = compiler.translate(t);
  if (!made.ptx.empty()) return made;
  Translation plain = t;
  plain.source = in_plain_words(t.source, tokenize(t.source));
  if (plain.source.empty()) return made;
  Translated again = compiler.translate(plain);
  if (again.ptx.empty() && errors_of(again.diagnostics) >= errors_of(made.diagnostics)) return made;
  t.source = std::move(plain.source);
  return again;
}

/// Where a program's only fault is that globals or statics need code, they get their values in main or where
/// they are reached.
Translated translate(const FrontEnd& compiler, Translation& t, bool whole) {
  constexpr int most_rounds = 4;  // the compiler tells of templates when the rest is right
  Translated made = translate_plain(compiler, t);
  if (!made.ptx.empty()) return made;
  Translation late = t;
  Translated again = made;
  for (int round = 0; round < most_rounds && again.ptx.empty(); ++round) {
    LateGlobals moved = without_early_globals(late.source, late.file, whole, again.diagnostics);
    if (moved.source.empty()) return made;
    late.source = std::move(moved.source);
    append(late.host_variables, moved.names);
    again = compiler.translate(late);
  }
  if (again.ptx.empty()) return made;
  t = std::move(late);
  return again;
}

/// What a program was made of, and what became of it.
struct Attempt {
  PassedProgram passed;
  Translation translation;
  Translated made;
  Compiled out;  ///< with diagnostics: it can't be compiled
};

Attempt attempt(const CompileRequest& request, const FrontEnd& compiler, const Bundle& program,
                const Dialect& dialect) {
  Attempt a;
  const std::string file = shown_name(request.file);
  a.passed = pass_program(file, program, dialect, a.out);
  if (!a.out.diagnostics.empty()) return a;
  a.translation = translation_of(request, file, program, a.passed, a.out);
  a.made = translate(compiler, a.translation, request.program);
  return a;
}

bool catches(const CompileRequest& request, const Bundle& program) {
  return request.program && (request.catches || has_handlers(program.text) ||
                             std::any_of(program.headers.begin(), program.headers.end(),
                                         [](const OwnHeader& h) { return has_handlers(h.text); }));
}

/// Entries for destructors stand behind what looks like a variable; where the compiler does not agree, the
/// program is compiled without them.
Attempt attempt_with_cleanups(const CompileRequest& request, const FrontEnd& compiler, const Bundle& program,
                              Dialect dialect) {
  Attempt first = attempt(request, compiler, program, dialect);
  const auto& headers = first.passed.headers;
  const bool used = first.passed.main.cleanups ||
                    std::any_of(headers.begin(), headers.end(), [](const Passed& h) { return h.cleanups; });
  if (!used || !first.out.diagnostics.empty() || !first.made.ptx.empty()) return first;
  dialect.cleanups = false;
  Attempt second = attempt(request, compiler, program, dialect);
  if (second.made.ptx.empty()) return second;
  Diagnostic d =
      compile_problem(shown_name(request.file), 0,
                      "destructors do not run in this program when an exception leaves a block: what "
                      "they would print or free is missing");
  d.severity = Severity::warning;
  second.made.diagnostics.push_back(std::move(d));
  return second;
}

Compiled compile_by_standard(const CompileRequest& request, const FrontEnd& compiler, const Bundle& program) {
  constexpr size_t most_diagnostics = 50;
  const std::string file = shown_name(request.file);
  const bool handlers = catches(request, program);
  auto [p, t, made, out] = attempt_with_cleanups(
      request, compiler, program, {request.program, request.standard != "c++17", handlers, handlers});
  if (!out.diagnostics.empty()) return out;
  out.host_variables = std::move(t.host_variables);
  SourceNames names = p.main.names;
  for (const Passed& h : p.headers) names.add(h.names);
  out.ptx = with_source_names(with_host_tables(made.ptx), names);
  out.diagnostics = std::move(made.diagnostics);
  if (has_errors(out.diagnostics)) add_source_advice(out.diagnostics, tokenize(program.text), request, file);
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

/// Does the text use what C++20 brought and nvcc takes in C++17, too: members named in braces, `{.x = 1}`,
/// and template parameters of lambdas, `[]<class T>(T v)`?
bool has_later_syntax(const std::string& text) {
  const TokenFile file = tokenize(text);
  const auto is = [&](size_t at, auto... words) {
    return at < file.tokens.size() && (file.tokens[at].is(words) || ...);
  };
  for (size_t i = 0; i < file.tokens.size(); ++i) {
    if (is(i, "{", ",") && is(i + 1, ".") && is(i + 3, "=", "{")) return true;
    if (!is(i, "]") || !is(i + 1, "<") || !is(i + 2, "typename", "class", "int", "auto")) continue;
    size_t open = i;
    while (open > 0 && !is(open, "[")) --open;
    if (open > 0 && is(open - 1, "=", "(", ",", "{", ";", "return", "&&", "||")) return true;  // no subscript
  }
  return false;
}

/// C++17, as nvcc does. A file with later syntax that is refused is compiled as C++20.
Compiled compile_text(const CompileRequest& request, const FrontEnd& compiler, const Bundle& program) {
  Compiled first = compile_by_standard(request, compiler, program);
  if (first.ok || request.standard != "c++17" || !has_later_syntax(program.text)) return first;
  CompileRequest later = request;
  later.standard = "c++20";
  Compiled second = compile_by_standard(later, compiler, program);
  return second.ok || errors_of(second.diagnostics) < errors_of(first.diagnostics) ? second : first;
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
