#include "core/compile/clang/llvm_library.hpp"

#include <dlfcn.h>

#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace dojo::compile_detail {
namespace llvm {
namespace {

// The functions of LLVM's stable C interface (llvm-c/*.h) that are used here. Every object is an opaque
// pointer.
using Ref = void*;
constexpr int code_level_default = 2, assembly_file = 0;  // llvm-c/TargetMachine.h
constexpr int severity_error = 0;                         // llvm-c/Core.h

struct Library {
  Ref (*ContextCreate)();
  void (*ContextDispose)(Ref);
  void (*ContextSetDiagnosticHandler)(Ref, void (*handler)(Ref message, void* data), void* data);
  int (*GetDiagInfoSeverity)(Ref message);
  char* (*GetDiagInfoDescription)(Ref message);
  Ref (*CreateMemoryBufferWithMemoryRangeCopy)(const char*, size_t, const char*);
  const char* (*GetBufferStart)(Ref);
  size_t (*GetBufferSize)(Ref);
  void (*DisposeMemoryBuffer)(Ref);
  int (*ParseIRInContext)(Ref context, Ref buffer, Ref* module, char** message);
  void (*DisposeModule)(Ref);
  void (*DisposeMessage)(char*);
  void (*InitializeNVPTXTargetInfo)();
  void (*InitializeNVPTXTarget)();
  void (*InitializeNVPTXTargetMC)();
  void (*InitializeNVPTXAsmPrinter)();
  void (*ParseCommandLineOptions)(int, const char* const*, const char*);
  int (*GetTargetFromTriple)(const char*, Ref*, char**);
  Ref (*CreateTargetMachine)(Ref, const char* triple, const char* cpu, const char* features, int level, int,
                             int);
  void (*DisposeTargetMachine)(Ref);
  int (*TargetMachineEmitToMemoryBuffer)(Ref, Ref module, int kind, char** message, Ref* buffer);
  Ref (*CreatePassBuilderOptions)();
  void (*PassBuilderOptionsSetLoopVectorization)(Ref, int);
  void (*PassBuilderOptionsSetSLPVectorization)(Ref, int);
  void (*PassBuilderOptionsSetLoopUnrolling)(Ref, int);
  void (*DisposePassBuilderOptions)(Ref);
  Ref (*RunPasses)(Ref module, const char* passes, Ref machine, Ref options);
  char* (*GetErrorMessage)(Ref);
  Ref (*GetFirstFunction)(Ref module);
  Ref (*GetNextFunction)(Ref);
  Ref (*GetFirstBasicBlock)(Ref function);
  Ref (*GetNextBasicBlock)(Ref);
  Ref (*GetFirstInstruction)(Ref block);
  Ref (*GetNextInstruction)(Ref);
  Ref (*IsAMemCpyInst)(Ref);
  Ref (*IsAConstantInt)(Ref);
  unsigned long long (*ConstIntGetZExtValue)(Ref);
  Ref (*GetOperand)(Ref, unsigned);
  unsigned (*GetEnumAttributeKindForName)(const char*, size_t);
  Ref (*GetCallSiteEnumAttribute)(Ref call, unsigned index, unsigned kind);
  uint64_t (*GetEnumAttributeValue)(Ref);
  Ref (*Int32TypeInContext)(Ref);
  Ref (*VectorType)(Ref element, unsigned count);
  Ref (*CreateBuilderInContext)(Ref);
  void (*PositionBuilderBefore)(Ref builder, Ref instruction);
  Ref (*BuildLoad2)(Ref builder, Ref type, Ref pointer, const char* name);
  Ref (*BuildStore)(Ref builder, Ref value, Ref pointer);
  void (*SetAlignment)(Ref, unsigned bytes);
  void (*InstructionEraseFromParent)(Ref);
  void (*DisposeBuilder)(Ref);
  unsigned (*CountParams)(Ref function);
  Ref (*GetNamedGlobal)(Ref module, const char* name);
  Ref (*GetInitializer)(Ref global);
  int (*GetNumOperands)(Ref);
  int (*IsConstantString)(Ref);
  const char* (*GetAsString)(Ref, size_t* length);
  const char* (*GetValueName2)(Ref, size_t* length);
  Ref (*GetEnumAttributeAtIndex)(Ref function, unsigned index, unsigned kind);
  Ref (*ConstInt)(Ref type, unsigned long long, int sign_extend);
  Ref (*MDNodeInContext)(Ref, Ref* values, unsigned count);
  Ref (*MDStringInContext)(Ref, const char*, unsigned length);
  void (*AddNamedMetadataOperand)(Ref module, const char* name, Ref node);
  void (*DisposeErrorMessage)(char*);
};

// Branches are simplified before anything else: `a && b` becomes one condition, `c ? x : y` a select. Later
// passes share an index of the condition with the access behind it, or move the load of x behind the branch,
// and then both stay branches, behind which each load is waited for alone. The last pass marks the parameters
// that a kernel only reads (attribute readonly).
constexpr const char* first_passes =
    "cgscc(inline),function(sroa,simplifycfg,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg),"
    "cgscc(function-attrs)";
// 1. The load-store vectorizer makes one wide access of an expression such as a float4, before other passes
//    move its parts away from each other.
// 2. Loops of few iterations unroll completely, also those with an early exit.
// 3. default<O2> runs again: only unrolled loops have constant array indices, which let arrays live in
//    registers.
// 4. Loops whose number of iterations is known only at run time unroll by four, once, as NVRTC unrolls them.
//    The iterations left over come first.
// 5. The vectorizer joins consecutive accesses, while their alignment still follows from indices.
constexpr const char* passes =
    "function(loop-simplify,loop-mssa(loop-rotate),loop-unroll-full,sroa,early-cse<memssa>,"
    "load-store-vectorizer),"
    "default<O2>,function(loop-unroll<O3;upperbound;no-runtime;no-partial>),default<O2>,"
    "function(loop-unroll<O3;upperbound;no-partial>),default<O2>,"
    "function(infer-address-spaces,separate-const-offset-from-gep,early-cse<memssa>,infer-alignment,"
    "load-store-vectorizer)";

bool load(Library& l, std::string* why) {
  void* handle = nullptr;
  for (const char* name : {"libLLVM.so.19.1", "/usr/lib/llvm-19/lib/libLLVM.so.19.1", "libLLVM-19.so.1"})
    if (!handle) handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    *why = "LLVM 19's library was not found: apt-get install libllvm19";
    return false;
  }
  const char* missing = nullptr;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, name));
    if (!function) missing = name;
  };
