#include <cxxabi.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "ptx/module.hpp"

namespace dojo::ptx {
namespace {

bool closes(char c) { return c == ')' || c == '>' || c == '}' || c == ']'; }
bool opens(char c) { return c == '(' || c == '<' || c == '{' || c == '['; }

/// Where the bracket that the closing one at `last` matches stands, or npos.
size_t matching_open(std::string_view s, size_t last) {
  int depth = 0;
  for (size_t i = last + 1; i-- > 0;) {
    if (s[i] == '>' && i > 0 && s[i - 1] == '-') continue;
    if (closes(s[i])) ++depth;
    if (opens(s[i]) && --depth == 0) return i;
  }
  return std::string_view::npos;
}

std::string_view file_of(const Module& m, uint32_t file) {
  return file < m.files.size() ? std::string_view(m.files[file]) : std::string_view();
}

/// As the C++ library demangles a symbol; what it can't stays.
std::string plain(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      symbol.starts_with("_Z") ? abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status) : nullptr,
      std::free);
  return text && status == 0 ? text.get() : symbol;
}

/// Without the concepts that clang writes before template arguments and older libraries can't read: in
/// "_Z4growITk6NumberiEvPT_S0_" stands "Tk6Number" before "i".
std::string without_concepts(std::string symbol) {
  for (size_t at = 0; (at = symbol.find("Tk", at)) != symbol.npos;) {
    size_t length = 0;
    const char* const end = symbol.data() + symbol.size();
    const auto read = std::from_chars(symbol.data() + at + 2, end, length);
    if (read.ec != std::errc() || length > size_t(end - read.ptr)) {
      at += 2;
      continue;
    }
    symbol.erase(at, size_t(read.ptr - symbol.data()) + length - at);
  }
  return symbol;
}

/// A static function of a program of several files (nvcc -rdc=true) without the name of its file:
/// "__nv_static_28__e83f679e_7_more_cu_3cc51e3f__Z2k2Pi" is "_Z2k2Pi". The number is the length of what
/// follows it.
std::string without_unit(const std::string& symbol) {
  constexpr std::string_view head = "__nv_static_";
  if (!symbol.starts_with(head)) return symbol;
  const size_t number = head.size(), end = symbol.find('_', number);
  if (end == symbol.npos) return symbol;
  size_t length = 0;
  const auto read = std::from_chars(symbol.data() + number, symbol.data() + end, length);
  const size_t rest = end + 1 + length;
  if (read.ptr != symbol.data() + end || rest + 1 >= symbol.size() || symbol[rest] != '_') return symbol;
  return symbol.substr(rest + 1);
}

}  // namespace

std::string demangled(const std::string& written) {
  const std::string symbol = without_unit(written);
  std::string name = plain(symbol);
  if (name == symbol && symbol.starts_with("_Z"))
    if (const std::string simpler = without_concepts(symbol); simpler != symbol) {
      name = plain(simpler);
      if (name == simpler) name = symbol;
    }
  // Programs of `play` have Thrust's stand-in in a namespace of another name: the compiler knows its own.
  for (size_t at = 0; (at = name.find("_thrst::", at)) != name.npos;) name.replace(at, 8, "thrust::");
  return name;
}

std::vector<std::string> parameter_types(const std::string& symbol) {
  const std::string whole = demangled(symbol);
  const std::string_view s = whole;
  const size_t close = s.rfind(')');
  const size_t open = close == s.npos || whole == symbol ? s.npos : matching_open(s, close);
  std::vector<std::string> types;
  if (open == s.npos) return types;
  int depth = 0;
  for (size_t at = open + 1, from = at; at <= close && open + 1 < close; ++at) {
    if (at < close && opens(s[at])) ++depth;
    if (at < close && closes(s[at])) --depth;
    if (at < close && (s[at] != ',' || depth)) continue;
    from = std::min(s.find_first_not_of(' ', from), at);
    types.emplace_back(s.substr(from, at - from));
    from = at + 1;
  }
  return types;
}

