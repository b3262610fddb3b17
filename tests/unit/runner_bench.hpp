#pragma once
// The runner on a demo lab and fake devices: text in, report out.
#include <cstdlib>
#include <string>

#include "fake_device.hpp"
#include "fixture_labs.hpp"
#include "run/runner.hpp"

namespace dojo::test {

/// A demo lab in a folder of its own, with its own cache, and a way to run text as the student's file.
struct RunnerBench {
  TempFolder t;
  Catalog catalog;
  RunnerBench() {
    setenv("XDG_CACHE_HOME", (t.path / "cache").c_str(), 1);
    use_fakes();
    write_demo_lab(t, "fake-scale");
    catalog = load_catalog(t.path);
  }
  ~RunnerBench() { unsetenv("XDG_CACHE_HOME"); }
  Report run(const std::string& text, run::Who who = run::Who::student, const std::string& step = "demo/1",
             Size size = {}, const std::string& device = {}) {
    t.write("student.cu", text);
    run::RunRequest r;
    r.device = device;
    r.step = step;
    r.who = who;
    r.size = std::move(size);
    r.student_file = (t.path / "student.cu").string();
    return run::run_step(catalog, r);
  }
  Status status(const std::string& text, const std::string& step = "demo/1") {
    return run(text, run::Who::student, step).runs.at(0).status;
  }
};

}  // namespace dojo::test
