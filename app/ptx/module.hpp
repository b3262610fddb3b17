#pragma once
// PTX as parsed: kernels, functions, variables, instructions with operands and source lines, basic blocks.
// Everything is resolved as far as PTX alone allows.
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/types.hpp"
#include "ptx/instructions/meaning.hpp"

namespace dojo::ptx {

/// A virtual register of one function. Registers are numbered densely per function, all classes together.
struct Register {
  std::string name;  ///< "%rd12"
  Type type = Type::b32;
};

enum class OperandKind : uint8_t {
  none,
  reg,      ///< value = register index; `negated` for !%p
  imm,      ///< integer or float bits in `value`; float immediates keep is_float and their own width in bits
  label,    ///< value = instruction index in the function
  symbol,   ///< address of a variable, function or kernel: `name`, plus `offset`
  special,  ///< %tid.x and so on: `name`
  address,  ///< [base + offset]: base is a register (value, base_is_reg) or a symbol (name)
  list,     ///< {a, b, c, d}, or call arguments: `items`
  sink,     ///< "_"
};

/// What a symbol or a symbol-based address stands for, and where that is listed.
enum class SymbolKind : uint8_t { none, param, result, local, variable, function };

struct Operand {
  OperandKind kind = OperandKind::none;
  bool negated = false, is_float = false, base_is_reg = false;
  uint8_t float_bits = 0;  ///< 32 (0f...) or 64 (0d...)
  uint64_t value = 0;
  int64_t offset = 0;
  std::string name;
  std::vector<Operand> items;            ///< list; address with coordinates ([tex, {x, y}]): the coordinates
  bool paired = false;                   ///< dst | pred, as in shfl and setp: items = {d, p}
  SymbolKind symbol = SymbolKind::none;  ///< of symbol and address: none when not declared in this module
  int32_t target = -1;  ///< index into Function::params, returns or locals, Module::variables or functions
};

/// A place in a source file with what was inlined there: where[0] is the innermost line, the following are
/// the callers into which it was inlined. The line a student sees is the innermost in their own file.
struct Line {
  uint32_t file = 0;  ///< index into Module::files
  int line = 0, column = 0;
  int inlined_at = -1;  ///< index into Module::lines, or -1
};

struct Instruction {
  std::string opcode;              ///< whole: "ld.global.nc.v4.f32"
  std::vector<std::string> parts;  ///< {"ld","global","nc","v4","f32"}
  std::vector<Operand> operands;   ///< in PTX order; call: see below
  Meaning meaning;                 ///< what parts and operands say, typed
  int guard = -1;                  ///< predicate register or -1
  bool guard_negated = false;
  int line = -1;     ///< index into Module::lines (-1: none)
  int ptx_line = 0;  ///< line of the PTX text, from 1
  // call: operands = {list of return params, callee (symbol or reg), list of argument params, prototype
  // label?} bra: {label}; brx.idx: {reg, list of labels}; ret, exit: {}
};

/// A variable: .global, .const, .shared, .local or .param (also the parameters of functions and of call
/// sites). Call-site names repeat in PTX: the second and later ones of a name get a suffix ("param0#1"), in
/// operands too.
struct Variable {
  std::string name;
  Space space = Space::global;
  Type type = Type::b8;
  uint64_t align = 1, bytes = 0;  ///< bytes 0: extern array (dynamic shared memory)
  bool is_extern = false, is_managed = false;
  uint64_t offset = 0;  ///< parameters: offset in the parameter block; local: in the function's frame;
                        ///< shared: in the static segment of every kernel that reaches it (extern
                        ///< arrays: 0, they start where the static segment ends);
                        ///< call-site parameters: in the function's call area (Function::call_bytes),
                        ///< each call sequence from 0, arguments as in the callee's parameter block
  std::vector<std::byte> init;  ///< initial bytes; shorter than bytes: zero filled
  struct Reloc {
    uint64_t at;
    std::string symbol;
    int64_t addend;
  };
  std::vector<Reloc> relocs;  ///< initialisers that are addresses
};

/// Straight-line code: instructions [first, last], entered only at first, left only after last.
struct BasicBlock {
  uint32_t first = 0, last = 0;
  std::vector<uint32_t> successors;  ///< block indices; a two-way branch: {taken, fallthrough}
  /// Where lanes that part here meet again: the immediate post-dominator, -1: the exit. Paths that end in a
  /// trap, an exit or a call that never returns are left out, and in kernels so is a branch straight to the
  /// return: those lanes are gone, the others still meet.
  int ipdom = -1;
  /// Where the machine lets them meet: `ipdom`, or nearer (meetings.hpp).
  int meet = -1;
  int joins =
      -1;  ///< the body of chained conditions, where lanes wait for what the next ones decide; -1: none
  /// By successor: the nearer meetings and bodies that lanes on this edge give up. Empty: none.
  std::vector<std::vector<uint32_t>> leaves;
  bool in_loop = false;
  bool back_edge = false;  ///< ends with an edge to a block that dominates it
};

struct Function {
  std::string name;       ///< mangled
  std::string demangled;  ///< base name without parameters: "reduce"
  bool kernel = false;    ///< .entry
  bool defined = false;   ///< false: .extern or a prototype
  bool no_return = false;
  int alias_of = -1;  ///< .alias: the function it stands for (operands refer to that one), -1: none
  std::vector<Variable> params, returns;
  uint64_t param_bytes = 0;
  std::vector<Variable> locals;     ///< .local, .shared and call-site .param variables declared inside
  uint64_t local_bytes = 0;         ///< of this function's frame
  uint64_t shared_bytes = 0;        ///< kernels: the whole static segment, with what called functions declare
  uint64_t call_bytes = 0;          ///< room for the parameters of one call made here
  std::vector<Register> registers;  ///< those that occur, in order of first use
  std::vector<Instruction> code;    ///< defined functions end in a ret, added (ptx_line 0) where PTX has none
  std::vector<BasicBlock> blocks;
  std::vector<uint32_t> block_of;  ///< instruction -> block
  std::map<std::string, uint32_t> labels;
  std::vector<uint32_t> not_unrolled;  ///< instructions behind a .pragma "nounroll": heads of loops
  int max_threads = 0;                 ///< .maxntid product (launch bounds), 0 if not given
  int min_blocks = 0;                  ///< .minnctapersm
  Dim3 cluster{0, 0, 0};               ///< .reqnctapercluster
  SourceLoc where;
};

/// A range of the PTX text that declares or defines one module-scope thing.
struct Piece {
  enum Kind : uint8_t { function, variable, alias } kind;
  uint32_t index;     ///< of the function or variable; alias: of the function it stands for
  size_t begin, end;  ///< bytes of Module::text, linkage words and the closing brace or semicolon included
};

struct Module {
  std::string text;    ///< the PTX
  std::string target;  ///< "sm_90"
  int version_major = 0, version_minor = 0;
  std::vector<std::string> files;  ///< .file table, 0 unused
  std::vector<Line> lines;
  std::vector<Function> functions;  ///< kernels, functions, externs
  std::vector<Variable> variables;  ///< module scope
  std::map<std::string, uint32_t> function_by_name;
  std::map<std::string, uint32_t> variable_by_name;
  std::vector<Piece> pieces;  ///< in text order
  std::string student_file;   ///< the file whose lines are reported