#define DOJO_LLVM(name) find(l.name, "LLVM" #name)
  DOJO_LLVM(ContextCreate);
  DOJO_LLVM(ContextDispose);
  DOJO_LLVM(ContextSetDiagnosticHandler);
  DOJO_LLVM(GetDiagInfoSeverity);
  DOJO_LLVM(GetDiagInfoDescription);
  DOJO_LLVM(CreateMemoryBufferWithMemoryRangeCopy);
  DOJO_LLVM(GetBufferStart);
  DOJO_LLVM(GetBufferSize);
  DOJO_LLVM(DisposeMemoryBuffer);
  DOJO_LLVM(ParseIRInContext);
  DOJO_LLVM(DisposeModule);
  DOJO_LLVM(DisposeMessage);
  DOJO_LLVM(InitializeNVPTXTargetInfo);
  DOJO_LLVM(InitializeNVPTXTarget);
  DOJO_LLVM(InitializeNVPTXTargetMC);
  DOJO_LLVM(InitializeNVPTXAsmPrinter);
  DOJO_LLVM(ParseCommandLineOptions);
  DOJO_LLVM(GetTargetFromTriple);
  DOJO_LLVM(CreateTargetMachine);
  DOJO_LLVM(DisposeTargetMachine);
  DOJO_LLVM(TargetMachineEmitToMemoryBuffer);
  DOJO_LLVM(CreatePassBuilderOptions);
  DOJO_LLVM(PassBuilderOptionsSetLoopVectorization);
  DOJO_LLVM(PassBuilderOptionsSetSLPVectorization);
  DOJO_LLVM(PassBuilderOptionsSetLoopUnrolling);
  DOJO_LLVM(DisposePassBuilderOptions);
  DOJO_LLVM(RunPasses);
  DOJO_LLVM(GetErrorMessage);
  DOJO_LLVM(DisposeErrorMessage);
  DOJO_LLVM(GetFirstFunction);
  DOJO_LLVM(GetNextFunction);
  DOJO_LLVM(GetFirstBasicBlock);
  DOJO_LLVM(GetNextBasicBlock);
  DOJO_LLVM(GetFirstInstruction);
  DOJO_LLVM(GetNextInstruction);
  DOJO_LLVM(IsAMemCpyInst);
  DOJO_LLVM(IsAConstantInt);
  DOJO_LLVM(ConstIntGetZExtValue);
  DOJO_LLVM(GetOperand);
  DOJO_LLVM(GetEnumAttributeKindForName);
  DOJO_LLVM(GetCallSiteEnumAttribute);
  DOJO_LLVM(GetEnumAttributeValue);
  DOJO_LLVM(Int32TypeInContext);
  DOJO_LLVM(VectorType);
  DOJO_LLVM(CreateBuilderInContext);
  DOJO_LLVM(PositionBuilderBefore);
  DOJO_LLVM(BuildLoad2);
  DOJO_LLVM(BuildStore);
  DOJO_LLVM(SetAlignment);
  DOJO_LLVM(InstructionEraseFromParent);
  DOJO_LLVM(DisposeBuilder);
  DOJO_LLVM(CountParams);
  DOJO_LLVM(GetNamedGlobal);
  DOJO_LLVM(GetInitializer);
  DOJO_LLVM(GetNumOperands);
  DOJO_LLVM(IsConstantString);
  DOJO_LLVM(GetAsString);
  DOJO_LLVM(GetValueName2);
  DOJO_LLVM(GetEnumAttributeAtIndex);
  DOJO_LLVM(ConstInt);
  DOJO_LLVM(MDNodeInContext);
  DOJO_LLVM(MDStringInContext);
  DOJO_LLVM(AddNamedMetadataOperand);
