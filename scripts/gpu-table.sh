#!/usr/bin/env bash
# Rewrites docs/gpu-results.md and docs/gpu-results-h200.md, every step on a real GPU, and the table of the open ones in docs/figures.md, from
# the recordings in assets/recordings; no GPU is needed.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
cd "$root"

page() {  # page GPU: of h100 or h200
  local recording=assets/recordings/$1.json softmax=assets/recordings/$1-softmax.csv reduce=assets/recordings/$1-reduce.txt n
  echo "# The references on a real GPU"
  echo
  echo "Made by \`scripts/gpu-table.sh\` from \`$recording\`; \`warpdojo record all --device cuda:0 --out FILE\` makes such a"
  echo "recording, \`warpdojo bench cuda\` runs it all again."
  echo
  ${WARPDOJO:-./warpdojo} record --table --out "$recording"
  echo
  echo "## Softmax at every width"
  echo
  echo "49152 rows of half, GB/s of what must move (2 halves an element forward, 3 backward), from"
  echo "$softmax (\`tests/tuning/softmax_widths.cu\` and \`softmax_peers.py\`: one graph over rotated buffers,"
  echo "medians of 30). Of copy: forward, beside a copy of as many bytes."
  echo
  echo "| columns | copy | forward, open | of copy | cuDNN | PyTorch | backward, open | cuDNN | PyTorch |"
  echo "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
  # The way may hold a comma: the figures are counted from the line's other end.
  sed -E 's/, (open|cuDNN|PyTorch),/ \1,/' "$softmax" | awk -F, '
    /^#/ { next }
    { rate[$1, $2] = $6; if (!($1 in seen)) { seen[$1] = 1; order[++n] = $1 } }
    END { for (i = 1; i <= n; ++i) { c = order[i]
      printf "| %d | %d | %d | %d %% | %d | %d | %d | %d | %d |\n", c, rate[c, "copy"], rate[c, "forward open"],
        100 * rate[c, "forward open"] / rate[c, "copy"] + 0.5, rate[c, "forward cuDNN"], rate[c, "forward PyTorch"],
        rate[c, "backward open"], rate[c, "backward cuDNN"], rate[c, "backward PyTorch"] } }'
  echo
  echo "## The sum beside CUB"
  echo
  echo "reduce/open's shape, from $reduce (\`tests/tuning/reduce.cu\` has forty others): in one graph over"
  echo "rotated buffers, and from an empty L2 as the app measures."
  echo
  echo "| floats | open | CUB | ratio | from an empty L2 | CUB | ratio |"
  echo "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
  for n in 22 25 28; do
    awk -v n="2^$n" '
      $1 == n && $2 == "cub" { cub = $3; for (i = 4; i < NF; ++i) if ($i == "L2") cold = $(i + 1) }
      $1 == n && /turns 512 x 2, 8 loads/ { us = $8; for (i = 9; i < NF; ++i) if ($i == "L2") own = $(i + 1) }
      END { printf "| %s | %.1f us | %.1f us | %.3f | %.1f us | %.1f us | %.3f |\n", n, us, cub, cub / us, own, cold, cold / own }
    ' "$reduce"
  done
  local spmv=assets/recordings/$1-spmv.txt
  [ -e "$spmv" ] || return 0
  echo
  echo "## Sparse products beside cuSPARSE"
  echo
  echo "From $spmv (\`tests/tuning/spmv.cu\`: one graph over rotated buffers, medians of 25; the default"
  echo "algorithm, which is as fast as CSR_ALG1 and faster than CSR_ALG2)."
  echo
  echo "| matrix | non-zeros | 6-segments | 9-open | cuSPARSE | ratio | preprocessed | ratio |"
  echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
  awk -F, '
    /^#/ { next }
    { us[$1, $4] = $5; count[$1] = $3; if (!($1 in seen)) { seen[$1] = 1; order[++n] = $1 } }
    END { for (i = 1; i <= n; ++i) { m = order[i]; open = us[m, "9-open"]; plain = us[m, "cuSPARSE default"]
      ready = us[m, "cuSPARSE default preprocessed"]
      printf "| %s | %d | %.1f us | %.1f us | %.1f us | %.2f | %.1f us | %.2f |\n", m, count[m], us[m, "6-segments"], open,
        plain, plain / open, ready, ready / open } }' "$spmv"
}

for gpu in h100 h200; do
  out=docs/gpu-results.md
  [ "$gpu" = h100 ] || out=docs/gpu-results-$gpu.md
  page "$gpu" >"$out.new"
  mv "$out.new" "$out"
done
# docs/figures.md has the open steps only.
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
sed '/^## /,$d' docs/gpu-results.md | grep -E '^(Recorded|\| step|\| ---)|-open[^|]*\|' | sed '/^Recorded/a\\' >"$rows"
awk -v rows="$rows" '
  /<!-- gpu:begin -->/ { print; while ((getline line < rows) > 0) print line; skip = 1; next }
  /<!-- gpu:end -->/ { skip = 0 }
  !skip { print }' docs/figures.md >docs/figures.md.new
mv docs/figures.md.new docs/figures.md
