#!/usr/bin/env bash
# Makes autograder.zip for Gradescope: run_autograder and setup.sh at its top, this repository as warpdojo/, and,
# when named, the course's files, which students must not see.
#   gradescope/make-zip.sh [--course course.toml] [--secret secret.txt] [--out autograder.zip]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$(dirname "$here")
[ -d "$repository/app" ] || {
  echo "make-zip.sh: $repository is no handout; make one (warpdojo handout DIR --course course.toml), and run" \
    "DIR/gradescope/make-zip.sh" >&2
  exit 2
}
out=$PWD/autograder.zip course= secret=
while [ $# -gt 0 ]; do
  case $1 in
    --course) course=${2:?--course needs a file} ;;
    --secret) secret=${2:?--secret needs a file} ;;
    --out) out=$(realpath -m "${2:?--out needs a file}") ;;
    *) echo "usage: make-zip.sh [--course FILE] [--secret FILE] [--out FILE]" >&2; exit 2 ;;
  esac
  shift 2
done
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
cp "$here/setup.sh" "$here/run_autograder" "$stage"
mkdir "$stage/warpdojo"
tar -C "$repository" --exclude=./build --exclude=./.git --exclude=./gradescope --exclude="./$(basename "$out")" -cf - . |
  tar -C "$stage/warpdojo" -xf -
[ -n "$course" ] && cp "$course" "$stage/course.toml"
[ -n "$secret" ] && cp "$secret" "$stage/secret.txt"
rm -f "$out"
if command -v zip >/dev/null; then (cd "$stage" && zip -qr "$out" .)
else (cd "$stage" && cmake -E tar cf "$out" --format=zip .)  # cmake is there: WarpDojo is built with it
fi
echo "$out"
