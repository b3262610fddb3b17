#!/usr/bin/env bash
# Tries a package where nothing else is installed: scripts/clean-root.sh PACKAGE
# Makes a minimal root of a Debian or Ubuntu release (mmdebstrap, about 170 MB), installs PACKAGE there (a .deb, or a
# .tar.gz, which a user unpacks in his own folder), and works as a new user who may write to his own folder only: list,
# run, reset, grade, play, exec, submit, a lab of his own, the window under Xvfb; then the package goes. Run as root; it
# needs the release's package servers. Prints one line per step with its seconds, and fails at the first step that does
# not do what it should.
#   $SUITE  the release (default: bookworm). jammy and noble need $MIRROR, the address of Ubuntu's archive, and
#           $KEYRING, the file ubuntu-archive-keyring.gpg of Debian's package ubuntu-keyring (trixie). A release
#           without clang-19 works with NVRTC alone
#   $NVRTC  a folder with libnvrtc.so.*: copied into the root, it shows what runs with NVIDIA's compiler
#   $NVCC   CUDA 13's nvcc: it compiles a program here, which `warpdojo exec` runs there
#   $LAB    not empty: installs g++ (200 MB) and runs the new lab
#   $BASE   a tar file of the minimal root: used if it is there, else made
set -euo pipefail
package=$(realpath "$1")
suite=${SUITE:-bookworm}
mirror=()
case $suite in
  jammy | noble)
    for pocket in "" -updates; do mirror+=("deb ${MIRROR:?needs the address of the Ubuntu archive} $suite$pocket main universe"); done
    ;;
esac
work=$(mktemp -d)
root=$work/root
trap 'rm -rf --one-file-system "$work"' EXIT
started=0

begin() { started=$(date +%s%N); }
done_in() { printf '%-58s %6.1f s\n' "$1" "$((($(date +%s%N) - started) / 1000000))e-3"; }
fail() { printf 'FAILED: %s\n' "$*"; [ ! -s "$work/out" ] || tail -n 20 "$work/out"; exit 1; }

# A command in the root, with /dev and /proc of its own; no network unless it is apt's.
inside() {
  local words=(--mount --pid --fork)
  [ "$1" = apt-get ] || words+=(--net)
  unshare "${words[@]}" sh -c 'mount --rbind /dev "$0/dev" && mount -t proc proc "$0/proc" &&
    exec chroot "$0" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"' \
    "$root" "$@" >"$work/out" 2>&1 </dev/null
}
as_student() {
  inside runuser -u student -- env HOME=/home/student PATH=/home/student/bin:/usr/bin:/bin sh -c "cd; $1"
}
install() { inside apt-get install -y -qq --no-install-recommends "$@"; }
says() { grep -qE "$1" "$work/out"; }

begin
if [ -n "${BASE:-}" ] && [ -e "$BASE" ]; then
  mkdir "$root" && tar -C "$root" -xf "$BASE"
else
  mmdebstrap --quiet --variant=apt --include=passwd --aptopt='Acquire::Languages "none"' --skip=cleanup/apt/lists \
    ${KEYRING:+--keyring="$KEYRING"} "$suite" "$root" "${mirror[@]}" \
    2>"$work/out" || fail "the minimal root can't be made"
  [ -z "${BASE:-}" ] || { tar -C "$root" -cf "$BASE.new" . && mv "$BASE.new" "$BASE"; }
fi
cp /etc/resolv.conf "$root/etc/resolv.conf"
inside useradd -m student || fail "no user can be made"
. "$root/etc/os-release"
done_in "a minimal root: $PRETTY_NAME"

begin
first=$started
case $package in
  *.deb)
    cp "$package" "$root/tmp/warpdojo.deb"
    install /tmp/warpdojo.deb || fail "the package does not install"
    done_in "apt-get install ./$(basename "$package")"
    inside dpkg-query -W -f='${Installed-Size}' warpdojo
    size=$(cat "$work/out")
    ;;
  *)
    cp "$package" "$root/tmp/warpdojo.tar.gz"
    as_student "mkdir bin && tar xzf /tmp/warpdojo.tar.gz && ln -s ../\$(ls -d warpdojo-*)/bin/warpdojo bin/" ||
      fail "the package does not unpack"
    done_in "tar xzf $(basename "$package")"
    size=$(du -sk "$root"/home/student/warpdojo-* | cut -f1)
    ;;
esac
printf '%-58s %6.1f MB, installed %.1f MB\n' "its size" "$(du -k "$package" | cut -f1)e-3" "${size}e-3"

begin
as_student "warpdojo list reduce" || fail "warpdojo list ends with $?"
says "5-sequential" || fail "warpdojo list does not show the steps"
[ -f "$root/home/student/warpdojo-labs/labs/01-reduce/5-sequential.cu" ] || fail "no labs in the user's folder"
done_in "warpdojo list, the labs copied to ~/warpdojo-labs"

begin
as_student "echo '// edited' >>warpdojo-labs/labs/01-reduce/2-shared.cu; warpdojo reset reduce/2" || fail "reset: $?"
! grep -q '// edited' "$root/home/student/warpdojo-labs/labs/01-reduce/2-shared.cu" || fail "reset leaves the edit"
done_in "warpdojo reset reduce/2"

begin
as_student "warpdojo submit --out handed-in.zip" || fail "submit ends with $?"
[ -s "$root/home/student/handed-in.zip" ] || fail "submit leaves no archive"
done_in "warpdojo submit"

