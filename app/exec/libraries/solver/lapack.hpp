#pragma once
// LAPACK for the stand-in of cuSOLVER. It is loaded when the first call needs it (Debian: liblapack3), so
// that a build needs no package of it and programs that solve nothing load nothing.
#include <dlfcn.h>

#include <algorithm>
#include <complex>
#include <cstdio>
#include <string>
#include <vector>

namespace dojo::libraries {

/// The address of a Fortran routine, "dgetrf_". Null where LAPACK is not installed; says so once.
inline void* lapack_routine(const std::string& name) {
  static void* const library = dlopen("liblapack.so.3", RTLD_NOW | RTLD_LOCAL);
  static const bool told =
      library || std::fputs(
                     "warpdojo: cuSOLVER's calls are computed by LAPACK, and this computer has no "
                     "liblapack.so.3: install it (Debian: liblapack3)\n",
                     stderr) >= 0;
  return library && told ? dlsym(library, name.c_str()) : nullptr;
}

/// The type of a matrix's absolute values, and the letter of a type in names.
template <class T>
struct Parts {
  using Real = T;
  static constexpr bool complex = false;
  static constexpr char letter = sizeof(T) == 8 ? 'd' : 's';
};
template <class T>
struct Parts<std::complex<T>> {
  using Real = T;
  static constexpr bool complex = true;
  static constexpr char letter = sizeof(T) == 8 ? 'z' : 'c';
};
template <class T>
using Real = typename Parts<T>::Real;

/// Calls the routine for T: `getrf` is sgetrf_, dgetrf_, cgetrf_ or zgetrf_. Fortran takes addresses; the
/// lengths of strings follow behind all else. False: it is not there.
template <class T, class... Arguments>
bool lapack(const char* name, Arguments... arguments) {
  void* const routine = lapack_routine(Parts<T>::letter + std::string(name) + "_");
  if (routine) reinterpret_cast<void (*)(Arguments...)>(routine)(arguments...);
  return routine != nullptr;
}

/// Calls a routine that takes a workspace, twice: first it says how long that must be. `run` gets the
/// workspace and its length, and returns what lapack() returned.
template <class T, class Run>
bool with_workspace(Run run) {
  T best = 0;
  int length = -1;
  if (!run(&best, &length)) return false;
  length = std::max(1, int(std::real(best)));
  std::vector<T> work(static_cast<size_t>(length));
  return run(work.data(), &length);
}

}  // namespace dojo::libraries
