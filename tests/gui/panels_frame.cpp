// Every panel drawn in an ImGui frame without a window: it must draw something, keep the window's stacks
// balanced, and react to a click.
#include <doctest/doctest.h>

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <fstream>

#include "stage.hpp"

using namespace dojo;
using namespace dojo::gui;

using test::Stage;

TEST_CASE("every view draws in every theme, size and verdict") {
  for (auto [w, h, look, scale] : {std::tuple{1280.f, 720.f, "dark", 1.f},
                                   {640.f, 400.f, "light", 1.f},
                                   {1920.f, 1080.f, "contrast", 2.f}}) {
    Stage st(w, h, look, scale);
    CHECK(st.frames(2) > 400);  // the empty app
    st.s->open("demo/1");
    CHECK(st.frames(3) > 1000);
    st.s->skip_prediction();
    st.frames(24);
    for (Status status :
         {Status::pass, Status::gate_failed, Status::wrong, Status::finding, Status::compile_error}) {
      st.runner->student.status = status;
      st.s->run(false);
      st.frames(24);
      REQUIRE(student_run(st.s->view()->report)->status == status);
      for (auto tab :
           {UiState::Tab::brief, UiState::Tab::source, UiState::Tab::reference, UiState::Tab::compare}) {
        st.s->ui.tab = tab;
        CHECK(st.frames(2) > 1000);
      }
    }
  }
}

TEST_CASE("the code pane draws in every theme and size, and a click on an instruction goes to its line") {
  for (auto [w, h, look, scale] : {std::tuple{1280.f, 720.f, "dark", 1.f},
                                   {640.f, 400.f, "light", 1.f},
                                   {1920.f, 1080.f, "contrast", 2.f},
                                   {2560.f, 900.f, "dark", 1.f}}) {
    Stage st(w, h, look, scale);
    st.s->set_lister([] { return std::make_unique<test::FakeRunner>(); });
    st.s->open("demo/1");
    st.frames(2);
    st.s->commands.run("view.code");
    CHECK(st.s->ui.tab == UiState::Tab::source);
    CHECK(st.s->settings.code_shown);
    st.frames(20);
    const CodeUnder* c = st.s->code_under(false);
    REQUIRE(c);
    REQUIRE(c->listing);
    for (bool sass : {false, true})
      for (bool only : {false, true})
        for (int line : {0, 4, 20}) {
          st.s->settings.code_sass = sass;
          st.s->settings.code_only = only;
          st.s->view()->text.move_to({line, 0});
          CHECK(st.frames(2) > 1000);
        }
    st.s->commands.run("view.code");
    CHECK_FALSE(st.s->settings.code_shown);
  }
}

TEST_CASE("every plot draws, with and without data, with its note open") {
  Stage st;
  st.s->open("demo/2");
  for (int run = 0; run < 2; ++run) {
    for (auto& info : plot_infos()) {
      st.s->settings.plot = info.key;
      CHECK(st.frames(2) > 500);
      st.s->ui.plots_only = true;
      CHECK(st.frames(2) > 300);
      st.s->ui.plots_only = false;
    }
    st.s->run(false);
    st.frames(24);
  }
}

TEST_CASE("slow motion draws in every theme and size, by lines and instructions, and its keys work") {
  for (auto [w, h, look, scale] : {std::tuple{1280.f, 720.f, "dark", 1.f},
                                   {640.f, 400.f, "light", 1.f},
                                   {1920.f, 1080.f, "contrast", 2.f}}) {
    Stage st(w, h, look, scale);
    st.s->open("demo/1");
    st.frames(2);
    st.press(key::f8);
    CHECK(st.s->recorder.recording());
    CHECK(st.frames(30) > 1000);
    REQUIRE(st.s->motion.trace());
    const size_t first = st.s->motion.at();
    st.press(key::right);
    CHECK(st.s->motion.at() == first + 1);
    st.press(key::left);
    CHECK(st.s->motion.at() == first);
    st.press('I');
    CHECK(st.s->motion.grain() == SlowMotion::Grain::instruction);
    for (size_t k = 0; k < st.s->motion.count(); ++k) {
      st.s->motion.seek(k);
      CHECK(st.frames(1) > 1000);
    }
    st.press(key::home);
    CHECK(st.s->motion.at() == 0);
    st.press(key::escape);
    CHECK_FALSE(st.s->ui.motion);
  }
}

