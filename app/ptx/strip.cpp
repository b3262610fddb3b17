// What a driver or ptxas gets: the kernels and what they need, host functions blanked out, line numbers kept.
#include <algorithm>

#include "core/compile/source_names.hpp"
#include "ptx/module.hpp"

namespace dojo::ptx {
namespace {

class Reach {
 public:
  explicit Reach(const Module& m)
      : functions(m.functions.size(), 0), variables(m.variables.size(), 0), m_(m) {}

  void function(uint32_t i) {
    if (functions[i]) return;
    functions[i] = 1;
    work_.push_back(i);
  }
  void variable(uint32_t i) {
    if (variables[i]) return;
    variables[i] = 1;
    for (auto& r : m_.variables[i].relocs) symbol(r.symbol);
  }
  void symbol(const std::string& name) {
    if (auto f = m_.function_by_name.find(name); f != m_.function_by_name.end()) function(f->second);
    if (auto v = m_.variable_by_name.find(name); v != m_.variable_by_name.end()) variable(v->second);
  }
  void run() {
    while (!work_.empty()) {
      const Function& f = m_.functions[work_.back()];
      work_.pop_back();
      for (auto& inst : f.code)
        for (auto& o : inst.operands) operand(o);
    }
  }

  std::vector<uint8_t> functions, variables;

 private:
  void operand(const Operand& o) {
    if (o.symbol == SymbolKind::function) function(uint32_t(o.target));
    if (o.symbol == SymbolKind::variable) variable(uint32_t(o.target));
    for (auto& item : o.items) operand(item);
  }
  const Module& m_;
  std::vector<uint32_t> work_;
};

}  // namespace

std::string strip_host(const Module& m) {
  Reach kept(m);
  for (uint32_t i = 0; i < m.functions.size(); ++i)
    if (m.functions[i].kernel) kept.function(i);
  kept.run();
  for (uint32_t i = 0; i < m.functions.size(); ++i)
    if (int of = m.functions[i].alias_of; of >= 0 && kept.functions[size_t(of)]) kept.functions[i] = 1;

  // Variables that no kernel uses stay too (a driver's caller may look them up), unless they need what is
  // gone.
  std::vector<uint8_t> good(m.variables.size(), 0);
  for (uint32_t i = 0; i < m.variables.size(); ++i) good[i] = kept.variables[i] || !m.variables[i].is_extern;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < m.variables.size(); ++i) {
      if (!good[i] || kept.variables[i]) continue;
      bool fine = std::all_of(m.variables[i].relocs.begin(), m.variables[i].relocs.end(), [&](auto& r) {
        if (auto f = m.function_by_name.find(r.symbol); f != m.function_by_name.end())
          return bool(kept.functions[f->second]);
        auto v = m.variable_by_name.find(r.symbol);
        return v != m.variable_by_name.end() && bool(good[v->second]);
      });
      if (!fine) good[i] = 0, changed = true;
    }
  }

  std::string text(without_source_names(m.text));
  for (auto& piece : m.pieces) {
    bool keep = piece.kind == Piece::variable ? good[piece.index] : kept.functions[piece.index];
    if (keep) continue;
    for (size_t i = piece.begin; i < piece.end && i < text.size(); ++i)
      if (text[i] != '\n') text[i] = ' ';
  }
  return text;
}

}  // namespace dojo::ptx
