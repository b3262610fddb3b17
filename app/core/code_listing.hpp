#pragma once
// What lies under a source file: the PTX that NVRTC makes of its kernels, the machine code that ptxas makes
// of that, and what each kernel needs of an SM.
#include <cstdint>
#include <string>
#include <vector>

#include "core/compile.hpp"
#include "core/compile/spills.hpp"

namespace dojo {

struct CodeListing {
  struct Instruction {
    std::string text;       ///< "ld.shared.f32 %f3, [%r4]", "@!P0 BRA `(.L_x_1)"
    std::string label;      ///< PTX: the label before it, "" for none
    std::string other;      ///< "labs/include/x.cuh:12": its own line, when that is not in the listed file
    int line = 0;           ///< of the listed file, from 1; 0: of none
    uint32_t at = 0;        ///< PTX: index in its function; machine code: address in bytes
    int ptx = -1;           ///< machine code: index of the PTX instruction it comes from; -1: not known
    int64_t executed = -1;  ///< PTX: how often a warp executed it, over all launches of a run; -1: not known
  };
  struct Function {
    std::string name, mangled;  ///< "reduce", "_Z6reducePKfPfi"
    bool kernel = false;        ///< false: a device function that was not inlined
    KernelResources resources;  ///< of a kernel
    Spills spills;
    std::vector<Instruction> ptx, sass;
  };
  std::string file;             ///< as messages name it
  std::string target, machine;  ///< "sm_75" of the PTX, "sm_90" of the machine code
  std::string no_machine_code;  ///< why there is none, "" when there is
  std::string disassembler;     ///< "nvdisasm"; "" when machine code has names of operations only
  std::string no_disassembler;  ///< why, in a line
  bool ran = false;             ///< `executed` is of a run
  std::string not_ran;          ///< why there are no counts though they were asked for
  std::vector<Function> functions;
  std::vector<Diagnostic> diagnostics;  ///< a file that does not compile has errors here and no functions

  const Function* find(const std::string& mangled) const;
};

/// One JSON object a line, and back. The second throws Error on text that is no listing.
std::string to_json(const CodeListing&, int indent = -1);
CodeListing code_listing_from_json(const std::string&);

/// "18 registers, 1024 bytes of static shared memory, no spills": one line about a kernel.
std::string resources_text(const CodeListing::Function&);

}  // namespace dojo
