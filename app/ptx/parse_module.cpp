// What stands at module scope: header, functions with their parameters and attributes, variables, files.
#include <algorithm>

#include "core/collections/rounding.hpp"
#include "core/error.hpp"
#include "ptx/flow/flow.hpp"
#include "ptx/instructions/stack_parameters.hpp"
#include "ptx/parser.hpp"

namespace dojo::ptx {
namespace {

uint64_t place_in_order(std::vector<Variable>& variables) {
  uint64_t top = 0;
  for (auto& v : variables) {
    v.offset = round_up(top, v.align);
    top = v.offset + v.bytes;
  }
  return top;
}

}  // namespace

std::shared_ptr<const Module> parse(std::string text, std::string student_file) {
  auto module = std::make_shared<Module>();
  module->text = std::move(text);
  module->student_file = std::move(student_file);
  Parser(*module).run();
  return module;
}

void Parser::run() {
  while (in_.peek()) module_statement();
  finish();
}

void Parser::module_statement() {
  size_t begin = in_.offset();
  Linkage linkage;
  for (;;) {
    std::string_view word = in_.directive();
    if (word.empty()) in_.fail("expected a directive at module scope");
    if (word == "visible" || word == "weak" || word == "common") continue;
    if (word == "extern") {
      linkage.is_extern = true;
      continue;
    }
    if (word == "entry" || word == "func") return function(word == "entry", linkage, begin);
    if (word == "global" || word == "const" || word == "shared" || word == "local" || word == "param") {
      Space space = word == "global"   ? Space::global
                    : word == "const"  ? Space::constant
                    : word == "shared" ? Space::shared
                    : word == "local"  ? Space::local
                                       : Space::param;
      auto all = variables(space, linkage);
      for (auto& v : all) {
        if (functions_.count(v.name)) in_.fail(v.name + " is already a function");
        auto known = m_.variable_by_name.find(v.name);
        uint32_t index;
        if (known != m_.variable_by_name.end()) {  // declared before: the definition wins
          index = known->second;
          if (m_.variables[index].is_extern || !v.is_extern) m_.variables[index] = std::move(v);
        } else {
          index = uint32_t(m_.variables.size());
          auto it = m_.variable_by_name.emplace(v.name, index).first;
          m_.variables.push_back(std::move(v));
          variables_.emplace(it->first, index);
        }
        m_.pieces.push_back({Piece::variable, index, begin, in_.offset()});
      }
      return;
    }
    if (word == "version") {
      m_.version_major = int(in_.integer());
      if (in_.accept('.')) m_.version_minor = int(in_.integer());
      return;
    }
    if (word == "target") {
      m_.target = in_.identifier();
      while (in_.accept(',')) in_.identifier();
      return;
    }
    if (word == "address_size") return void(in_.number());
    if (word == "file") return file_directive();
    if (word == "alias") return alias(begin);
    if (word == "section") {
      if (in_.directive().empty() && in_.identifier().empty()) in_.fail("expected a section's name");
      return in_.skip_braces();
    }
    if (word == "loc") {
      while (in_.at_number()) in_.number();
      return;
    }
    if (word == "pragma" || word == "tex") return in_.skip_past(';');
    in_.fail("unknown directive ." + std::string(word));
  }
}

uint32_t Parser::function_index(std::string_view name) {
  if (auto it = functions_.find(name); it != functions_.end()) return it->second;
  uint32_t index = uint32_t(m_.functions.size());
  auto it = m_.function_by_name.emplace(std::string(name), index).first;
  functions_.emplace(it->first, index);
  Function f;
  f.name = name;
  f.demangled = base_name(f.name);
  m_.functions.push_back(std::move(f));
  return index;
}

std::vector<Variable> Parser::parameters() {
  std::vector<Variable> list;
  if (!in_.accept('(')) return list;
  while (!in_.accept(')')) {
    if (!in_.accept_directive("param") && !in_.accept_directive("reg")) in_.fail("expected a parameter");
    list.push_back(declarator(Space::param, false));
    if (in_.peek() != ')') in_.expect(',');
  }
  place_in_order(list);
  return list;
}

void Parser::function_attributes(Function& f) {
  auto product = [&] {
    int64_t n = 1;
    do {
      n *= std::clamp<int64_t>(in_.integer(), 1, 1 << 20);
      n = std::min<int64_t>(n, 1 << 20);
    } while (in_.accept(','));
    return int(n);
  };
  while (in_.peek() == '.') {
    std::string_view word = in_.directive();
    if (word == "maxntid" || word == "reqntid") {
      f.max_threads = product();
    } else if (word == "minnctapersm") {
      f.min_blocks = product();
    } else if (word == "reqnctapercluster") {
      uint32_t extent[3] = {1, 1, 1};
      for (int i = 0; i < 3; ++i) {
        extent[i] = uint32_t(std::clamp<int64_t>(in_.integer(), 0, 1 << 16));
        if (!in_.accept(',')) break;
      }
      f.cluster = {extent[0], extent[1], extent[2]};
    } else if (word == "noreturn") {
      f.no_return = true;
    } else if (word == "pragma" || word == "attribute") {
      if (word == "pragma")
        in_.skip_past(';');
      else
        in_.skip_past(')');
    } else if (in_.at_number()) {
      product();  // .maxnreg and the like
    }
  }
}

void Parser::function(bool kernel, const Linkage&, size_t begin) {
  std::vector<Variable> returns;
  if (!kernel) returns = parameters();
  std::string_view name = in_.identifier();
  if (name.empty()) in_.fail("expected a function's name");
  if (variables_.count(name)) in_.fail(std::string(name) + " is already a variable");
  uint32_t index = function_index(name);
  Function& f = m_.functions[index];
  if (f.name != name) in_.fail(f.name + " is already an alias");
  auto params = parameters();
  bool no_return = f.no_return;
  f.no_return = false;
  function_attributes(f);
  f.no_return |= no_return;
  bool has_body = in_.peek() == '{';
  if (has_body || !f.defined) {
    f.kernel = kernel;
    f.params = std::move(params);
    f.returns = std::move(returns);
    f.param_bytes = f.params.empty() ? 0 : f.params.back().offset + f.params.back().bytes;
  }
  if (has_body && !kernel && !f.params.empty() && !f.params.back().bytes) {
    // ".param .align 8 .b8 %VAParam[]": how many bytes a call passes only the call says.
    f.params.back().bytes = most_variadic_bytes;
    f.param_bytes = f.params.back().offset + most_variadic_bytes;
  }
  if (has_body) {
    if (f.defined) in_.fail(f.name + " is defined twice");
    f.defined = true;
    body(f);
  } else {
    in_.expect(';');
  }
  m_.pieces.push_back({Piece::function, index, begin, in_.offset()});
}

void Parser::file_directive() {
  uint64_t index = uint64_t(in_.integer());
  std::string_view name = in_.quoted();
  while (in_.accept(',')) in_.number();  // time stamp, size
  if (index > 100000) in_.fail("unusable file number");
  if (m_.files.size() <= index) m_.files.resize(index + 1);
  m_.files[index] = name;
}

void Parser::alias(size_t begin) {
  std::string_view name = in_.identifier();
  in_.expect(',');
  std::string_view target = in_.identifier();
  in_.expect(';');
  auto it = functions_.find(target);
  if (name.empty() || it == functions_.end()) in_.fail("an alias of something that is no function");
  uint32_t index = it->second;
  if (auto own = functions_.find(name); own != functions_.end() && own->second != index)
    m_.functions[own->second].alias_of = int(index), has_aliases_ = true;
  auto entry = m_.function_by_name.insert_or_assign(std::string(name), index).first;
  functions_[entry->first] = index;
  m_.pieces.push_back({Piece::alias, index, begin, in_.offset()});
}

/// Shared variables of module scope and of called functions come first, at the same place for every kernel; a
/// kernel that reaches any of them puts its own behind.
void Parser::layout_shared() {
  uint64_t common = 0;
  auto put = [](Variable& v, uint64_t& top) {
    if (v.space != Space::shared || v.bytes == 0) return;
    v.offset = round_up(top, v.align);
    top = v.offset + v.bytes;
  };
  for (auto& v : m_.variables)
    if (!v.is_extern) put(v, common);
  for (auto& f : m_.functions)
    if (!f.kernel)
      for (auto& v : f.locals) put(v, common);

  // Which functions reach something common, through calls and addresses taken.
  std::vector<uint8_t> uses(m_.functions.size(), 0);
  std::vector<std::vector<int32_t>> callees(m_.functions.size());
  if (common) {
    for (size_t i = 0; i < m_.functions.size(); ++i) {
      auto& f = m_.functions[i];
      for (auto& v : f.locals)
        if (!f.kernel && v.space == Space::shared && v.bytes) uses[i] = 1;
      auto look = [&](const Operand& o, auto& self) -> void {
        if (o.symbol == SymbolKind::function) callees[i].push_back(o.target);
        if (o.symbol == SymbolKind::variable) {
          auto& v = m_.variables[size_t(o.target)];
          if (v.space == Space::shared && !v.is_extern) uses[i] = 1;
        }
        for (auto& item : o.items) self(item, self);
      };
      for (auto& inst : f.code)
        for (auto& o : inst.operands) {
          look(o, look);
          if (inst.meaning.op == Op::call && o.kind == OperandKind::reg)
            uses[i] = 1;  // could be any function
        }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = 0; i < uses.size(); ++i)
        for (int32_t c : callees[i])
          if (!uses[i] && uses[size_t(c)]) uses[i] = 1, changed = true;
    }
  }
  for (size_t i = 0; i < m_.functions.size(); ++i) {
    auto& f = m_.functions[i];
    if (!f.kernel) {
      for (auto& v : f.locals)
        if (v.space == Space::shared) f.shared_bytes = std::max(f.shared_bytes, v.offset + v.bytes);
      continue;
    }
    uint64_t top = uses[i] ? common : 0;
    for (auto& v : f.locals) put(v, top);
    f.shared_bytes = top;
  }
}

void Parser::finish() {
  if (m_.student_file.empty()) {
    for (auto& name : m_.files)
      if (m_.student_file.empty()) m_.student_file = name;
  }
  for (auto& f : m_.functions) {
    if (f.where.line <= 0) continue;
    size_t file =
        size_t(std::max(0, f.where.column));  // body() keeps the file's number here until files are known
    f.where.file = file < m_.files.size() ? m_.files[file] : std::string();
    f.where.column = 0;
  }
  if (has_aliases_) {
    auto redirect = [&](Operand& o, auto& self) -> void {
      if (o.symbol == SymbolKind::function && m_.functions[size_t(o.target)].alias_of >= 0)
        o.target = m_.functions[size_t(o.target)].alias_of;
      for (auto& item : o.items) self(item, self);
    };
    for (auto& f : m_.functions)
      for (auto& inst : f.code)
        for (auto& o : inst.operands) redirect(o, redirect);
  }
  layout_shared();
}

}  // namespace dojo::ptx
