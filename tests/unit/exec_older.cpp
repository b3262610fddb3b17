// `warpdojo exec --build` of projects that were written for a toolkit before CUDA 13.
#include <doctest/doctest.h>

#include "../has.hpp"
#include "exec_bench.hpp"

using namespace dojo;
using dojo::test::has;
using namespace dojo::exec_test;

TEST_CASE("exec: --build compiles for architectures and with names that CUDA 13 has no longer") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cu", R"cu(#include <cstdio>
__global__ void k(int* p) { *p = 7; }
int main() {
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  int *p, v = 0;
  cudaMalloc(&p, sizeof v);
  k<<<1, 1>>>(p);
  cudaThreadSynchronize();
  cudaMemcpy(&v, p, sizeof v, cudaMemcpyDeviceToHost);
  printf("%d %d.%d %d %d\n", v, prop.major, prop.minor, prop.clockRate > 0, prop.memoryClockRate > 0);
  return cudaThreadExit();
}
)cu");
  b.t.write("q.cu",
            "#include <cstdio>\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); return "
            "cudaDeviceSynchronize(); }\n");
  const std::string own = "PATH=/usr/bin:/bin $W exec --build ";  // no nvcc but that of --build
  const Shell s = b(own +
                    "'nvcc -gencode arch=compute_35,code=sm_35 -arch sm_60 -c -o p.o p.cu && "
                    "\"$CUDA_HOME\"/bin/nvcc -arch=sm_60 -o p p.o' ./p");
  CAPTURE(s.err);
  CHECK(s.status == 0);
  CHECK(s.out == "7 9.0 1 1\n");
  CHECK(has(s.err,
            "nvcc was called without architectures that CUDA 13 no longer has: arch=compute_35,code=sm_35 "
            "sm_60\n"));
  CHECK(
      has(s.err, "names that CUDA 13 removed (clockRate, cudaThreadSynchronize ...) are those of CUDA 12\n"));
  // What the toolkit takes is compiled as it is asked, and other errors stay nvcc's own.
  const Shell plain = b(own + "'nvcc -arch=sm_80 -o q q.cu' ./q");
  CHECK(plain.status == 0);
  CHECK(!has(plain.err, "CUDA 13"));
  const Shell wrong = b(own + "'nvcc -arch=sm_60 -include not_there.h -o r q.cu' ./r");
  CHECK(wrong.status == 3);
  CHECK(has(wrong.err, "not_there.h: No such file"));
  CHECK(!has(wrong.err, "CUDA 13"));
}