#undef DOJO_LLVM
  if (missing) {
    *why = std::string("LLVM 19's library has no function ") + missing;
    return false;
  }
  l.InitializeNVPTXTargetInfo();
  l.InitializeNVPTXTarget();
  l.InitializeNVPTXTargetMC();
  l.InitializeNVPTXAsmPrinter();
  // As nvcc: products and sums fuse, all functions of a kernel become part of it, long loops of constant
  // length unroll, others by four even if their number of rounds takes some computing, wide loads stay wide,
  // and one index is one value (partial redundancy elimination makes two of it, so that neighbours part).
  const char* const words[] = {"warpdojo",
                               "-nvptx-fma-level=2",
                               "-unroll-threshold=10000",
                               "-inline-threshold=100000",
                               "-disable-vector-combine",
                               "-scev-cheap-expansion-budget=20",
                               "-unroll-max-count=4",
                               "-unroll-partial-threshold=200",
                               "-enable-pre=false"};
  l.ParseCommandLineOptions(int(std::size(words)), words, "");
  return true;
}

/// The library, loaded once; null if it can't be, and `why` says why.
const Library* library(std::string* why) {
  static Library one;
  static std::string reason;
  static const bool loaded = load(one, &reason);
  if (!loaded && why) *why = reason;
  return loaded ? &one : nullptr;
}

