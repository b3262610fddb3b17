#!/usr/bin/env bash
# Builds WarpDojo for AArch64 with Debian's cross compiler, and runs its tests under qemu-user.
#   scripts/aarch64.sh                         all of it: sysroot, build, test_unit and test_simt
#   scripts/aarch64.sh sysroot | build TARGET... | run PROGRAM ARGUMENT...
#   scripts/aarch64.sh run test_simt -tc="machine*"
# $WARPDOJO_SYSROOT: the folder of arm64 packages (default: build/aarch64-sysroot, 600 MB). No root is needed.
# Needs: g++-aarch64-linux-gnu qemu-user mmdebstrap, cmake, ninja-build, and the headers of a CUDA Toolkit.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
build=$root/build/aarch64
export WARPDOJO_SYSROOT=${WARPDOJO_SYSROOT:-$root/build/aarch64-sysroot}
cuda=${CUDAToolkit_ROOT:-/usr/local/cuda}

# What the build needs (the launcher `warpdojo` names the same packages), and LLVM's library, which the tests load.
packages=(libc6-dev libstdc++-12-dev libimgui-dev libstb-dev libglfw3-dev libgl-dev libcairo2-dev doctest-dev
  libtomlplusplus-dev nlohmann-json3-dev libcli11-dev libfmt-dev libseccomp-dev libarchive-dev libllvm19)

say() { printf 'aarch64: %s\n' "$*" >&2; }
for tool in aarch64-linux-gnu-g++ qemu-aarch64 mmdebstrap cmake ninja; do
  command -v $tool >/dev/null || { say "$tool is missing: apt-get install g++-aarch64-linux-gnu qemu-user mmdebstrap cmake ninja-build"; exit 2; }
done

make_sysroot() {
  [ -e "$WARPDOJO_SYSROOT/usr/include/doctest" ] && return
  say "unpacking Debian's arm64 packages into $WARPDOJO_SYSROOT (once)"
  mkdir -p "$(dirname "$WARPDOJO_SYSROOT")"
  local include log=$WARPDOJO_SYSROOT.log
  include=$(IFS=,; echo "${packages[*]}")
  mmdebstrap --variant=extract --arch=arm64 --include="$include" bookworm "$WARPDOJO_SYSROOT" \
    http://deb.debian.org/debian >"$log" 2>&1 || { tail -n 5 "$log" >&2; exit 2; }
}

build_targets() {
  mkdir -p "$build"
  [ -e "$build/build.ninja" ] || cmake -S "$root" --preset aarch64-cross -DCUDAToolkit_ROOT="$cuda" >"$build/cmake.log" ||
    { tail -n 20 "$build/cmake.log" >&2; exit 2; }
  cmake --build "$build" --target "$@"
  # NVRTC and the C++ library of this machine answer for the one that an arm64 program would load.
  [ -e "$cuda/include/nvrtc.h" ] && compgen -G "$cuda/lib64/libnvrtc.so.*" >/dev/null || return 0
  mkdir -p "$build/nvrtc"
  local source=$root/tests/aarch64/nvrtc_apart.cc
  if [ "$source" -nt "$build/nvrtc/answers" ]; then
    aarch64-linux-gnu-g++ --sysroot="$WARPDOJO_SYSROOT" -std=c++20 -O1 -fPIC -shared -I"$cuda/include" "$source" \
      -o "$build/nvrtc/libnvrtc.so.13"
    g++ -std=c++20 -O1 -DANSWERS -I"$cuda/include" "$source" -L"$cuda/lib64" -Wl,-rpath,"$cuda/lib64" -lnvrtc \
      -o "$build/nvrtc/answers"
  fi
}

# One script per program in run/, which has qemu-user run it. So workers start without binfmt_misc. The programs lie
# beside the scripts as hard links: a program looks for `warpdojo` in the folder that it is in.
# Programs of this machine that the tests start (ptxas, clang) run as they are. The limit: the modelled memory reserves
# 2 TiB of addresses, takes less under a limit, and qemu-user keeps 24 bytes for each reserved page.
make_scripts() {
  mkdir -p "$build/run"
  ln -sfn ../exec "$build/run/exec"
  local program
  for program in warpdojo{,-window,-verdicts} exec_sample test_{unit,simt,labs,grade,gui}; do
    [ -e "$build/$program" ] || continue
    ln -f "$build/$program" "$build/run/$program.arm64"
    cat >"$build/run/$program" <<SCRIPT
#!/bin/sh
ulimit -v 12000000
exec qemu-aarch64 -L "$WARPDOJO_SYSROOT" -E WARPDOJO_ROOT="\${WARPDOJO_ROOT:-$root}" \\
  -E WARPDOJO_NVRTC_APART="$build/nvrtc/answers" -E LD_LIBRARY_PATH="$build/nvrtc\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}" \\
  "$build/run/$program.arm64" "\$@"
SCRIPT
    chmod +x "$build/run/$program"
  done
  # A lab's own problem.cpp is compiled for the program that loads it.
  printf '#!/bin/sh\nexec aarch64-linux-gnu-g++ --sysroot="%s" "$@"\n' "$WARPDOJO_SYSROOT" >"$build/run/c++"
  chmod +x "$build/run/c++"
}

run() {
  local program=$1
  shift
  make_scripts
  CXX=$build/run/c++ "$build/run/$program" "$@"
}

case ${1:-all} in
  sysroot) make_sysroot ;;
  build) shift; make_sysroot; build_targets "$@" ;;
  run) shift; run "$@" ;;
  all)
    make_sysroot
    build_targets test_unit test_simt
    status=0
    for program in test_unit test_simt; do say $program; run $program || status=1; done
    exit $status
    ;;
  *) sed -n '2,7s/^# //p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
