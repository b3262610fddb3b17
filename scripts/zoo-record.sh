#!/usr/bin/env bash
# Records the kernels of tests/zoo on a real GPU: times by `warpdojo play`, counters by Nsight Compute.
#   scripts/zoo-record.sh FILE [PROGRAM|KERNEL...]         FILE goes to assets/recordings/h100-zoo.csv
#   scripts/zoo-record.sh FILE --set second                the second held-out set: assets/recordings/h100-zoo2.csv
#   scripts/zoo-record.sh FILE --set third                 the third: assets/recordings/h100-zoo3.csv
#   scripts/zoo-record.sh FILE --set fourth                the fourth: assets/recordings/h100-zoo4.csv
#   scripts/zoo-record.sh FILE --set fifth                 the fifth: assets/recordings/h100-zoo5.csv
#   scripts/zoo-record.sh FILE --set sixth                 the sixth: assets/recordings/h100-zoo6.csv
# $WARPDOJO: the program (default: ./warpdojo of the repository); $NCU: Nsight Compute; $COMMIT: where there is no git.
# The file is written anew after every kernel. What failed is in its head.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
[ $# -ge 1 ] || { sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 2; }
out=$1
shift
if [ -z "${NCU:-}" ] && ! NCU=$(command -v ncu); then
  NCU=$(ls -d /usr/local/cuda*/bin/ncu /opt/nvidia/nsight-compute/*/ncu 2>/dev/null | tail -n 1 || true)
fi
[ -n "$NCU" ] || echo "zoo-record: there is no ncu; times only" >&2
exec python3 "$root/scripts/zoo.py" record --out "$out" --ncu "${NCU:-ncu}" ${COMMIT:+--commit "$COMMIT"} "$@"
