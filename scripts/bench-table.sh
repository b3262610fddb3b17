#!/usr/bin/env bash
# Rewrites the table of figures in docs/figures.md, between its two marks, from `warpdojo bench NAME --json`.
#   scripts/bench-table.sh [simt edit app grade ...]      (default: simt edit app)
# Rows that the benches named don't measure stay as they are; a line above the table then says which are newer.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
cd "$root"
names=("$@")
[ ${#names[@]} -gt 0 ] || names=(simt edit app)
figures=$(mktemp)
trap 'rm -f "$figures" "$figures".json' EXIT
machine= commit=
for name in "${names[@]}"; do
  if ! ${WARPDOJO:-./warpdojo} bench "$name" --json >"$figures.json"; then
    echo "bench-table: bench $name failed; docs/figures.md is unchanged" >&2
    exit 1
  fi
  [ -n "$machine" ] || machine=$(sed -nE 's/^  "machine": "(.*)",$/\1/p' "$figures.json")
  [ -n "$commit" ] || commit=$(sed -nE 's/^  "commit": "(.*)",$/\1/p' "$figures.json")
  sed -nE 's/^    "([a-zA-Z0-9_.@\/-]+)": ([-0-9.e+]+),?$/\1 \2/p' "$figures.json" >>"$figures"
done

# What a figure is called, its unit's scale, its decimals and its unit, and what it should reach (`-`: no goal).
words() {
  cat <<'WORDS'
simt.fma_loop.functional|Fused multiply-adds and shared loads in a loop, one core|1e-6|0|million warp instructions/s|≥ 250
simt.reduce.functional|Block reduction, results and counters only, one core|1e-6|0|million warp instructions/s|-
simt.reduce.checks|Block reduction, every counter and check on, one core|1e-6|0|million warp instructions/s|≥ 100
simt.reduce.checks.elements_per_s|The same|1e-6|1|million elements/s|≥ 38
simt.reduce.model|Block reduction, the time model on as well, one core|1e-6|0|million warp instructions/s|≥ 60
simt.strided.checks|Conflicting and uncoalesced accesses of a constant stride, one core|1e-6|0|million warp instructions/s|≥ 40
simt.gather.checks|Irregular gather, one core|1e-6|1|million warp instructions/s|≥ 8
simt.two_core_speedup|Two cores instead of one|1|2|times|≥ 1.8
yardstick.scalar_sum.elements_per_s|For comparison: a plain loop that adds up floats on this machine|1e-6|0|million elements/s|-
edit.compile_ms|Compiling an edited reduce file|1|0|ms|-
edit.save_to_verdict_ms|From saving it to the verdict, 2^20 elements, median|1|0|ms|≤ 250
app.first_frame_ms|First frame of the window after the start|1|0|ms|≤ 300
app.frames_per_s_busy|Frames while a run goes, drawn in software|1|0|per second|≥ 50
app.frame_ms_p99_busy|99 of 100 such frames take less than|1|0|ms|-
app.idle_cpu_pct|Processor use when nothing happens|1|1|%|≤ 1
app.timeline_100k_ms|Drawing a timeline of 100,000 blocks|1|1|ms per frame|≤ 4
grade.submissions_per_minute|Submissions of the whole core track graded, one core|1|1|per minute|-
grade.two_worker_speedup|Grading with two workers instead of one|1|2|times|≥ 1.8
grade.cluster_submissions_per_minute|Grading on a Slurm cluster of two one-core nodes on this machine|1|1|per minute|-
grade.cluster_speedup|Grading on that cluster instead of one core|1|2|times|≥ 1.8
WORDS
}
awk -v figures="$figures" -v names="${names[*]}" -v machine="$machine, commit $commit, $(date +%F)" '
  BEGIN { FS = "|" }
  NR == FNR { order[++count] = $1; title[$1] = $2; scale[$1] = $3; decimals[$1] = $4; unit[$1] = $5; goal[$1] = $6; next }
  /<!-- bench:begin -->/ { print; within = 1; next }
  /<!-- bench:end -->/ {
    while ((getline line < figures) > 0) { split(line, part, " "); value[part[1]] = part[2] }
    rows = ""
    for (k = 1; k <= count; ++k)
      if (order[k] in value)
        rows = rows sprintf("| %s | %.*f %s | %s |\n", title[order[k]], decimals[order[k]], value[order[k]] * scale[order[k]], unit[order[k]],
                            goal[order[k]] == "-" ? "" : goal[order[k]])
      else if (title[order[k]] in old) { rows = rows old[title[order[k]]] "\n"; kept = 1 }
    if (!kept) print "Measured on " machine "."
    else {
      print old_head
      for (k = 1; k <= notes; ++k) if (index(old_note[k], "Newer (" names ")") != 1) print old_note[k]
      print "Newer (" names "): " machine "."
    }
    print ""; print "| what | measured | to reach |"; print "| --- | ---: | ---: |"; printf "%s", rows
    print; within = 0; next }
  within && /^Measured on / { old_head = $0 }
  within && /^Newer \(/ { old_note[++notes] = $0 }
  within && /^\| / { name = $0; sub(/^\| /, "", name); sub(/ \|.*/, "", name); old[name] = $0 }
  !within { print }' <(words) docs/figures.md >docs/figures.md.new
mv docs/figures.md.new docs/figures.md
