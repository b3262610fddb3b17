#pragma once
// What host code calls outside of its module.
#include <cstddef>
#include <functional>
#include <span>

#include "core/report.hpp"
#include "ptx/module.hpp"

namespace dojo::simt {

/// An exception of host code, on its way to the try block around it.
struct HostThrow {
  std::function<void()> uncaught;  ///< throws RunStopped; called where there is no such block
};

/// Calls that host code makes to functions the module leaves external.
class HostCalls {
 public:
  virtual ~HostCalls() = default;
  /// `args`: the callee's parameter block, laid out as its declaration says (callee.params[i].offset);
  /// `result`: its return value's bytes. Throws to end the program.
  virtual void call(const ptx::Function& callee, std::span<const std::byte> args, std::span<std::byte> result,
                    const SourceLoc& where) = 0;
  /// Host code reads a volatile or atomic word that queued work may write: runs that work. What the host
  /// reads afterwards counts as waited for.
  virtual void poll() = 0;

  /// Where the call in progress stands in the caller's code; null: a compiled program makes it.
  const ptx::Function* caller = nullptr;
  size_t caller_at = 0;  ///< index of the call instruction
};

}  // namespace dojo::simt
