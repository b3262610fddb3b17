#pragma once
// What keeps a worker from the rest of the machine while it handles an untrusted file: no new
// privileges, a closed view of the file system (Landlock, else bubblewrap), a system call filter, resource
// limits. docs/threat-model.md says against what each of them helps.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace dojo::run {

namespace fs = std::filesystem;

/// The layers of a sandbox: those wanted, or those that a machine has.
struct Sandbox {
  bool limits = false;      ///< rlimits, no new privileges, no core dumps
  int landlock = 0;         ///< version of the kernel's interface, 0: none
  bool seccomp = false;     ///< the system call filter
  bool bubblewrap = false;  ///< namespaces of its own; where there is no Landlock
  /// True when files outside the sandbox can't be read.
  bool closed() const { return landlock > 0 || bubblewrap; }
  bool any() const { return limits || seccomp || closed(); }
  /// "Landlock 6, seccomp, limits", as reports show it.
  std::string words() const;
};

/// For the child's environment, and back. Unknown words are ignored.
std::string to_text(const Sandbox&);
Sandbox sandbox_from_text(const std::string&);

/// Which layers hold on this machine, found by trying: a child puts them on and then attempts what they
/// forbid (reading /etc/passwd, opening a socket, starting a program). `wanted` limits what is tried.
Sandbox probe_sandbox(const std::string& program, const Sandbox& wanted);
/// All layers.
Sandbox whole_sandbox();

/// Which child is enclosed: they need different things.
enum class Enclosed { runner, compiler };

struct SandboxPaths {
  std::vector<fs::path> read;     ///< files, or folders with all below; those that don't exist are left out
  std::vector<fs::path> execute;  ///< read, and may be started
  std::vector<fs::path> write;    ///< read and written, regular files and folders only
};
/// What a child of this checkout needs. `scratch`: its private folder. `keep_references`: a runner that only
/// runs the course's own files may add to the store of reference reports.
SandboxPaths sandbox_paths(Enclosed, const fs::path& scratch, bool keep_references);

/// Puts the layers on this process, for good. Throws Error (71) when a wanted one can't be had.
void enclose(const Sandbox&, Enclosed, const SandboxPaths&);
/// The words to put before a program's so that bubblewrap encloses it.
std::vector<std::string> bubblewrap_words(const SandboxPaths&, const std::string& program);
/// Path of bwrap, or empty.
std::string find_bubblewrap();

/// `warpdojo worker --try-sandbox`: encloses itself as the environment says, then tries what must fail.
/// Prints one line for each thing that went through; its status is 0 when none did.
int try_sandbox_main();

// The layers by themselves (sandbox_landlock.cpp, sandbox_seccomp.cpp).
int landlock_version();  ///< 0: the kernel has none
void apply_landlock(const SandboxPaths&);
bool seccomp_built_in();
void apply_seccomp(Enclosed);

}  // namespace dojo::run
