// Shapes that are multiples of nothing: rows of 1 to 40000 columns through every softmax, and none, one,
// primes and thin shapes through convolutions, products and transposes.
#include <doctest/doctest.h>

#include <initializer_list>

#include "lab_runs.hpp"

using namespace dojo;

namespace {

/// The reference's run is right and free of findings at each size.
void right_at(const std::string& step, std::initializer_list<Size> sizes) {
  const Step& s = test::catalog().find(step);
  if (!test::wanted(s)) return;
  for (const Size& size : sizes) {
    std::string text = step;
    for (const auto& [k, v] : size) text += " " + k + "=" + std::to_string(v);
    try {
      const RunReport r = test::run(s, run::Who::reference, {}, size, false).runs.at(0);
      CHECK_MESSAGE(r.status == Status::pass, text << "\n" << test::why(r));
    } catch (const std::exception& e) {
      FAIL_CHECK(text << ": " << std::string(e.what()));
    }
  }
}

void right_at_widths(const std::string& step, std::initializer_list<int64_t> widths, int64_t rows) {
  for (int64_t cols : widths) right_at(step, {{{"rows", rows}, {"cols", cols}}});
}

}  // namespace

TEST_CASE("the softmax dispatcher takes every width from 1 to 40000") {
  right_at_widths("softmax/dispatch",
                  {1, 2, 3, 31, 32, 33, 509, 1024, 1025, 4093, 10007, 20011, 39989, 40000}, 2);
  right_at_widths("softmax/open", {1, 7, 33, 1021, 4099, 39989}, 2);
  right_at_widths("softmax/open-backward", {1, 7, 33, 1021, 4099, 39989}, 2);
}

TEST_CASE("softmax tiers take every width that they say they take") {
  for (const char* step : {"softmax/five-kernels", "softmax/fused-shared", "softmax/block-shared"})
    right_at_widths(step, {1, 31, 33, 997, 4099, 20011}, 3);
  for (const char* step : {"softmax/block-uncached", "softmax/online"})
    right_at_widths(step, {1, 31, 33, 1031, 39989}, 3);
  for (const char* step : {"softmax/warp", "softmax/narrow", "softmax/fused", "softmax/float",
                           "softmax/log-softmax", "softmax/backward"})
    right_at_widths(step, {1, 2, 7, 31, 32, 33, 257, 1021, 1024}, 9);
  right_at_widths("softmax/packs", {8, 24, 248, 1016, 1024}, 9);
  for (const char* step : {"softmax/layer-norm", "softmax/rms-norm"})
    right_at_widths(step, {4, 12, 124, 1028, 4092, 4096}, 5);
}

TEST_CASE("no rows and no columns are no error") {
  for (const char* step : {"softmax/dispatch", "softmax/fused", "softmax/backward", "softmax/layer-norm"})
    right_at(step, {{{"rows", 0}, {"cols", 8}}, {{"rows", 8}, {"cols", 0}}, {{"rows", 1}, {"cols", 8}}});
}

TEST_CASE("convolutions of any length and shape") {
  for (const char* step :
       {"conv1d/naive", "conv1d/shared", "conv1d/coarsened", "conv1d/constant", "conv1d/wide"})
    right_at(step, {{{"n", 2}}, {{"n", 127}}, {{"n", 129}}, {{"n", 10007}}});
  for (const char* step : {"conv1d/conv2d-naive", "conv1d/conv2d-tiled", "conv1d/conv2d-even",
                           "conv1d/conv2d-prefetched", "conv1d/conv2d-nhwc"})
    right_at(step, {{{"n", 2}, {"c", 3}, {"k", 5}, {"h", 13}, {"w", 29}},
                    {{"n", 1}, {"c", 1}, {"k", 1}, {"h", 3}, {"w", 101}},
                    {{"n", 1}, {"c", 7}, {"k", 2}, {"h", 31}, {"w", 3}}});
}

TEST_CASE("products of matrices of any shape") {
  for (const char* step : {"naive-rows", "naive-columns", "thread-tile", "block-tile", "cooperative-fetch",
                           "vec4", "vec4-layout", "double-buffered", "warp-tiled", "tensor-core", "open"})
    right_at(std::string("matmul/") + step, {{{"n", 3}, {"m", 5}, {"k", 7}},
                                             {{"n", 127}, {"m", 131}, {"k", 33}},
                                             {{"n", 1}, {"m", 257}, {"k", 65}},
                                             {{"n", 130}, {"m", 1}, {"k", 9}},
                                             {{"n", 5}, {"m", 6}, {"k", 0}}});
  for (const char* step : {"sgemv-k16", "sgemv-k32", "sgemv-k128"})
    right_at(std::string("matmul/") + step, {{{"n", 1}}, {{"n", 1009}}});
}

TEST_CASE("transposes of any shape") {
  for (const char* step : {"naive", "shared", "padded", "swizzled"})
    right_at(std::string("banks/transpose-") + step, {{{"rows", 1}, {"cols", 1000}},
                                                      {{"rows", 1009}, {"cols", 1}},
                                                      {{"rows", 33}, {"cols", 31}},
                                                      {{"rows", 257}, {"cols", 509}},
                                                      {{"rows", 0}, {"cols", 5}}});
}
