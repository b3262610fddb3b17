// The system call filter: whatever a compiler and an interpreter never need, and that Landlock doesn't
// govern. A refused call fails with EPERM; it doesn't end the process, so that a library that merely asks
// goes on.
#include "run/sandbox/sandbox.hpp"

#ifdef WARPDOJO_SECCOMP
#include <sched.h>
#include <seccomp.h>

#include <cerrno>
#include <cstring>
#endif

#include "core/compile/compiler.hpp"
#include "core/error.hpp"

namespace dojo::run {

#ifndef WARPDOJO_SECCOMP

bool seccomp_built_in() { return false; }
void apply_seccomp(Enclosed) { throw Error("this build has no system call filter (libseccomp-dev)", 71); }

#else

namespace {

const char* const refused[] = {
    // other machines and other processes
    "socket", "connect", "bind", "listen", "accept", "accept4", "ptrace", "process_vm_readv",
    "process_vm_writev", "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "kcmp", "shmget", "shmat",
    "msgget", "semget", "mq_open",
    // what a file is, other than its bytes: Landlock leaves these open
    "chmod", "fchmod", "fchmodat", "chown", "fchown", "lchown", "fchownat", "setxattr", "lsetxattr",
    "fsetxattr", "removexattr", "lremovexattr", "fremovexattr", "mknod", "mknodat", "symlink", "symlinkat",
    "link", "linkat", "utime", "utimes", "futimesat", "open_by_handle_at", "name_to_handle_at", "chroot",
    "flock",
    // the process group: who ends it ends all of it
    "setsid", "setpgid",
    // who one is, and where
    "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setfsuid", "setfsgid", "setgroups",
    "capset", "unshare", "setns", "mount", "umount2", "pivot_root", "move_mount", "open_tree", "fsopen",
    "fsmount", "fsconfig", "fspick", "mount_setattr", "personality",
    // the kernel's own affairs
    "bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register",
    "keyctl", "add_key", "request_key", "init_module", "finit_module", "delete_module", "kexec_load",
    "kexec_file_load", "reboot", "swapon", "swapoff", "acct", "quotactl", "syslog", "sethostname",
    "setdomainname", "settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "iopl", "ioperm",
    "modify_ldt", "vhangup", "fanotify_init", "inotify_init", "inotify_init1", "memfd_secret", "execveat"};

struct Filter {
  scmp_filter_ctx context = seccomp_init(SCMP_ACT_ALLOW);
  ~Filter() { seccomp_release(context); }
  template <class... Args>
  void refuse(const char* name, int error, Args... when) {
    const int number = seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR) return;  // a call that this libseccomp or this architecture doesn't know
    const int r =
        seccomp_rule_add(context, SCMP_ACT_ERRNO(uint16_t(error)), number, sizeof...(when), when...);
    if (r != 0 && r != -EEXIST)
      throw Error(std::string("the system call filter takes no rule for ") + name + ": " + std::strerror(-r),
                  71);
  }
};

}  // namespace

bool seccomp_built_in() { return true; }

void apply_seccomp(Enclosed part) {
  Filter f;
  if (!f.context) throw Error("the system call filter can't be made", 71);
  for (const char* name : refused) f.refuse(name, EPERM);
  // Limits of others, namespaces through clone; clone3 hides its flags in memory, so the C library is sent
  // back to clone.
  f.refuse("prlimit64", EPERM, SCMP_A0(SCMP_CMP_NE, 0));
  f.refuse("clone3", ENOSYS);
  f.refuse("socketpair", EPERM, SCMP_A0(SCMP_CMP_NE, 1 /* AF_UNIX: a pipe, as it were */));
  for (uint64_t flag :
       {CLONE_NEWUSER, CLONE_NEWNET, CLONE_NEWPID, CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP})
    f.refuse("clone", EPERM, SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag));
  f.refuse("ioctl", EPERM,
           SCMP_A1(SCMP_CMP_MASKED_EQ, 0xFFFFFFFFu, 0x5412 /* TIOCSTI: types for the terminal */));
  if (part == Enclosed::compiler && compiler_programs().empty()) {
    // NVRTC is a library: its process may divide itself (compile_apart.hpp), but starts no program. clang is
    // one, the only one that Landlock lets it start.
    f.refuse("execve", EPERM);
  }
  if (const int r = seccomp_load(f.context); r != 0)
    throw Error(std::string("the system call filter can't be put on: ") + std::strerror(-r), 71);
}

#endif

}  // namespace dojo::run