TEST_CASE("a plot does not record a block of a text whose run was cancelled") {
  Stage st;
  st.s->open("demo/1");
  st.s->skip_prediction();
  st.frames(24);
  REQUIRE(st.s->view()->has_report);
  st.s->settings.plot = "bankmap";
  st.s->view()->text.type("while (true);");
  REQUIRE(st.s->save());
  st.runner->delay = 1000;
  REQUIRE(st.s->run(false));
  st.frames(4);
  st.s->cancel();
  st.runner->delay = 0;
  st.frames(60);
  CHECK_FALSE(st.s->running());
  CHECK_FALSE(st.runner->requests.back().trace.on);
  // Another text is another matter.
  st.s->view()->text.undo();
  REQUIRE(st.s->save());
  st.frames(60);
  CHECK(st.runner->requests.back().trace.on);
}

TEST_CASE("the maps and the lanes are drawn from a recording, which never stands in a run's way") {
  Stage st;
  st.s->open("demo/1");
  st.s->skip_prediction();
  st.frames(24);
  REQUIRE(st.s->view()->has_report);
  st.s->ui.lanes_over_time = true;
  for (const char* plot : {"bankmap", "addresses", "divergence"}) {
    st.s->settings.plot = plot;
    st.frames(30);
    CHECK(st.s->motion.trace() != nullptr);
    CHECK_FALSE(st.s->ui.motion);
    CHECK(st.frames(2) > 1000);
  }
  CHECK(std::count_if(st.runner->requests.begin(), st.runner->requests.end(),
                      [](auto& r) { return r.trace.on; }) == 1);
  st.s->view()->text.type(" ");
  REQUIRE(st.s->save());
  st.runner->delay = 1000;
  st.frames(2);
  CHECK(st.s->recorder.recording());
  CHECK(st.s->run(false));
  st.runner->delay = 0;
  st.frames(4);
  CHECK_FALSE(st.runner->requests.back().trace.on);
  CHECK(st.s->running());
}

TEST_CASE("the instructor's tab and a stand-in draw in every theme and size") {
  for (auto [w, h, look, scale] : {std::tuple{1280.f, 720.f, "dark", 1.f},
                                   {640.f, 400.f, "light", 1.f},
                                   {1920.f, 1080.f, "contrast", 2.f}}) {
    Stage st(w, h, look, scale);
    st.s->set_instructor(true);
    st.s->open("demo/1");
    st.s->commands.run("instructor.lab");
    CHECK(st.frames(40) > 1000);
    CHECK_FALSE(st.s->jobs.line().running);
    st.s->choose_stand_in(std::make_shared<StandIn>(st.s->stand_ins()[0]));
    for (auto tab : {UiState::Tab::instructor, UiState::Tab::source, UiState::Tab::brief}) {
      st.s->ui.tab = tab;
      CHECK(st.frames(2) > 1000);
    }
  }
}

TEST_CASE("lecture mode shows slides, covers results, and ends") {
  Stage st;
  st.s->open("demo/1");
  st.press(key::f11);
  REQUIRE(st.s->ui.lecture);
  CHECK(st.frames(2) > 200);
  for (int k = 0; k < 12; ++k) {
    st.press(key::space);
    CHECK(st.frames(3) > 100);
  }
  CHECK(st.s->lectern.talk.at == int(st.s->lectern.talk.deck.slides.size()) - 1);
  st.press(key::left);
  st.press(key::f11);
  CHECK_FALSE(st.s->ui.lecture);
}

TEST_CASE("a catalog without labs says what to do") {
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().DisplaySize = {800, 600};
  build_fonts(1);
  unsigned char* pixels;
  int w, h;
  ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &w, &h);
  set_theme("dark", 1);
  {
    Session s(Catalog{}, std::make_unique<test::FakeRunner>(), Places{});
    Ui ui(s);
    for (int k = 0; k < 3; ++k) {
      ImGui::NewFrame();
      ui.frame();
      ImGui::Render();
    }
    CHECK(ImGui::GetDrawData()->TotalVtxCount > 100);
  }
  ImGui::DestroyContext();
}

