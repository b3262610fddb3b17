#!/usr/bin/env bash
# Fuzzes the readers of text and bytes that come from outside, and the machine, with clang's libFuzzer and sanitizers.
#   tests/fuzz/run.sh TARGET SECONDS     TARGET: ptx_parser, cubin_reader, machine_module
# New inputs go to a folder under build/; a crash is left there as crash-*.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
target=${1:?target} seconds=${2:-60}
out=$root/build/fuzz/$target
shared=$root/build/fuzz/objects
mkdir -p "$out/new" "$shared"
flags=(-std=c++20 -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-strict-aliasing
  -march=x86-64-v3 -ffp-contract=off -I"$root/app" -I"$root/tests/truth")
sources=("$root/tests/fuzz/$target.cpp" "$root"/app/ptx/*.cpp)
if [ "$target" = machine_module ]; then
  sources+=("$root"/tests/truth/{instructions,later_instructions}.cpp "$root"/app/core/{memory,pages,step_trace,types,device}.cpp)
  for file in "$root"/app/simt/*.cpp; do
    case $(basename "$file") in
      bench.cpp | register.cpp | device_* | timing* | host_thread_* | version.cpp | hierarchy.cpp | occupancy.cpp) ;;
      *) sources+=("$file") ;;
    esac
  done
fi
newest=$(find "$root/app" "$root/tests/truth" -name '*.hpp' -printf '%T@ %p\n' | sort -n | tail -1 | cut -d' ' -f2-)
objects=()
for file in "${sources[@]}"; do
  object=$shared/$(basename "$(dirname "$file")")_$(basename "${file%.cpp}").o
  objects+=("$object")
  [ "$object" -nt "$file" ] && [ "$object" -nt "$newest" ] || clang++ "${flags[@]}" -c "$file" -o "$object"
done
clang++ -fsanitize=fuzzer,address,undefined "${objects[@]}" -lfmt -o "$out/$target"
cd "$out"
mkdir -p "$root/tests/fuzz/corpus/$target"
longest=20000
[ "$target" != machine_module ] || longest=400  # choices, not text: 40 statements take no more
exec nice -n 19 "./$target" -max_total_time="$seconds" -max_len=$longest -len_control=0 -timeout=10 -rss_limit_mb=2000 new \
  "$root/tests/fuzz/corpus/$target"
