// The real window, with real keys: the first start, and that nothing typed is lost.
#include <csignal>

#include "app_window.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::App;
using test::display;

namespace {
std::string source(App& app) {
  std::string text = read_regular_file(app.folder.path / "labs/01-demo/2-second.cu").value_or("");
  return text;
}
std::string draft(App& app) { return app.kept("data", "drafts/demo+2-second.json").value("text", ""); }
void type_at_start(const std::string& text) {
  App::key("alt+2");
  App::click(700, 500);
  App::key("ctrl+Home");
  App::xdo("type --delay 90 '" + text + "'");
}
}  // namespace

TEST_CASE("window: the first start opens the first step with the tour; later starts go on where one was") {
  if (!display()) return;
  App app;
  app.start({}, 60, "", "");
  // The tour is left with Esc, and called back by its command.
  App::key("Escape");
  App::key("ctrl+p");
  App::xdo("type --delay 90 'tour'");
  App::key("Return");
  App::key("Escape");
  App::key("ctrl+Next");
  CHECK(app.quit() == 0);
  CHECK(app.kept("config", "window.json").value("step", "") == "demo/2-second");
  app.start({}, 60, "", "");
  App::key("F5");
  CHECK(app.within(25, [&] { return app.state("demo/2-second") == "passed"; }));
  CHECK(app.quit() == 0);
}

TEST_CASE("window: kill -9 loses no more than a second of typing; Ctrl+Q asks nothing and loses none") {
  if (!display()) return;
  App app;
  app.start();
  const std::string saved = source(app);
  type_at_start("// kept ");
  CHECK(app.within(40, [&] { return draft(app).starts_with("// kept "); }));
  ::kill(app.pid, SIGKILL);
  app.wait();
  CHECK(source(app) == saved);
  app.start();
  type_at_start("more ");
  CHECK(app.quit() == 0);
  CHECK(source(app) == saved);
  CHECK(draft(app).starts_with("more // kept "));
  app.start();
  type_at_start("and ");
  App::key("ctrl+s");
  CHECK(app.within(25, [&] { return source(app).starts_with("and more // kept "); }));
  CHECK(app.within(40, [&] { return draft(app).empty(); }));
  CHECK(app.quit() == 0);
}

TEST_CASE("window: keys and clicks that come within one frame are all used, in their order") {
  if (!display()) return;
  App app;
  app.start();
  App::key("alt+2");
  // While the process stands still everything is queued; then it comes at once.
  ::kill(app.pid, SIGSTOP);
  REQUIRE(App::queue("mousemove 700 500 mousedown 1 mouseup 1 key --delay 1 ctrl+Home"));
  REQUIRE(App::queue("type --delay 1 '//ello '"));
  REQUIRE(App::queue("key --delay 1 Home Right Right"));
  REQUIRE(App::queue("type --delay 1 ' H'"));
  REQUIRE(App::queue("key --delay 1 BackSpace h ctrl+s End"));
  REQUIRE(App::queue("type --delay 1 'end'"));
  ::kill(app.pid, SIGCONT);
  CHECK(app.within(25, [&] { return source(app).starts_with("// hello "); }));
  CHECK(app.within(25, [&] { return draft(app).find(".end\n") < draft(app).find('\n') + 1; }));
  CHECK(app.quit() == 0);
}

TEST_CASE("window: edited here and outside, Ctrl+S shows both; the one that goes is kept") {
  if (!display()) return;
  App app;
  app.start();
  type_at_start("// mine ");
  std::ofstream(app.folder.path / "labs/01-demo/2-second.cu") << "// theirs\n";
  App::key("ctrl+s");
  CHECK(source(app) == "// theirs\n");  // asked, not written
  App::key("Return");
  CHECK(app.within(25, [&] { return source(app).starts_with("// mine "); }));
  CHECK(app.quit() == 0);
  std::string history =
      read_regular_file(app.folder.path / "data/warpdojo/history/demo+2-second.jsonl").value_or("");
  CHECK(history.find("// theirs") != std::string::npos);
}

TEST_CASE("window: a deleted file is put back by F5") {
  if (!display()) return;
  App app;
  app.start();
  const std::string saved = source(app);
  fs::remove(app.folder.path / "labs/01-demo/2-second.cu");
  App::key("F5");
  CHECK(app.within(25, [&] { return source(app) == saved; }));
  CHECK(app.within(25, [&] { return app.state("demo/2-second") == "passed"; }));
  CHECK(app.quit() == 0);
}

TEST_CASE("window: a lecture leaves no verdict and no progress behind") {
  if (!display()) return;
  App app;
  app.start();
  App::key("F11");
  for (int k = 0; k < 6; ++k) App::key("Right");
  App::key("F11");
  CHECK(app.quit() == 0);
  CHECK(app.state("demo/1-first") == "");
  CHECK(app.state("demo/2-second") == "");
  CHECK_FALSE(fs::exists(app.folder.path / "data/warpdojo/history"));
  CHECK(app.kept("config", "window.json").value("step", "demo/2-second") == "demo/2-second");
}
