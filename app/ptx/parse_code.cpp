// Function bodies: scopes, registers, labels, source lines, instructions and their operands.
#include <algorithm>

#include "core/collections/rounding.hpp"
#include "ptx/flow/flow.hpp"
#include "ptx/instructions/stack_parameters.hpp"
#include "ptx/parser.hpp"

namespace dojo::ptx {
namespace {

uint64_t line_key(uint32_t file, int line, int column) {
  return (uint64_t(file) << 44) ^ (uint64_t(uint32_t(line)) << 16) ^ (uint64_t(uint32_t(column)) & 0xFFFF);
}

[[noreturn]] void throw_line(int line, const std::string& what) { throw ParseError(line, what); }

void split_opcode(std::string_view opcode, std::vector<std::string>& parts) {
  parts.reserve(size_t(std::count(opcode.begin(), opcode.end(), '.')) + 1);
  for (size_t at = 0; at <= opcode.size();) {
    size_t dot = std::min(opcode.find('.', at), opcode.size());
    parts.emplace_back(opcode.substr(at, dot - at));
    at = dot + 1;
  }
}

}  // namespace

void Parser::body(Function& f) {
  f_ = &f;
  scopes_.assign(1, {});
  scope_parent_.assign(1, 0);
  labels_.clear(), branch_targets_.clear(), uses_.clear(), name_count_.clear(), last_line_.clear();
  line_ = -1;
  in_.expect('{');
  while (!scopes_.empty()) {
    char c = in_.peek();
    int ptx_line = in_.line();
    if (c == 0) in_.fail("the body of " + f.name + " has no end");
    if (c == '}') {
      in_.expect('}');
      uint64_t top = scopes_.back().call_top;
      f.call_bytes = std::max(f.call_bytes, top);
      scopes_.pop_back();
    } else if (c == '{') {
      in_.expect('{');
      if (scopes_.size() > 256) in_.fail("braces nested too deep");
      scope_parent_.push_back(scopes_.back().id);
      Scope inner;
      inner.id = uint32_t(scope_parent_.size() - 1);
      inner.call_top = scopes_.back().call_top;
      scopes_.push_back(std::move(inner));
    } else if (c == ';') {
      in_.expect(';');
    } else if (c == '.') {
      body_directive(in_.directive(), {});
    } else if (c == '@') {
      in_.expect('@');
      bool negated = in_.accept('!');
      std::string_view name = in_.identifier();
      int guard = find_register(name);
      if (guard < 0) in_.fail("unknown guard " + std::string(name));
      std::string_view opcode = (in_.skip_space(), in_.opcode());
      if (opcode.empty()) in_.fail("expected an instruction");
      instruction(opcode, guard, negated, ptx_line);
    } else {
      std::string_view word = in_.opcode();
      if (word.empty()) in_.fail("expected an instruction");
      if (!in_.accept(':')) {
        instruction(word, -1, false, ptx_line);
        continue;
      }
      if (in_.peek() == '.') {
        auto at_directive = in_.mark();
        std::string_view next = in_.directive();
        if (next == "branchtargets" || next == "callprototype" || next == "calltargets") {
          body_directive(next, word);
          continue;
        }
        in_.reset(at_directive);
      }
      auto& defs = labels_[word];
      for (auto& d : defs)
        if (d.scope == scopes_.back().id) in_.fail("label " + std::string(word) + " is defined twice");
      defs.push_back({scopes_.back().id, uint32_t(f.code.size())});
      f.labels.emplace(std::string(word), uint32_t(f.code.size()));
    }
  }

  // Falling off the end returns.
  bool open_end = f.code.empty() || !ends_block(f.code.back()) || f.code.back().guard >= 0;
  for (auto& [name, defs] : labels_)
    for (auto& d : defs) open_end |= d.at == f.code.size();
  if (open_end) {
    Instruction ret;
    ret.opcode = "ret";
    ret.parts = {"ret"};
    ret.meaning = meaning_of(ret);
    ret.line = line_;
    f.code.push_back(std::move(ret));
  }
  resolve_labels();
  build_flow(f);
  f_ = nullptr;
}

void Parser::body_directive(std::string_view word, std::string_view label) {
  if (word == "reg") return register_directive();
  if (word == "loc") return loc_directive();
  if (word == "param") return local_variables(Space::param);
  if (word == "local") return local_variables(Space::local);
  if (word == "shared") return local_variables(Space::shared);
  if (word == "extern" || word == "weak" || word == "visible") return;  // of the variable that follows
  if (word == "global" || word == "const") {
    // A static of this function: as a module variable under its own name.
    for (auto& v : variables(word == "global" ? Space::global : Space::constant, {})) {
      uint32_t index = uint32_t(m_.variables.size());
      auto [it, fresh] = m_.variable_by_name.emplace(v.name, index);
      if (!fresh) in_.fail(v.name + " is defined twice");
      variables_.emplace(it->first, index);
      m_.variables.push_back(std::move(v));
    }
    return;
  }
  if (word == "branchtargets") {
    auto& list = branch_targets_[label];
    list.clear();
    do {
      std::string_view name = in_.identifier();
      if (name.empty()) in_.fail("expected a label");
      list.push_back(name);
    } while (in_.accept(','));
    return in_.expect(';');
  }
  if (word == "pragma" && in_.peek() == '"') {
    if (in_.quoted() == "nounroll") f_->not_unrolled.push_back(uint32_t(f_->code.size()));
    return in_.skip_past(';');
  }
  if (word == "pragma" || word == "callprototype" || word == "calltargets" || word == "file") {
    if (word == "file") in_.fail("a .file inside a function");
    return in_.skip_past(';');
  }
  in_.fail("unknown directive ." + std::string(word));
}

void Parser::register_directive() {
  Type type = Type::none;
  while (in_.peek() == '.') {
    Type t = type_from(in_.directive());
    if (t != Type::none) type = t;
  }
  if (type == Type::none) in_.fail("registers without a type");
  do {
    RegisterClass c;
    c.type = type;
    c.prefix = in_.identifier();
    if (c.prefix.empty()) in_.fail("expected a register's name");
    if (in_.accept('<')) {
      int64_t n = in_.integer();
      in_.expect('>');
      if (n < 1 || n > 1 << 24) in_.fail("unusable number of registers");
      c.count = uint64_t(n);
    } else {
      c.index.assign(1, -1);
    }
    scopes_.back().registers.push_back(std::move(c));
  } while (in_.accept(','));
  in_.expect(';');
}

/// ".loc FILE LINE COLUMN [, function_name LABEL [+ N], inlined_at FILE LINE COLUMN]"; the place inlined at
/// is that of an earlier .loc.
void Parser::loc_directive() {
  Line at;
  at.file = uint32_t(in_.integer());
  at.line = int(in_.integer());
  if (in_.at_number()) at.column = int(in_.integer());
  while (in_.accept(',')) {
    std::string_view word = in_.identifier();
    if (word == "function_name") {
      in_.identifier();
      if (in_.accept('+')) in_.number();
    } else if (word == "inlined_at") {
      uint32_t file = uint32_t(in_.integer());
      int line = int(in_.integer()), column = int(in_.integer());
      auto it = last_line_.find(line_key(file, line, column));
      if (it != last_line_.end()) {
        at.inlined_at = it->second;
      } else {
        m_.lines.push_back({file, line, column, -1});
        at.inlined_at = int(m_.lines.size()) - 1;
      }
    } else if (in_.at_number()) {
      in_.number();
    } else if (word.empty()) {
      in_.fail("unreadable .loc");
    }
    // is_stmt, prologue_end and such stand without a comma.
    while (in_.at_number()) in_.number();
  }
  auto [it, fresh] = last_line_.emplace(line_key(at.file, at.line, at.column), int32_t(m_.lines.size()));
  if (!fresh && m_.lines[size_t(it->second)].inlined_at == at.inlined_at) {
    line_ = it->second;
  } else {
    it->second = int32_t(m_.lines.size());
    line_ = it->second;
    m_.lines.push_back(at);
  }
  if (f_->where.line == 0 && at.line > 0) {
    f_->where.line = at.line;
    f_->where.column = int(at.file);  // until the file table is known, see finish()
  }
}

void Parser::local_variables(Space space) {
  for (auto& v : variables(space, {})) {
    if (space == Space::param) {
      v.offset = round_up(scopes_.back().call_top, v.align);
      scopes_.back().call_top = v.offset + v.bytes;
    } else if (space == Space::local) {
      v.offset = round_up(f_->local_bytes, v.align);
      f_->local_bytes = v.offset + v.bytes;
    } else if (v.bytes == 0) {
      v.is_extern = true;
    }
    int n = name_count_[v.name]++;
    scopes_.back().locals.emplace_back(v.name, uint32_t(f_->locals.size()));
    if (n) v.name += "#" + std::to_string(n);
    f_->locals.push_back(std::move(v));
  }
}

/// PTX ISA, mov: a function's parameter whose address is taken lies on the stack, and the address is that of
/// local memory. It becomes a variable there, into which the function's beginning copies it.
void Parser::take_address_of_parameter(Operand& o) {
  const Variable& p = f_->params[size_t(o.target)];
  const std::string name = p.name + on_stack;
  const auto known =
      std::find_if(f_->locals.begin(), f_->locals.end(), [&](const Variable& v) { return v.name == name; });
  o.symbol = SymbolKind::local, o.target = int32_t(known - f_->locals.begin()), o.name = name;
  if (known != f_->locals.end()) return;
  Variable v;
  v.name = name, v.space = Space::local;
  v.align = std::max<uint64_t>(p.align, 8), v.bytes = p.bytes;
  v.offset = round_up(f_->local_bytes, v.align);
  f_->local_bytes = v.offset + v.bytes;
  f_->locals.push_back(std::move(v));
}

void Parser::instruction(std::string_view opcode, int guard, bool negated, int ptx_line) {
  Instruction& i = f_->code.emplace_back();
  i.opcode = opcode;
  split_opcode(opcode, i.parts);
  i.guard = guard;
  i.guard_negated = negated;
  i.line = line_;
  i.ptx_line = ptx_line;
  const Op op = operation(i.parts[0]);
  if (op == Op::call) {
    call_operands(i);
    i.meaning = meaning_of(i);
    return in_.expect(';');
  }
  const bool branch = op == Op::bra || op == Op::brx;
  label_operands_ = branch;
  if (in_.peek() != ';') {
    i.operands.reserve(4);
    do i.operands.push_back(operand());
    while (in_.accept(','));
  }
  label_operands_ = false;
  in_.expect(';');
  if (op == Op::mov && !f_->kernel)
    for (Operand& o : i.operands)
      if (o.kind == OperandKind::symbol && o.symbol == SymbolKind::param) take_address_of_parameter(o);
  i.meaning = meaning_of(i);
  if (!branch) return;
  uint32_t at = uint32_t(f_->code.size() - 1);
  size_t labels = 0;
  for (uint32_t o = 0; o < i.operands.size(); ++o)
    if (i.operands[o].kind == OperandKind::label) {
      uses_.push_back({at, o, scopes_.back().id, label_name_, op == Op::brx, ptx_line});
      ++labels;
    }
  if (labels != 1) in_.fail("a branch without a label");
}

void Parser::resolve_labels() {
  auto find = [&](std::string_view name, uint32_t scope, int line) -> uint32_t {
    auto it = labels_.find(name);
    if (it != labels_.end())
      for (uint32_t s = scope;; s = scope_parent_[s]) {
        for (auto& d : it->second)
          if (d.scope == s) return d.at;
        if (s == 0) break;
      }
    throw_line(line, "no label " + std::string(name));
  };
  for (auto& u : uses_) {
    Operand& o = f_->code[u.inst].operands[u.operand];
    if (!u.table) {
      o.value = find(u.name, u.scope, u.line);
      continue;
    }
    auto table = branch_targets_.find(u.name);
    if (table == branch_targets_.end()) throw_line(u.line, "no .branchtargets " + std::string(u.name));
    o.kind = OperandKind::list;
    for (auto name : table->second) {
      Operand label;
      label.kind = OperandKind::label;
      label.name = name;
      label.value = find(name, u.scope, u.line);
      o.items.push_back(std::move(label));
    }
  }
}

}  // namespace dojo::ptx
