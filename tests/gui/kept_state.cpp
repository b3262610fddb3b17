// Layout, theme, scale and progress outlive the window, however it ended.
#include "app_window.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::App;
using test::display;

TEST_CASE(
    "window: a dragged splitter, the scale, the code pane and the theme are there after a kill and a "
    "restart") {
  if (!display()) return;
  App app;
  app.start();
  const double before = Settings{}.right;
  // The bar between the source and the verdict, with the labs at their normal width.
  App::drag(872, 300, -80, 0);
  // Each is seen in what is kept before the next, however slow the machine is.
  auto kept = [&](auto has) {
    return app.within(60, [&] { return has(app.kept("config", "window.json")); });
  };
  CHECK(kept([&](const nlohmann::json& j) { return j.value("right", 0.0) > before + 0.03; }));
  App::key("alt+6");
  CHECK(kept([](const nlohmann::json& j) { return j.value("code_shown", false); }));
  App::key("ctrl+equal");
  CHECK(kept([](const nlohmann::json& j) { return j.value("scale", 0.0) > 1.05; }));
  App::key("ctrl+p");
  App::xdo("type --delay 90 'light th'");
  App::key("Return");
  CHECK(kept([](const nlohmann::json& j) { return j.value("theme", "") == "light"; }));
  // No farewell: what was kept is whole all the same.
  ::kill(app.pid, SIGKILL);
  app.wait();
  const auto was = app.kept("config", "window.json");
  app.theme.clear();
  app.start();
  App::key("F5");
  CHECK(app.within(60, [&] { return app.state("demo/2-second") == "passed"; }));
  CHECK(app.quit() == 0);
  const auto is = app.kept("config", "window.json");
  for (const char* key : {"theme", "scale", "right", "code_shown", "step"})
    CHECK_MESSAGE(is.value(key, nlohmann::json()) == was.value(key, nlohmann::json()), key);
  // Nothing half-written lies about.
  for (auto& e : fs::directory_iterator(app.folder.path / "config/warpdojo"))
    CHECK(e.path().filename() == "window.json");
}

TEST_CASE("window: a broken file of settings is set aside, and --theme is for one start") {
  if (!display()) return;
  App app;
  fs::create_directories(app.folder.path / "config/warpdojo");
  std::ofstream(app.folder.path / "config/warpdojo/window.json") << "{ \"theme\": ";
  app.theme = "contrast";
  app.start();
  App::key("ctrl+b");
  CHECK(app.quit() == 0);
  CHECK(app.kept("config", "window.json").value("theme", "") == "dark");
  CHECK(app.kept("config", "window.json").value("rail_shown", true) == false);
  CHECK(fs::exists(app.folder.path / "config/warpdojo/window.json.broken"));
}