  const Function* find(std::string_view mangled) const;
  /// The functions (kernels or not) with this demangled base name: overloads. Those of classes and namespaces
  /// count only where none is at global scope.
  std::vector<const Function*> find_named(std::string_view base, bool kernel) const;
  /// The only one of find_named(), or null.
  const Function* find_base(std::string_view base, bool kernel) const;
  /// An instruction's lines in the student's file: its own, then the calls through which it was inlined.
  std::vector<SourceLoc> places(const Instruction&) const;
  /// The place to show for an instruction: the innermost line in the student's file, else the innermost.
  SourceLoc place(const Instruction&) const;
  bool of_student(const SourceLoc&) const;
};

/// Of a whole project: lines of every file are reported but those of the toolkit and the system's headers.
inline constexpr const char* every_project_file = "*";

/// Do two paths name one file, where one of them may lack folders?
bool same_file(std::string_view, std::string_view);

/// PTX text that can't be read.
struct ParseError : Error {
  ParseError(int line, std::string why)
      : Error("PTX line " + std::to_string(line) + ": " + why), ptx_line(line), reason(std::move(why)) {}
  int ptx_line;
  std::string reason;  ///< without the line
};
/// Parses PTX text. Throws ParseError on text it can't read.
std::shared_ptr<const Module> parse(std::string text, std::string student_file = {});

/// The PTX with the host functions left out: kernels, what they reach, and module variables (but those whose
/// initialisers need a function that is left out, and external ones that no kernel uses), line table (same
/// line numbers: removed lines become blank), so that a driver or ptxas accepts it.
std::string strip_host(const Module&);

/// A symbol as C++ writes it ("_Z1kPKfi" -> "k(float const*, int)"), or as it is where it is none of C++.
std::string demangled(const std::string& symbol);

/// The types of a function's parameters by its symbol: "float const*", "int". Empty where it is none of C++.
std::vector<std::string> parameter_types(const std::string& symbol);

/// Base name of a mangled name ("_Z6reducePKfPfi" -> "reduce"; "ns::k<4>" -> "k<4>").
std::string base_name(const std::string& mangled);

}  // namespace dojo::ptx
