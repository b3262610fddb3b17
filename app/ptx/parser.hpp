#pragma once
// The PTX parser's state; internal to this room. parse_module.cpp reads what stands at module scope,
// parse_code.cpp function bodies, parse_operands.cpp operands, parse_variable.cpp variables and their
// initialisers.
#include <memory>
#include <unordered_map>

#include "ptx/module.hpp"
#include "ptx/text.hpp"

namespace dojo::ptx {

class Parser {
 public:
  explicit Parser(Module& module) : m_(module), in_(module.text) {}
  void run();

 private:
  struct Linkage {
    bool is_extern = false;
  };
  struct RegisterClass {
    std::string_view prefix;  ///< "%rd" of "%rd<12>", or a whole name
    Type type = Type::b32;
    uint64_t count = 0;          ///< 0: one register with exactly this name
    std::vector<int32_t> index;  ///< number -> dense register, -1: not seen yet
  };
  /// A brace level of a function: names declared in it are not seen outside.
  struct Scope {
    uint32_t id = 0;
    std::vector<RegisterClass> registers;
    std::vector<std::pair<std::string, uint32_t>> locals;  ///< name -> Function::locals
    uint64_t call_top = 0;                                 ///< room taken by call-site parameters so far
  };
  struct LabelDef {
    uint32_t scope, at;
  };
  struct LabelUse {
    uint32_t inst, operand, scope;
    std::string_view name;
    bool table;  ///< a .branchtargets table
    int line;
  };

  // parse_module.cpp
  void module_statement();
  void function(bool kernel, const Linkage&, size_t begin);
  void function_attributes(Function&);
  std::vector<Variable> parameters();
  void file_directive();
  void alias(size_t begin);
  void layout_shared();
  void finish();
  uint32_t function_index(std::string_view name);

  // parse_variable.cpp
  Variable declarator(Space, bool is_extern);
  std::vector<Variable> variables(Space, const Linkage&);
  void initializer(Variable&);
  void initial_value(Variable&, uint64_t& at, uint64_t size);

  // parse_code.cpp
  void body(Function&);
  void body_directive(std::string_view word, std::string_view label);
  void register_directive();
  void loc_directive();
  void local_variables(Space);
  void take_address_of_parameter(Operand&);
  void instruction(std::string_view opcode, int guard, bool negated, int ptx_line);
  void call_operands(Instruction&);
  Operand operand();
  Operand scalar_operand(bool may_be_label);
  Operand address();
  Operand name_operand(std::string_view name);
  int find_register(std::string_view name);
  bool resolve_symbol(std::string_view name, Operand&);
  void resolve_labels();

  Module& m_;
  TextCursor in_;
  std::unordered_map<std::string_view, uint32_t> functions_, variables_;

  Function* f_ = nullptr;
  std::vector<Scope> scopes_;
  std::vector<uint32_t> scope_parent_;
  std::unordered_map<std::string_view, std::vector<LabelDef>> labels_;
  std::unordered_map<std::string_view, std::vector<std::string_view>> branch_targets_;
  std::vector<LabelUse> uses_;
  std::unordered_map<std::string, int> name_count_;
  std::unordered_map<uint64_t, int32_t> last_line_;
  int line_ = -1;
  bool has_aliases_ = false, label_operands_ = false;
  std::string_view label_name_;
};

}  // namespace dojo::ptx
