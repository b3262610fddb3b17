// Operands of instructions: registers, numbers, addresses, lists, symbols and what they stand for.
#include <algorithm>

#include "ptx/parser.hpp"

namespace dojo::ptx {
namespace {

std::string_view without_digits(std::string_view name) {
  size_t n = name.size();
  while (n > 0 && name[n - 1] >= '0' && name[n - 1] <= '9') --n;
  return name.substr(0, n);
}

}  // namespace

int Parser::find_register(std::string_view name) {
  std::string_view prefix = without_digits(name);
  for (size_t s = scopes_.size(); s-- > 0;) {
    for (auto& c : scopes_[s].registers) {
      size_t number = 0;
      if (c.count) {
        if (c.prefix != prefix || prefix.size() == name.size()) continue;
        for (char d : name.substr(prefix.size()))
          number = std::min<size_t>(number * 10 + size_t(d - '0'), 1 << 30);
        if (number >= c.count) continue;
        if (c.index.size() <= number) c.index.resize(std::min<size_t>(c.count, number + number / 2 + 16), -1);
      } else if (c.prefix != name) {
        continue;
      }
      int32_t& dense = c.index[number];
      if (dense < 0) {
        dense = int32_t(f_->registers.size());
        f_->registers.push_back({std::string(name), c.type});
      }
      return dense;
    }
  }
  return -1;
}

bool Parser::resolve_symbol(std::string_view name, Operand& o) {
  for (size_t s = scopes_.size(); s-- > 0;)
    for (size_t i = scopes_[s].locals.size(); i-- > 0;)
      if (scopes_[s].locals[i].first == name) {
        o.symbol = SymbolKind::local;
        o.target = int32_t(scopes_[s].locals[i].second);
        o.name = f_->locals[size_t(o.target)].name;
        return true;
      }
  auto among = [&](const std::vector<Variable>& list, SymbolKind kind) {
    for (size_t i = 0; i < list.size(); ++i)
      if (list[i].name == name) {
        o.symbol = kind, o.target = int32_t(i);
        return true;
      }
    return false;
  };
  o.name = name;
  if (among(f_->params, SymbolKind::param) || among(f_->returns, SymbolKind::result)) return true;
  if (auto it = variables_.find(name); it != variables_.end()) {
    o.symbol = SymbolKind::variable, o.target = int32_t(it->second);
    return true;
  }
  if (auto it = functions_.find(name); it != functions_.end()) {
    o.symbol = SymbolKind::function, o.target = int32_t(it->second);
    return true;
  }
  return false;
}

Operand Parser::name_operand(std::string_view name) {
  Operand o;
  if (name == "_") {
    o.kind = OperandKind::sink;
  } else if (int r = find_register(name); r >= 0) {
    o.kind = OperandKind::reg;
    o.value = uint64_t(r);
  } else if (name[0] == '%') {
    // %VAParam: the arguments behind the named ones, in a function that takes any number.
    o.kind = OperandKind::symbol;
    const bool parameter =
        std::any_of(f_->params.begin(), f_->params.end(), [&](const Variable& v) { return v.name == name; });
    if (parameter && resolve_symbol(name, o)) return o;
    o.kind = OperandKind::special;
    o.name = name;
  } else if (name == "WARP_SZ") {
    o.kind = OperandKind::imm;
    o.value = 32;
  } else {
    o.kind = OperandKind::symbol;
    resolve_symbol(name, o);
  }
  return o;
}

Operand Parser::address() {
  in_.expect('[');
  Operand o;
  if (in_.at_number()) {
    o.offset = in_.integer();
  } else {
    std::string_view name = in_.identifier();
    if (name.empty()) in_.fail("expected an address");
    o = name_operand(name);
    if (o.kind == OperandKind::reg)
      o.base_is_reg = true;
    else if (o.kind != OperandKind::symbol && o.kind != OperandKind::special)
      in_.fail("unusable address");
  }
  o.kind = OperandKind::address;
  while (in_.peek() == '+' || in_.peek() == '-') {
    bool minus = in_.accept('-');
    if (!minus) in_.expect('+');
    int64_t k = in_.integer();
    o.offset = int64_t(uint64_t(o.offset) + (minus ? uint64_t(0) - uint64_t(k) : uint64_t(k)));
  }
  while (in_.accept(',')) {  // coordinates of a texture or tensor
    Operand c = scalar_operand(false);
    if (c.kind == OperandKind::list)
      for (auto& item : c.items) o.items.push_back(std::move(item));
    else
      o.items.push_back(std::move(c));
  }
  in_.expect(']');
  return o;
}

Operand Parser::scalar_operand(bool may_be_label) {
  char c = in_.peek();
  Operand o;
  if (c == '[') return address();
  if (c == '{') {
    in_.expect('{');
    o.kind = OperandKind::list;
    while (!in_.accept('}')) {
      if (in_.peek() == '{' || in_.peek() == '[') in_.fail("nested list");
      o.items.push_back(scalar_operand(false));
      if (in_.peek() != '}') in_.expect(',');
    }
    return o;
  }
  if (c == '!') {
    in_.expect('!');
    std::string_view name = in_.identifier();
    if (name.empty()) in_.fail("expected a predicate");
    o = name_operand(name);
    o.negated = true;
    return o;
  }
  if (in_.at_number()) {
    auto n = in_.number();
    o.kind = OperandKind::imm;
    o.value = n.bits;
    o.is_float = n.float_bits != 0;
    o.float_bits = n.float_bits;
    return o;
  }
  if (c == '-') {  // -%r: only constants may be negated
    in_.fail("unusable operand");
  }
  std::string_view name = in_.identifier();
  if (name.empty()) in_.fail("unusable operand");
  if (may_be_label && name[0] != '%') {
    o.kind = OperandKind::label;
    o.name = name;
    label_name_ = name;
    return o;
  }
  o = name_operand(name);
  if (o.kind == OperandKind::symbol)
    while (in_.peek() == '+' || in_.peek() == '-') {
      bool minus = in_.accept('-');
      if (!minus) in_.expect('+');
      int64_t k = in_.integer();
      o.offset = int64_t(uint64_t(o.offset) + (minus ? uint64_t(0) - uint64_t(k) : uint64_t(k)));
    }
  return o;
}

Operand Parser::operand() {
  Operand o = scalar_operand(label_operands_);
  if (in_.accept('|')) {
    Operand pair;
    pair.kind = OperandKind::list;
    pair.paired = true;
    pair.items.push_back(std::move(o));
    pair.items.push_back(scalar_operand(false));
    return pair;
  }
  return o;
}

/// "call (results), callee, (arguments), prototype": always {results, callee, arguments [, prototype]}.
void Parser::call_operands(Instruction& i) {
  auto list = [&] {
    Operand o;
    o.kind = OperandKind::list;
    in_.expect('(');
    while (!in_.accept(')')) {
      o.items.push_back(scalar_operand(false));
      if (in_.peek() != ')') in_.expect(',');
    }
    return o;
  };
  Operand none;
  none.kind = OperandKind::list;
  if (in_.peek() == '(') {
    i.operands.push_back(list());
    in_.expect(',');
  } else {
    i.operands.push_back(none);
  }
  std::string_view callee = in_.identifier();
  if (callee.empty()) in_.fail("expected what to call");
  i.operands.push_back(name_operand(callee));
  bool arguments = false;
  while (in_.accept(',')) {
    if (in_.peek() == '(' && !arguments) {
      i.operands.push_back(list());
      arguments = true;
    } else {
      if (!arguments) i.operands.push_back(none), arguments = true;
      Operand proto;
      proto.kind = OperandKind::symbol;
      proto.name = in_.identifier();
      if (proto.name.empty()) in_.fail("expected a prototype");
      i.operands.push_back(std::move(proto));
    }
  }
  if (!arguments) i.operands.push_back(none);
}

}  // namespace dojo::ptx
