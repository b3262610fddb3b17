#pragma once
// A session over the prepared labs with the stand-in worker, in a folder of its own. start() is a restart.
#include "fixtures.hpp"

namespace dojo::gui::test {

struct SessionBench {
  TempFolder folder;
  FakeRunner* runner = nullptr;
  std::unique_ptr<Session> s;
  double now = 0;
  explicit SessionBench(bool labs = true) {
    if (labs) write_labs(folder.path);
    start();
  }
  void start() {
    s.reset();
    auto r = std::make_unique<FakeRunner>();
    runner = r.get();
    s = std::make_unique<Session>(load_catalog(folder.path), std::move(r),
                                  Places{folder.path / "config", folder.path / "data"}, make_devices());
  }
  void settle(int n = 40) {
    for (int k = 0; k < n; ++k) s->tick(now += 0.05);
  }
  fs::path file(const char* f) { return folder.path / "labs/01-demo" / f; }
  std::string text(const fs::path& p) {
    std::string t = read_regular_file(p).value_or("");
    return t;
  }
};

}  // namespace dojo::gui::test
