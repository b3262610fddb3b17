#!/usr/bin/env bash
# Builds the packages: scripts/package.sh [OUT]   (OUT: build/packages)
#   warpdojo_VERSION_amd64.deb          for Debian 12
#   warpdojo-VERSION-x86_64.tar.gz      for any x86-64 Linux with glibc 2.35 or newer; unpack it anywhere
# Needs patchelf and python3; without patchelf the tarball needs glibc 2.36.
# $WARPDOJO_BUILD names a build folder to package in place of build/portable, for tests.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "${1:-$root/build/packages}"
out=$(cd "${1:-$root/build/packages}" && pwd)
build=${WARPDOJO_BUILD:-$root/build/portable}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ -z "${WARPDOJO_BUILD:-}" ]; then
  cmake -S "$root" --preset portable -B "$build" >/dev/null
  cmake --build "$build" --target warpdojo warpdojo-window warpdojo-verdicts exec_libraries
fi

(cd "$build" && cpack -G DEB -B "$work/deb" >"$work/cpack.log") || { cat "$work/cpack.log" >&2; exit 1; }
cp "$work"/deb/*.deb "$out/"

version=$(cut -d' ' -f1 "$build/packaging/version")
name=warpdojo-$version-x86_64
cmake --install "$build" --prefix "$work/$name" --strip >/dev/null

# Every library that the program needs, but those of the system's C and C++ run time, which are found in any
# distribution and must match its graphics drivers.
mkdir -p "$work/$name/lib/warpdojo"
ldd "$work/$name"/bin/warpdojo{,-window} | awk '$2 == "=>" && $3 ~ /^\// { print $1, $3 }' | sort -u |
  while read -r soname file; do
    case $soname in
      libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | libstdc++.so.* | libgcc_s.so.*) ;;
      *) cp -L "$file" "$work/$name/lib/warpdojo/$soname" ;;
    esac
  done
# Debian's libarchive and libexpat take arc4random_buf from glibc 2.36. libbsd, which comes along, has it too. So Ubuntu
# 22.04 can load them.
if command -v patchelf >/dev/null; then
  for library in "$work/$name"/lib/warpdojo/lib{archive,expat}.so.*; do
    patchelf --clear-symbol-version arc4random_buf --add-needed libbsd.so.0 "$library"
    "$root/scripts/older-glibc.py" 2.35 "$library"
  done
else
  echo "package.sh: patchelf is missing, so the tarball needs glibc 2.36" >&2
fi
mkdir -p "$work/$name/share/warpdojo/fonts"
for font in /usr/share/fonts/opentype/inter/Inter-{Regular,SemiBold}.otf \
            /usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf; do
  cp "$font" "$work/$name/share/warpdojo/fonts/"
done
# Licences of what is carried along, as Debian ships them.
mkdir -p "$work/$name/share/doc"
for file in "$work/$name"/lib/warpdojo/* fonts-inter fonts-jetbrains-mono; do
  [ ! -d "$file" ] || continue  # our own libcudart
  package=$(basename "$file")
  case $file in /*) package=$(dpkg -S "*/$package" 2>/dev/null | head -1 | cut -d: -f1) ;; esac
  [ ! -e "/usr/share/doc/$package/copyright" ] ||
    cp -L "/usr/share/doc/$package/copyright" "$work/$name/share/doc/$package.copyright"
done
tar -C "$work" --owner=0 --group=0 -czf "$out/$name.tar.gz" "$name"
ls -l "$out" | awk 'NR > 1 { printf "%s  %.1f MB\n", $NF, $5 / 1e6 }'