std::string base_name(const std::string& mangled) {
  const std::string whole = demangled(mangled);
  if (whole == mangled) return mangled;
  std::string_view s = whole;
  // Off with the parameter list and what follows it, then with return type and scopes before the name.
  size_t close = s.rfind(')');
  if (close != s.npos && s.find('>', close) == s.npos && s.find("::", close) == s.npos) {
    size_t open = matching_open(s, close);
    if (open != s.npos && open > 0) s = s.substr(0, open);
  }
  if (size_t op = s.rfind("operator"); op != s.npos && (op == 0 || s[op - 1] == ':'))
    return std::string(s.substr(op));
  for (size_t i = s.size(); i-- > 0;) {
    if (closes(s[i])) {
      size_t open = matching_open(s, i);
      if (open == s.npos) break;
      i = open;
    } else if (s[i] == ' ' || (s[i] == ':' && i > 0)) {
      return std::string(s.substr(i + 1));
    }
  }
  return std::string(s);
}

bool same_file(std::string_view a, std::string_view b) {
  if (a.size() < b.size()) std::swap(a, b);
  if (b.empty() || !a.ends_with(b)) return false;
  return a.size() == b.size() || b[0] == '/' || a[a.size() - b.size() - 1] == '/';
}

const Function* Module::find(std::string_view mangled) const {
  auto it = function_by_name.find(std::string(mangled));
  return it == function_by_name.end() ? nullptr : &functions[it->second];
}

namespace {
/// "_Z3addPKfi", static "_ZL3addf", and names of C; not "_ZN4Pair3addEv".
bool at_global_scope(std::string_view mangled) {
  if (!mangled.starts_with("_Z")) return true;
  const size_t first = mangled.starts_with("_ZL") ? 3 : 2;
  return mangled.size() > first && mangled[first] >= '0' && mangled[first] <= '9';
}
}  // namespace

std::vector<const Function*> Module::find_named(std::string_view base, bool kernel) const {
  // An exact name first; then a template by its bare name.
  for (bool templates : {false, true}) {
    std::vector<const Function*> found;
    for (auto& f : functions) {
      if (!f.defined || f.kernel != kernel) continue;
      std::string_view name = f.demangled;
      if (templates) name = name.substr(0, name.find('<'));
      if (name == base) found.push_back(&f);
    }
    const auto global = [](const Function* f) { return at_global_scope(f->name); };
    if (std::ranges::any_of(found, global))
      std::erase_if(found, [&](const Function* f) { return !global(f); });
    if (!found.empty()) return found;
  }
  return {};
}

const Function* Module::find_base(std::string_view base, bool kernel) const {
  const std::vector<const Function*> found = find_named(base, kernel);
  return found.size() == 1 ? found[0] : nullptr;
}

namespace {
bool of_system(std::string_view file) {
  for (const char* part :
       {"/targets/x86_64-linux/include/", "/targets/sbsa-linux/include/", "/cuda/include/"})
    if (file.find(part) != file.npos) return true;
  return file.starts_with("/usr/include/") || file.starts_with("/usr/lib/");
}
bool reported(const Module& m, std::string_view file) {
  return m.student_file == every_project_file ? !of_system(file) : same_file(file, m.student_file);
}
}  // namespace

std::vector<SourceLoc> Module::places(const Instruction& inst) const {
  std::vector<SourceLoc> out;
  for (int i = inst.line; i >= 0 && size_t(i) < lines.size(); i = lines[size_t(i)].inlined_at) {
    const Line& l = lines[size_t(i)];
    if (reported(*this, file_of(*this, l.file)))
      out.push_back({std::string(file_of(*this, l.file)), l.line, l.column});
  }
  return out;
}

SourceLoc Module::place(const Instruction& inst) const {
  if (inst.line < 0 || size_t(inst.line) >= lines.size()) return {};
  if (auto own = places(inst); !own.empty()) return own[0];
  const Line& l = lines[size_t(inst.line)];
  return {std::string(file_of(*this, l.file)), l.line, l.column};
}

bool Module::of_student(const SourceLoc& where) const { return reported(*this, where.file); }

}  // namespace dojo::ptx