/// One module on its way from bitcode to PTX, with the LLVM objects that it needs.
class Job {
 public:
  Job(const Library& l, const std::string& bitcode) : l_(l), context_(l.ContextCreate()) {
    l_.ContextSetDiagnosticHandler(context_, hear, this);
    const Ref buffer = l_.CreateMemoryBufferWithMemoryRangeCopy(bitcode.data(), bitcode.size(), "kernels");
    char* message = nullptr;
    if (l_.ParseIRInContext(context_, buffer, &module_, &message)) module_ = nullptr, keep(message);
    options_ = l_.CreatePassBuilderOptions();
    l_.PassBuilderOptionsSetLoopVectorization(options_, 0);
    l_.PassBuilderOptionsSetSLPVectorization(options_, 0);
    l_.PassBuilderOptionsSetLoopUnrolling(options_, 0);  // the passes below name when; pragmas hold
  }
  ~Job() {
    l_.DisposePassBuilderOptions(options_);
    if (machine_) l_.DisposeTargetMachine(machine_);
    if (module_) l_.DisposeModule(module_);
    l_.ContextDispose(context_);
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  std::string run(const std::string& processor, const std::string& features) {
    static constexpr const char* triple = "nvptx64-nvidia-cuda";
    if (!module_) return {};
    Ref target = nullptr;
    char* message = nullptr;
    if (l_.GetTargetFromTriple(triple, &target, &message)) return keep(message), std::string();
    machine_ =
        l_.CreateTargetMachine(target, triple, processor.c_str(), features.c_str(), code_level_default, 0, 0);
    widen_copies();
    name_clusters();
    // Without the machine: it caches what it knows about parameters, and would miss the marks that
    // keep_parameters_in_place() sets next.
    if (!apply(first_passes, nullptr)) return {};
    keep_parameters_in_place();
    if (!apply(passes, machine_)) return {};
    Ref out = nullptr;
    if (l_.TargetMachineEmitToMemoryBuffer(machine_, module_, assembly_file, &message, &out))
      return keep(message), std::string();
    std::string ptx(l_.GetBufferStart(out), l_.GetBufferSize(out));
    l_.DisposeMemoryBuffer(out);
    if (!why_.empty()) return {};
    return with_clusters(std::move(ptx));
  }
  std::string add_clusters(std::string ptx) { return name_clusters(), with_clusters(std::move(ptx)); }
  const std::string& why() const { return why_; }

 private:
  /// LLVM's own handler writes to standard error, remarks on loops included, and ends the process on an
  /// error.
  static void hear(Ref message, void* job) {
    Job& j = *static_cast<Job*>(job);
    if (j.l_.GetDiagInfoSeverity(message) != severity_error || !j.why_.empty()) return;
    j.keep(j.l_.GetDiagInfoDescription(message));
  }
  bool apply(const char* names, Ref machine) {
    const Ref error = l_.RunPasses(module_, names, machine, options_);
    if (!error) return true;
    char* text = l_.GetErrorMessage(error);
    why_ = text;
    l_.DisposeErrorMessage(text);
    return false;
  }
  /// Turns aligned copies of 8 or 16 bytes into one vector load and one vector store, as NVRTC does. clang
  /// copies a float4 with memcpy, which LLVM splits into two or four accesses that later passes separate.
  void widen_copies() {
    std::vector<Ref> copies;
    for (Ref f = l_.GetFirstFunction(module_); f; f = l_.GetNextFunction(f))
      for (Ref b = l_.GetFirstBasicBlock(f); b; b = l_.GetNextBasicBlock(b))
        for (Ref i = l_.GetFirstInstruction(b); i; i = l_.GetNextInstruction(i))
          if (l_.IsAMemCpyInst(i)) copies.push_back(i);
    const Ref builder = l_.CreateBuilderInContext(context_);
    const unsigned align = l_.GetEnumAttributeKindForName("align", 5);
    for (const Ref copy : copies) {
      constexpr unsigned to = 0, from = 1, bytes = 2, is_volatile = 3;  // its operands
      const Ref length = l_.GetOperand(copy, bytes);
      const unsigned long long n = l_.IsAConstantInt(length) ? l_.ConstIntGetZExtValue(length) : 0;
      const auto aligned = [&](unsigned operand) {
        const Ref attribute = l_.GetCallSiteEnumAttribute(copy, operand + 1, align);
        return attribute && l_.GetEnumAttributeValue(attribute) >= n;
      };
      const bool plain = l_.ConstIntGetZExtValue(l_.GetOperand(copy, is_volatile)) == 0;
      if ((n != 8 && n != 16) || !plain || !aligned(to) || !aligned(from)) continue;
      l_.PositionBuilderBefore(builder, copy);
      const Ref type = l_.VectorType(l_.Int32TypeInContext(context_), unsigned(n / 4));
      const Ref value = l_.BuildLoad2(builder, type, l_.GetOperand(copy, from), "");
      l_.SetAlignment(value, unsigned(n));
      l_.SetAlignment(l_.BuildStore(builder, value, l_.GetOperand(copy, to)), unsigned(n));
      l_.InstructionEraseFromParent(copy);
    }
    l_.DisposeBuilder(builder);
  }
  std::string text_of(const char* (*get)(Ref, size_t*), Ref value) {
    size_t length = 0;
    const char* text = get(value, &length);
    return {text, length};
  }
  /// Collects __cluster_dims__, which clang 19 does not know. dojo_clang.hpp makes it an annotation, whose
  /// five operands are function, name, file, line and values. with_clusters() writes them into the PTX.
  void name_clusters() {
    const Ref all = module_ ? l_.GetNamedGlobal(module_, "llvm.global.annotations") : nullptr;
    const Ref list = all ? l_.GetInitializer(all) : nullptr;
    for (int i = 0; list && i < l_.GetNumOperands(list); ++i) {
      const Ref entry = l_.GetOperand(list, unsigned(i));
      if (l_.GetNumOperands(entry) != 5) continue;
      const Ref name = l_.GetInitializer(l_.GetOperand(entry, 1));
      if (!name || !l_.IsConstantString(name) ||
          !text_of(l_.GetAsString, name).starts_with("dojo_cluster_dims"))
        continue;
      const Ref values = l_.GetInitializer(l_.GetOperand(entry, 4));
      std::string dims;
      for (unsigned d = 0; d < 3; ++d) {
        const Ref given = int(d) < l_.GetNumOperands(values) ? l_.GetOperand(values, d) : nullptr;
        const auto n = given && l_.IsAConstantInt(given) ? l_.ConstIntGetZExtValue(given) : 1;
        dims += (d ? ", " : "") + std::to_string(n);
      }
      clusters_.emplace_back(text_of(l_.GetValueName2, l_.GetOperand(entry, 0)), dims);
    }
  }
  std::string with_clusters(std::string ptx) const {
    for (const auto& [kernel, dims] : clusters_) {
      const size_t entry = ptx.find(".entry " + kernel + "(");
      const size_t body = entry == ptx.npos ? entry : ptx.find("\n{", entry);
      if (body != ptx.npos) ptx.insert(body, "\n.explicitcluster\n.reqnctapercluster " + dims);
    }
    return ptx;
  }
  /// Marks by-value structs that a kernel only reads as grid_constant, so that they stay in parameter memory.
  /// Without the mark LLVM copies a struct to local memory when a loop uses its address.
  void keep_parameters_in_place() {
    const unsigned by_value = l_.GetEnumAttributeKindForName("byval", 5),
                   read_only = l_.GetEnumAttributeKindForName("readonly", 8);
    for (Ref f = l_.GetFirstFunction(module_); f; f = l_.GetNextFunction(f)) {
      std::vector<Ref> numbers;  // from 1
      for (unsigned i = 1; i <= l_.CountParams(f); ++i)
        if (l_.GetEnumAttributeAtIndex(f, i, by_value) && l_.GetEnumAttributeAtIndex(f, i, read_only))
          numbers.push_back(l_.ConstInt(l_.Int32TypeInContext(context_), i, 0));
      if (numbers.empty()) continue;
      Ref node[] = {f, l_.MDStringInContext(context_, "grid_constant", 13),
                    l_.MDNodeInContext(context_, numbers.data(), unsigned(numbers.size()))};
      l_.AddNamedMetadataOperand(module_, "nvvm.annotations", l_.MDNodeInContext(context_, node, 3));
    }
  }
  void keep(char* message) {
    why_ = message ? message : "no reason given";
    if (message) l_.DisposeMessage(message);
  }
  const Library& l_;
  Ref context_, module_ = nullptr, machine_ = nullptr, options_ = nullptr;
  std::string why_;
  std::vector<std::pair<std::string, std::string>> clusters_;  ///< kernel, "4, 1, 1"
};

}  // namespace
}  // namespace llvm

bool llvm_available(std::string* why) { return llvm::library(why) != nullptr; }

std::string optimise_kernels(const std::string& bitcode, const std::string& processor,
                             const std::string& features, std::string* why) {
  const llvm::Library* l = llvm::library(why);
  if (!l) return {};
  llvm::Job job(*l, bitcode);
  std::string ptx = job.run(processor, features);
  if (ptx.empty() && why) *why = job.why();
  return ptx;
}

std::string with_cluster_dims(const std::string& bitcode, std::string ptx) {
  const llvm::Library* l = llvm::library(nullptr);
  return l ? llvm::Job(*l, bitcode).add_clusters(std::move(ptx)) : ptx;
}

}  // namespace dojo::compile_detail
