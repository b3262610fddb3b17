// What a recording says of a step: rates, ceilings, ratios to libraries.
#include <doctest/doctest.h>

#include <limits>

#include "../near.hpp"
#include "core/labs/lab.hpp"
#include "run/audits/gpu_figures.hpp"
#include "run/library_run.hpp"

using namespace dojo;
using namespace dojo::run;

namespace {

RunReport made(const char* who, double us, double bytes, double flops) {
  RunReport r;
  r.who = who;
  r.time_us.value = us;
  r.time_us.n = 30;
  r.bytes = bytes;
  r.flops = flops;
  r.gbps = bytes / us * 1e-3;
  return r;
}

Recording recording() {
  Recording r;
  r.gpu = "A GPU", r.date = "2026-01-02", r.driver = "1.2", r.commit = "abc";
  Report copy;
  copy.step = "a/1-copy";
  copy.size = {{"n", 1 << 25}};
  copy.device.peak_gflops = 1e5;
  copy.runs = {made("reference", 100, 2e8, 0), made("library:copy", 80, 2e8, 0)};
  Report product;
  product.step = "a/2-product";
  product.size = {{"n", 1024}, {"m", 1024}};
  product.device.peak_gflops = 1e5;
  product.runs = {made("reference", 50, 1e6, 4e9), made("library:slow", 70, 1e6, 4e9),
                  made("library:fast", 60, 1e6, 4e9)};
  Report wrong = product;
  wrong.step = "a/3-wrong";
  wrong.runs[0].status = Status::wrong;
  r.reports = {copy, product, wrong};
  return r;
}

}  // namespace

TEST_CASE("the fastest copy of the recording is the ceiling, and no library to be ahead of") {
  const auto all = gpu_figures(Catalog{}, recording());
  REQUIRE(all.size() == 2);
  CHECK(all[0].size == "33554432");
  CHECK(all[0].gbps == dojo::tolerance::within(2000));
  CHECK(all[0].of_ceiling == dojo::tolerance::within(0.8));
  CHECK(all[0].library.empty());
}

TEST_CASE("arithmetic that binds is measured against the peak, and the fastest library counts") {
  const auto all = gpu_figures(Catalog{}, recording());
  CHECK(all[1].by_arithmetic);
  CHECK(all[1].of_ceiling == dojo::tolerance::within(0.8));
  CHECK(all[1].library == "fast");
  CHECK(all[1].vs_library == dojo::tolerance::within(1.2));
  const Figures f = cuda_bench_figures(all);
  CHECK(f.at("cuda.a/2-product@m=1024,n=1024.tflops") == dojo::tolerance::within(80));
  CHECK(f.at("cuda.a/2-product@m=1024,n=1024.vs_library") == dojo::tolerance::within(1.2));
  CHECK(f.count("cuda.a/1-copy@33554432.vs_library") == 0);
  CHECK(f.count("cuda.a/3-wrong@m=1024,n=1024.us") == 0);
}

TEST_CASE("a library is held to the tolerance of the largest result, and its small errors are told") {
  RunReport r = made("library:x", 10, 1e6, 0);
  r.check.tolerance = 1e-3;
  judge_library(r);
  CHECK(r.status == Status::pass);
  CHECK(r.diagnostics.empty());
  r.check.wrong = 7;
  r.check.max_abs = 5e-4;
  judge_library(r);
  CHECK(r.status == Status::pass);
  REQUIRE(r.diagnostics.size() == 1);
  CHECK(r.diagnostics[0].severity == Severity::note);
  CHECK(r.diagnostics[0].message.starts_with("7 results of the library"));
  r.check.max_abs = 2e-3;
  judge_library(r);
  CHECK(r.status == Status::wrong);
  RunReport lost = made("library:x", 10, 1e6, 0);
  lost.check.wrong = 1;
  lost.check.max_abs = std::numeric_limits<double>::quiet_NaN();
  lost.check.tolerance = 1;
  judge_library(lost);
  CHECK(lost.status == Status::wrong);
}
