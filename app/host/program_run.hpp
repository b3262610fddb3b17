#pragma once
// Runs a student's host code against a device: CUDA runtime calls, the C library's share that teaching
// programs use, printf, and the entry function of a lab step or a whole main().
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/compile.hpp"
#include "core/device.hpp"
#include "core/host_work.hpp"
#include "ptx/module.hpp"
#include "simt/machine/machine.hpp"

namespace dojo::host {

/// How a program or an entry call ended.
struct Ended {
  int exit_status = 0;              ///< of main; 0 for an entry
  std::vector<std::byte> returned;  ///< an entry's return value
};

/// One loaded program on one device. Loading strips the host part for the device and assembles it.
class Session {
 public:
  /// Throws Error when the device can't load the module.
  Session(const Compiled&, const std::string& file, Device&, const RunControl&);
  ~Session();

  /// Calls the host function with this base name ("reduce") with C arguments in order (each the bytes of one
  /// scalar or a device address). Throws Error if there is no such function or its parameters don't fit
  /// (naming both); RunStopped when the run ends early.
  Ended call(const std::string& entry, std::span<const std::vector<std::byte>> args);
  /// Runs main(argc, argv). Implicit device synchronisation at the end. exit() is honoured.
  Ended main(std::span<const std::string> args);

  /// Everything printed by host and device code, as it comes.
  void set_printer(std::function<void(std::string_view)>);
  /// Files of this folder are the program's; without it they live in memory (host/files.hpp).
  void set_files(const std::string& folder);
  /// The caller of the last call() reads what lies at the address: a finding where queued work may still
  /// write it.
  void note_result(uint64_t address);
  /// Findings of host code (leaks as warnings, launch errors never looked at, wrong-space accesses).
  std::vector<Diagnostic> take_findings();
  /// Instructions that host code has executed so far.
  uint64_t host_instructions() const;
  /// What it called, copied and waited for so far.
  HostWork host_work() const;
  const ptx::Module& module() const;
  const Assembled& assembled() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dojo::host