TEST_CASE(
    "the table of submissions draws, sorts by a click on a head, and opens a file by a click on a row") {
  for (auto [w, h, look, scale] : {std::tuple{1280.f, 720.f, "dark", 1.f},
                                   {640.f, 400.f, "light", 1.f},
                                   {1920.f, 1080.f, "contrast", 2.f}}) {
    Stage st(w, h, look, scale);
    for (const char* who : {"ada", "bob"}) {
      std::filesystem::path p = st.folder.path / "class" / who / "01-demo";
      std::filesystem::create_directories(p);
      std::filesystem::copy_file(st.folder.path / "labs/01-demo/1-first.cu", p / "1-first.cu");
    }
    st.s->ui.submissions = true;
    CHECK(st.frames(3) > 500);
    st.s->desk.table =
        std::make_unique<Submissions>(nullptr, grade::grade_all, [] { return run::Sandbox{}; });
    REQUIRE(st.s->desk.open((st.folder.path / "class").string()));
    CHECK(st.frames(3) > 800);
    if (w != 1280.f) continue;
    CHECK(st.s->desk.table->order()[0] == 0);
    REQUIRE_FALSE(st.ui->window.layout.empty());
    const ImVec4 table = st.ui->window.layout.back().second;  // its first column is the student's
    st.click(table.x + 40, table.y + 12);
    CHECK(st.s->desk.table->rows()[size_t(st.s->desk.table->order()[0])].student == "bob");
    st.click(table.x + 40, table.y + 36);
    CHECK(st.s->view() != nullptr);
    CHECK_FALSE(st.s->ui.submissions);
    REQUIRE(st.s->view()->stand_in);
    CHECK(st.s->view()->stand_in->label == "bob");
    CHECK(st.frames(3) > 1000);
  }
}

TEST_CASE(
    "a very long file name leaves every tab in the window, and the question before a reset in its card") {
  for (float w : {1024.f, 1280.f}) {
    Stage st(w, 640);
    const std::string name = "1-" + std::string(120, 'a') + ".cu";
    const fs::path lab = st.folder.path / "labs/01-demo";
    fs::rename(lab / "1-first.cu", lab / name);
    std::string text = read_regular_file(lab / "lab.toml").value();
    text.replace(text.find("1-first.cu"), 10, name);
    std::ofstream(lab / "lab.toml") << text;
    st.s->reload_catalog();
    REQUIRE(st.s->open("demo/1"));
    st.s->set_instructor(true);
    st.frames(3);
    int tabs = 0;
    for (auto& [what, r] : st.ui->window.layout)
      if (what == "tab") {
        ++tabs;
        CHECK(r.z < w * 0.72f);
      }
    CHECK(tabs == 5);
  }
}

TEST_CASE("two runs compared: the table of counters has room for rows in any window") {
  for (auto [w, h, scale] : {std::tuple{1280.f, 720.f, 1.f}, {1024.f, 640.f, 1.f}, {1920.f, 1080.f, 2.f}}) {
    Stage st(w, h, "dark", scale);
    st.s->open("demo/1");
    for (int k = 0; k < 14; ++k) {
      st.s->run(false);
      st.frames(24);
    }
    st.s->ui.tab = UiState::Tab::compare;
    st.frames(3);
    bool there = false;
    for (auto& [name, r] : st.ui->window.layout)
      if (name == "counters of two runs") {
        there = true;
        CHECK(r.w - r.y >= 6 * fonts().ui->FontSize);
      }
    CHECK(there);
  }
}

TEST_CASE("the prediction's way out stays inside its card, however narrow the window") {
  for (auto size :
       {std::tuple{1280.f, 720.f, 1.f}, {1024.f, 640.f, 1.f}, {860.f, 560.f, 1.f}, {1920.f, 1080.f, 2.f}}) {
    const float w = std::get<0>(size), h = std::get<1>(size), scale = std::get<2>(size);
    Stage st(w, h, "light", scale);
    st.s->open("demo/1");
    st.s->ui.tab = UiState::Tab::brief;
    st.frames(4);
    ImVec4 card{}, skip{};
    for (auto& [name, r] : st.ui->window.layout) {
      if (name == "prediction") card = r;
      if (name == "run without predicting") skip = r;
    }
    CAPTURE(w);
    REQUIRE(skip.z > skip.x);
    CHECK(skip.z <= card.z);
    CHECK(skip.x >= card.x);
  }
}

TEST_CASE("the foot of a slide never writes its keys over the place in the deck") {
  for (auto size : {std::tuple{1024.f, 768.f, 1.35f},
                    {1920.f, 1080.f, 1.93f},
                    {1024.f, 768.f, 2.f},
                    {640.f, 480.f, 1.35f}}) {
    const float w = std::get<0>(size), h = std::get<1>(size), scale = std::get<2>(size);
    Stage st(w, h, "contrast", scale);
    st.s->open("demo/1");
    st.press(key::f11);
    st.frames(2);
    ImVec4 left{}, keys{};
    for (auto& [name, r] : st.ui->window.layout) {
      if (name == "foot left") left = r;
      if (name == "foot keys") keys = r;
    }
    CAPTURE(w);
    CAPTURE(scale);
    REQUIRE(left.z > left.x);
    if (keys.z > 0) CHECK(left.z < keys.x);
    CHECK(keys.z < w);
  }
}
