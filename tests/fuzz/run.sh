#!/usr/bin/env bash
# Fuzzes the readers of text and bytes that come from outside, with clang's libFuzzer and sanitizers.
#   tests/fuzz/run.sh TARGET SECONDS     TARGET: ptx_parser, cubin_reader
# New inputs go to a folder under build/; a crash is left there as crash-*.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
target=${1:?target} seconds=${2:-60}
out=$root/build/fuzz/$target
mkdir -p "$out/new"
clang++ -std=c++20 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -I"$root/app" \
  "$root/tests/fuzz/$target.cpp" "$root"/app/ptx/*.cpp -o "$out/$target"
cd "$out"
exec nice -n 19 "./$target" -max_total_time="$seconds" -max_len=20000 -timeout=10 -rss_limit_mb=2000 new \
  "$root/tests/fuzz/corpus/$target"
