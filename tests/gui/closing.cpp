// A window that would close on text which is neither saved nor kept: it stays, and asks.
#include <doctest/doctest.h>

#include "app_window.hpp"
#include "stage.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::App;
using test::display;
using test::Stage;

namespace {
/// A session whose data folder can't be written, by root neither: there is a file in its place.
struct Unkept {
  Stage st;
  fs::path own;
  Unkept() {
    const fs::path blocked = st.folder.path / "blocked";
    std::ofstream(blocked) << "a file";
    st.ui.reset();
    st.s =
        std::make_unique<Session>(load_catalog(st.folder.path), std::make_unique<test::FakeRunner>(),
                                  Places{st.folder.path / "config", blocked / "data"}, test::make_devices());
    st.ui = std::make_unique<Ui>(*st.s);
    st.s->open("demo/2");
    own = st.s->catalog().student_file(*st.s->step());
    st.frames(3);
    st.s->view()->text.type("// typed\n");
    st.frames(60);
  }
  bool asked() {
    for (auto* w : ImGui::GetCurrentContext()->Windows)
      if (w->Active && std::string(w->Name) == "losing") return true;
    return false;
  }
};
}  // namespace

TEST_CASE("text that no draft could keep holds the window open, and says why") {
  Unkept u;
  CHECK_FALSE(u.st.s->view()->draft_problem.empty());
  CHECK(std::any_of(u.st.s->toasts().begin(), u.st.s->toasts().end(),
                    [](auto& t) { return t.text.find("not kept") != std::string::npos; }));
  CHECK_FALSE(u.st.s->may_close());
  u.st.frames(3);
  CHECK(u.asked());
  // Esc goes back to the text, which is still there.
  u.st.press(key::escape);
  u.st.frames(2);
  CHECK_FALSE(u.asked());
  CHECK(u.st.s->view()->text.text().find("// typed") != std::string::npos);
  // Once it is saved nothing is asked.
  REQUIRE(u.st.s->save());
  CHECK(u.st.s->may_close());
}

TEST_CASE("where the file can't be written either, a copy goes elsewhere, or the user gives the text up") {
  Unkept u;
  Session& s = *u.st.s;
  fs::remove_all(u.own.parent_path());
  std::ofstream(u.own.parent_path()) << "a file where the lab was";
  StepView& v = *s.view();
  CHECK_FALSE(s.may_close());
  CHECK_FALSE(s.save_copy(v, u.own.string()).empty());
  CHECK_FALSE(s.may_close());
  const fs::path copy = u.st.folder.path / "copy.cu";
  CHECK(s.save_copy(v, copy.string()).empty());
  std::string text = read_regular_file(copy).value();
  CHECK(text.find("// typed") != std::string::npos);
  CHECK(s.may_close());
  v.text.type("// more\n");
  CHECK_FALSE(s.may_close());
  s.give_up(v);
  CHECK(s.may_close());
}

TEST_CASE("saving from the card leaves a file that another program changed as it is") {
  Unkept u;
  std::ofstream(u.own) << "theirs";
  CHECK(u.st.s->save_copy(*u.st.s->view(), u.own.string()).find("Another program") == 0);
  std::string text = read_regular_file(u.own).value();
  CHECK(text == "theirs");
}

TEST_CASE("without any folder for drafts the window asks, too") {
  Stage st;
  st.ui.reset();
  st.s = std::make_unique<Session>(load_catalog(st.folder.path), std::make_unique<test::FakeRunner>(),
                                   Places{{}, {}, true}, test::make_devices());
  st.ui = std::make_unique<Ui>(*st.s);
  st.s->open("demo/2");
  st.frames(3);
  CHECK(st.s->may_close());
  st.s->view()->text.type("x");
  CHECK_FALSE(st.s->may_close());
  // The sentences around it end it.
  CHECK_FALSE(st.s->view()->draft_problem.ends_with("."));
}

TEST_CASE("window: Ctrl+Q with a home that can't be written asks, and Enter saves the file and closes") {
  if (!display()) return;
  App app;
  std::ofstream(app.folder.path / "data") << "a file";
  app.options = [](GuiOptions& o) { o.commands = "view.source"; };
  app.start();
  App::click(500, 400);
  App::xdo("type --delay 90 zzz");
  const auto press = [](const std::string& key) {
    (void)!std::system(
        ("xdotool search --onlyvisible --name '^WarpDojo$' windowfocus --sync key --delay 240 " + key +
         " >/dev/null 2>&1")
            .c_str());
  };
  press("ctrl+q");
  // The window closes by the card's first button only, and keeps the text so. One that Ctrl+Q closed would
  // have lost it. A key pressed before the card is drawn reaches the source: it is pressed again.
  int status = -1;
  CHECK(app.within(5, [&] {
    press("Return");
    return app.within(3, [&] { return ::waitpid(app.pid, &status, WNOHANG) == app.pid; });
  }));
  app.pid = status == -1 ? app.pid : -1;
  CHECK(status == 0);
  (void)!std::system("xdotool keyup q keyup Control_L keyup Return >/dev/null 2>&1");
  std::string text;
  for (auto& e : fs::recursive_directory_iterator(app.folder.path / "labs"))
    text += read_regular_file(e.path()).value_or("");
  CHECK(text.find("zzz") != std::string::npos);
}
