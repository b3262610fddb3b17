#!/usr/bin/env bash
# Makes every picture of docs/pictures again, from the built app: scripts/pictures.sh [PROGRAM]
# Needs Xvfb. It works on a copy of the labs with places of its own for settings and progress: yours stay as they are.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
program=$(realpath "${1:-$here/build/portable/warpdojo}")
out=$here/docs/pictures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$work/root/tests" "$work/new"
cp -r "$here"/{labs,reference,assets} "$work/root/"
cp -r "$here/tests/wrong" "$work/root/tests/"
export WARPDOJO_ROOT=$work/root LIBGL_ALWAYS_SOFTWARE=1
export XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data XDG_CACHE_HOME=$work/cache
cd "$work"

# A student who has solved the first four steps and is at the fifth.
for step in 1-global 2-shared 3-dynamic 4-strided-index; do
  cp "root/reference/01-reduce/$step.cu" "root/labs/01-reduce/$step.cu"
  "$program" run "reduce/${step%%-*}" > /dev/null
done
cp "$here/labs/01-reduce/4-strided-index.cu" root/labs/01-reduce/

cat > saxpy.cu <<'PROGRAM'
#include <cstdio>

__global__ void fill(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 1.0f;
}

__global__ void saxpy(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int main() {
  const int n = 1 << 18;
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  fill<<<n / 256, 256>>>(x, n);
  fill<<<n / 256, 256>>>(y, n);
  saxpy<<<n / 256, 256>>>(2.0f, x, y, n);
  float first;
  cudaMemcpy(&first, y, sizeof(float), cudaMemcpyDeviceToHost);
  printf("y[0] = %g\n", first);
  cudaFree(x);
  cudaFree(y);
}
PROGRAM

# picture NAME OPTION...: the app's window as NAME.png.
picture() {
  local name=$1
  shift
  echo "$name"
  xvfb-run -a -s "-screen 0 2000x1200x24" "$program" app "$@" --screenshot "$work/new/$name.png"
}

picture app reduce/5 --theme dark --width 1280 --height 720 --commands run.anyway,view.source,plot.bankmap
picture student reduce/5 --theme dark --width 1600 --height 900 --commands run.anyway,view.source
picture own-program "$work/saxpy.cu" --theme dark --width 1600 --height 900 --commands run.anyway
picture code reduce/5 --theme light --width 1440 --height 900 --commands run.anyway,view.source,view.code,plot.timeline
picture slow-motion reduce/4 --theme light --width 1440 --height 900 \
  --commands motion.show,motion.stop.divergence,motion.next_stop,motion.next_stop,motion.next_stop,motion.next_stop
picture lecture reduce/4 --theme dark --width 1280 --height 720 --notes-screenshot "$work/new/notes.png" \
  --commands lecture.toggle,lecture.presenter,lecture.next

# Five made-up students, and the files as they are handed out.
cp "$here"/labs/01-reduce/*.cu root/labs/01-reduce/
give() {  # STUDENT STEP FILE
  mkdir -p "class/$1/01-reduce"
  cp "$3" "class/$1/01-reduce/$2.cu"
}
solved=$here/reference/01-reduce wrong=$here/tests/wrong/01-reduce given=$here/labs/01-reduce
for step in 1-global 2-shared 5-sequential; do give ada-lovelace $step "$solved/$step.cu"; done
give ben 1-global "$wrong/1-global--in-shared.cu"
give ben 2-shared "$given/2-shared.cu"
give ben 5-sequential "$given/5-sequential.cu"
give cleo 1-global "$wrong/1-global--no-barrier.cu"
give cleo 5-sequential "$solved/4-strided-index.cu"
give dmitri 1-global "$given/1-global.cu"
give dmitri 2-shared "$solved/2-shared.cu"
give eve 5-sequential "$solved/5-sequential.cu"
sed 's/float/flaot/' "$solved/1-global.cu" > eve-1.cu
give eve 1-global eve-1.cu
cat > course.toml <<'COURSE'
title = "Reduce, one week"
[[step]]
step = "reduce/1-global"
[[step]]
step = "reduce/2-shared"
[[step]]
step = "reduce/5-sequential"
points = 20
COURSE
picture submissions reduce/1 --theme dark --width 1280 --height 720 --instructor --submissions class --course course.toml \
  --commands instructor.grade

# All or none.
cp "$work"/new/*.png "$out/"
echo "$(ls "$work/new" | wc -l) pictures in docs/pictures"
