#!/usr/bin/env bash
# Rewrites docs/gpu-results.md, every step on a real GPU, from a recording; no GPU is needed.
#   scripts/gpu-table.sh [RECORDING]      (default: assets/recordings/h100.json)
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
cd "$root"
recording=${1:-assets/recordings/h100.json}
{
  echo "# The references on a real GPU"
  echo
  echo "Made by \`scripts/gpu-table.sh\` from \`$recording\`; \`warpdojo record all --device cuda:0 --out FILE\` makes such a"
  echo "recording, \`warpdojo bench cuda\` runs it all again."
  echo
  ${WARPDOJO:-./warpdojo} record --table --out "$recording"
} >docs/gpu-results.md.new
mv docs/gpu-results.md.new docs/gpu-results.md
# README has the open steps only.
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
grep -E '^(Recorded|\| step|\| ---)|-open[^|]*\|' docs/gpu-results.md | sed '/^Recorded/a\\' >"$rows"
awk -v rows="$rows" '
  /<!-- gpu:begin -->/ { print; while ((getline line < rows) > 0) print line; skip = 1; next }
  /<!-- gpu:end -->/ { skip = 0 }
  !skip { print }' README.md >README.md.new
mv README.md.new README.md
