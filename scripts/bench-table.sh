#!/usr/bin/env bash
# Rewrites the table of figures in README.md, between its two marks, from `warpdojo bench NAME --json`.
#   scripts/bench-table.sh [simt edit app ...]      (default: those that need no GPU)
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
cd "$root"
names=("$@")
[ ${#names[@]} -gt 0 ] || names=(simt edit app)
table=$(mktemp)
trap 'rm -f "$table" "$table".json' EXIT
machine= commit=
for name in "${names[@]}"; do
  if ! ${WARPDOJO:-./warpdojo} bench "$name" --json >"$table.json"; then
    echo "bench-table: bench $name failed; README.md is unchanged" >&2
    exit 1
  fi
  [ -n "$machine" ] || machine=$(sed -nE 's/^  "machine": "(.*)",$/\1/p' "$table.json")
  [ -n "$commit" ] || commit=$(sed -nE 's/^  "commit": "(.*)",$/\1/p' "$table.json")
  sed -nE 's/^    "([a-zA-Z0-9_.@\/-]+)": ([-0-9.e+]+),?$/| `\1` | \2 |/p' "$table.json" >>"$table"
done
awk -v table="$table" -v head="Measured on $machine, commit $commit, $(date +%F)." '
  /<!-- bench:begin -->/ { print; print head; print ""; print "| figure | value |"; print "| --- | ---: |"
    while ((getline line < table) > 0) print line
    skip = 1; next }
  /<!-- bench:end -->/ { skip = 0 }
  !skip { print }' README.md >README.md.new
mv README.md.new README.md