begin
as_student "cd warpdojo-labs; warpdojo new lab mine" || fail "new lab ends with $?"
as_student "warpdojo list mine" && says "mine/1" || fail "the new lab is not in the list"
done_in "warpdojo new lab mine"

# Without a compiler the program says what to install.
begin
status=0
as_student "warpdojo run reduce/2 --who reference" || status=$?
[ $status -eq 3 ] && says "install" || fail "without a compiler, run ends with $status and says nothing of what to install"
done_in "no compiler: run says what to install"

use() {  # use NAME: run, grade and the window, with the compiler that is now in the root
  begin
  as_student "warpdojo run reduce/2 --who reference" || fail "$1: run ends with $?"
  says "pass" || fail "$1: no verdict"
  done_in "$1: warpdojo run reduce/2 --who reference"
  [ "$1" != clang ] || printf '%-58s %6.1f s\n' "from the start of the installation to this verdict" \
    "$((($(date +%s%N) - first) / 1000000))e-3"
  begin
  as_student "mkdir -p class/ada/01-reduce class/ben/01-reduce
    cp warpdojo-labs/reference/01-reduce/2-shared.cu class/ada/01-reduce/
    cp warpdojo-labs/labs/01-reduce/2-shared.cu class/ben/01-reduce/
    warpdojo grade class --secret words --format csv --out grades.csv" || fail "$1: grade ends with $?"
  grep -q '^ada,reduce,2-shared,pass' "$root/home/student/grades.csv" || fail "$1: the solution does not pass"
  ! grep -q '^ben,reduce,2-shared,pass' "$root/home/student/grades.csv" || fail "$1: the unsolved file passes"
  done_in "$1: warpdojo grade, two submissions"
}

cat >"$root/home/student/sum.cu" <<'PROGRAM'
#include <cstdio>
__global__ void number(int* x) { x[threadIdx.x] = threadIdx.x; }
int main() {
  int *d, h[32];
  cudaMalloc(&d, sizeof h);
  number<<<1, 32>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("the last is %d\n", h[31]);
  cudaFree(d);
}
PROGRAM
play() {
  begin
  as_student "warpdojo play sum.cu" || fail "$1: play ends with $?"
  says "the last is 31" || fail "$1: play does not print what the program prints"
  done_in "$1: warpdojo play, a program of one's own"
}

inside apt-cache policy clang-19
if says "Candidate: [0-9]"; then
  begin
  install clang-19 || fail "clang-19 does not install"
  done_in "apt-get install clang-19"
  use "clang"
  play "clang"
else
  printf '%s has no clang-19\n' "$suite"
fi

begin
as_student "warpdojo exec /bin/true" || fail "exec ends with $?"
says "made no call of libcudart" || fail "exec does not say that the program is no CUDA program"
done_in "warpdojo exec, a program without CUDA"
if [ -n "${NVCC:-}" ]; then
  "$NVCC" -cudart shared -gencode arch=compute_90,code=compute_90 -o "$root/home/student/sum" \
    "$root/home/student/sum.cu" >"$work/out" 2>&1 || fail "nvcc does not compile the program"
  begin
  as_student "warpdojo exec ./sum" || fail "exec of a CUDA program ends with $?"
  says "the last is 31" && says "number" || fail "exec does not print what the program prints, and its kernel"
  done_in "warpdojo exec, a program of nvcc"
fi

if [ -n "${LAB:-}" ] && [ -e "$root/usr/bin/clang-19" ]; then
  begin
  install g++ doctest-dev || fail "g++ does not install"
  done_in "apt-get install g++ doctest-dev"
  begin
  as_student "warpdojo run mine/1 --who reference" || fail "the new lab's reference ends with $?"
  done_in "clang: warpdojo run mine/1 --who reference, its problem.cpp compiled"
fi
[ -z "$(find "$root"/usr "$root"/etc "$root"/opt -uid "$(stat -c %u "$root/home/student")" -print -quit 2>/dev/null)" ] ||
  fail "a file of the student's lies outside his folder"
[ ! -e "$root/usr/bin/clang-19" ] || inside apt-get purge -y -qq clang-19 || fail "clang-19 does not go"

if [ -n "${NVRTC:-}" ]; then
  libraries=$root/usr/lib/x86_64-linux-gnu
  cp "$NVRTC"/libnvrtc.so.* "$NVRTC"/libnvrtc-builtins.so.* "$libraries/"
  use "NVRTC"
  play "NVRTC"
  rm "$libraries"/libnvrtc*
fi

begin
install xvfb xauth libgl1 libgl1-mesa-dri || fail "Xvfb does not install"
done_in "apt-get install xvfb libgl1 libgl1-mesa-dri"
begin
as_student "xvfb-run -a -s '-screen 0 1400x900x24' warpdojo app reduce/2 --width 1280 --height 720 --screenshot app.png" ||
  fail "the window ends with $?"
[ -s "$root/home/student/app.png" ] || fail "the window left no picture"
[ -z "${PICTURE:-}" ] || cp "$root/home/student/app.png" "$PICTURE"
done_in "the window under Xvfb"

[ "${package%.deb}" != "$package" ] || exit 0
begin
inside apt-get purge -y -qq warpdojo || fail "the package does not go"
left=$(find "$root" -xdev -iname '*warpdojo*' -not -path "$root/home/*" -not -path "$root/tmp/*" -not -path "$root/proc/*" |
  head -n 5)
[ -z "$left" ] || fail "the package leaves $left"
[ -f "$root/home/student/warpdojo-labs/labs/01-reduce/2-shared.cu" ] || fail "the student's files went with the package"
done_in "apt-get purge warpdojo: no file is left but the student's"
