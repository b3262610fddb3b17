// The stand-in of cuFFT under `warpdojo exec`.
#include <doctest/doctest.h>

#include "../has.hpp"
#include "exec_bench.hpp"

using namespace dojo;
using dojo::test::has;
using namespace dojo::exec_test;

TEST_CASE("exec: transforms of cuFFT: complex and real, in place, of several dimensions, with gaps") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const bool has_fft = fs::exists(program_path().parent_path() / "exec" / "libcufft.so.12");
  if (needs::left_out_without("kissfft (libkissfft-dev) when this was built", has_fft)) return;
  const ExecBench b;
  b.t.write("p.cpp", R"cu(#include <cuda_runtime.h>
#include <cufftXt.h>
#include "arrays.hpp"
void print_rounded(const float* d, size_t n) {
  for (float x : host(d, n)) printf("%g ", std::round(x * 1e4) / 1e4 + 0.);
  printf("\n");
}
int main() {
  auto complex = [](float* at) { return (cufftComplex*)at; };
  cufftHandle plan;
  cufftPlan1d(&plan, 4, CUFFT_C2C, 1);
  float* x = device<float>({1, 0, 2, 0, 3, 0, 4, 0});
  cufftExecC2C(plan, complex(x), complex(x), CUFFT_FORWARD);
  print_rounded(x, 8);
  cufftExecC2C(plan, complex(x), complex(x), CUFFT_INVERSE);
  print_rounded(x, 8);  // 4 times what it was
  printf("%d\n", cufftExecR2C(plan, x, complex(x)) == CUFFT_INVALID_TYPE);
  cufftDestroy(plan);
  // Two rows of three: apart, then in place, where a row has four floats.
  float *rows = device<float>({1, 2, 3, 4, 5, 6}), *halves = device(std::vector<float>(8));
  cufftHandle forward, back;
  cufftPlan2d(&forward, 2, 3, CUFFT_R2C), cufftPlan2d(&back, 2, 3, CUFFT_C2R);
  cufftExecR2C(forward, rows, complex(halves));
  print_rounded(halves, 8);
  cufftExecC2R(back, complex(halves), rows);
  print_rounded(rows, 6);
  float* padded = device<float>({1, 2, 3, -1, 4, 5, 6, -1});
  cufftExecR2C(forward, padded, complex(padded));
  print_rounded(padded, 8);
  // Two interleaved signals of two elements, 1 2 and 3 5.
  int n = 2, embed = 2;
  cufftPlanMany(&plan, 1, &n, &embed, 2, 1, &embed, 2, 1, CUFFT_C2C, 2);
  float* both = device<float>({1, 0, 3, 0, 2, 0, 5, 0});
  cufftExecC2C(plan, complex(both), complex(both), CUFFT_FORWARD);
  print_rounded(both, 8);
  // A length that is prime.
  std::vector<float> seven(14);
  seven[2] = 1;
  float* prime = device(seven);
  cufftPlan1d(&plan, 7, CUFFT_C2C, 1);
  cufftExecC2C(plan, complex(prime), complex(prime), CUFFT_FORWARD);
  print_rounded(prime, 4);
  cufftExecC2C(plan, complex(prime), complex(prime), CUFFT_INVERSE);
  print_rounded(prime, 14);
  // The types as arguments; a row of three real numbers.
  long long three = 3, *none = nullptr;
  size_t bytes = 0;
  cufftCreate(&plan);
  if (cufftXtMakePlanMany(plan, 1, &three, none, 1, 3, CUDA_R_32F, none, 1, 2, CUDA_C_32F, 1, &bytes,
                          CUDA_C_32F))
    return 1;
  cufftXtExec(plan, device<float>({1, 2, 3}), halves, CUFFT_FORWARD);
  print_rounded(halves, 4);
  cufftCreate(&plan);
  cufftMakePlanMany64(plan, 1, &three, none, 1, 3, none, 1, 3, CUFFT_C2R, 1, &bytes);
  cufftXtExec(plan, halves, rows, CUFFT_INVERSE);
  print_rounded(rows, 3);
  cufftXtSetCallback(plan, nullptr, CUFFT_CB_LD_COMPLEX, nullptr);  // by cufftXt.h: refused by its name
  return cufftEstimate1d(7, CUFFT_C2C, 1, &bytes) != CUFFT_NOT_SUPPORTED;
}
)cu");
  const Shell s = b("$N -g -cudart shared -o p p.cpp -lcufft && $W exec ./p");
  CAPTURE(s.err);
  CHECK(s.status == 0);
  CHECK(s.out ==
        "10 0 -2 2 -2 0 -2 -2 \n4 0 8 0 12 0 16 0 \n1\n"
        "21 0 -3 1.7321 -9 0 0 0 \n6 12 18 24 30 36 \n21 0 -3 1.7321 -9 0 0 0 \n"
        "3 0 8 0 -1 0 -2 0 \n1 0 0.6235 -0.7818 \n0 0 7 0 0 0 0 0 0 0 0 0 0 0 \n6 0 -1.5 0.866 \n3 6 9 \n");
  CHECK(has(s.err, "cufftXtSetCallback is not supported yet"));
  CHECK(has(s.err, "cufftEstimate1d is not supported yet and returns CUFFT_NOT_SUPPORTED"));
  CHECK(has(s.err, "cufftExecC2C is computed on the host: it is not simulated"));
}
