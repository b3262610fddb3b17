#!/usr/bin/env bash
# PrairieLearn's external grader: grades /grade/student, leaves /grade/results/results.json. The image holds this
# repository, built, in /opt/warpdojo (or where $WARPDOJO_ROOT says). course.toml and secret.txt come from the
# question's tests/ folder, which students never see.
set -u
base=${GRADE:-/grade}
export WARPDOJO_ROOT=${WARPDOJO_ROOT:-/opt/warpdojo}
program=${WARPDOJO:-$WARPDOJO_ROOT/warpdojo}
results=$base/results/results.json
mkdir -p "$base/results"
cd "$base/results" || exit 1
options=()
[ -e "$base/tests/course.toml" ] && options+=(--course "$base/tests/course.toml")
[ -e "$base/tests/secret.txt" ] && options+=(--secret-file "$base/tests/secret.txt")
# A container that is thrown away after one submission may grade without a sandbox: an empty file tests/no-sandbox.
[ -e "$base/tests/no-sandbox" ] && options+=(--no-sandbox)
if ! "$program" grade "$base/student" --one-student "${options[@]}" --format prairielearn --out "$results" 2>"$base/results/log.txt"; then
  message=$(tail -n 3 "$base/results/log.txt" | tr -d '"\\' | tr '\000-\037' ' ')
  printf '{"gradable": false, "format_errors": ["WarpDojo could not grade this submission: %s"]}\n' "$message" >"$results"
fi
