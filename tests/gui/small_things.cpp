// What a person met in the window: menus by keyboard, other scripts, tips and buttons that lay over one
// another, the tour, and slides.
#include <imgui_internal.h>

#include <chrono>
#include <fstream>
#include <set>
#include <thread>

#include "gui/model/text/source_pages.hpp"
#include "gui/other_scripts.hpp"
#include "gui/panels/focus.hpp"
#include "gui/panels/tour.hpp"
#include "gui/panels/widgets.hpp"
#include "stage.hpp"

using namespace dojo;
using namespace dojo::gui;
using test::Stage;

namespace {
ImVec4 placed(Stage& st, const std::string& name, int which = 0) {
  for (auto& [what, r] : st.ui->window.layout)
    if (what == name && which-- == 0) return r;
  return {};
}
ImGuiWindow* tooltip() {
  for (ImGuiWindow* w : ImGui::GetCurrentContext()->Windows)
    if (w->Active && w->Flags & ImGuiWindowFlags_Tooltip) return w;
  return nullptr;
}
}  // namespace

TEST_CASE("up and down in a submenu go around in it, from the last item to the first and back") {
  for (float h : {720.f, 240.f}) {  // in a low window the submenu scrolls
    INFO(h);
    Stage st(1280, h);
    st.s->open("demo/1");
    st.frames(2);
    st.press(key::f10);
    st.frames(3);
    REQUIRE(st.s->ui.menu);
    ImGuiContext& g = *ImGui::GetCurrentContext();
    const auto arrow = [&](ImGuiKey k) { st.press(ImGui::GetKeyIndex(k)), st.frames(2); };
    for (int k = 0; k < 4; ++k) arrow(ImGuiKey_DownArrow);  // "View"
    arrow(ImGuiKey_RightArrow);
    st.frames(3);
    ImGuiWindow* submenu = g.NavWindow;
    REQUIRE((submenu->Flags & ImGuiWindowFlags_ChildMenu) != 0);
    const ImGuiID first = g.NavId;
    std::set<ImGuiID> seen;
    for (int k = 0; k < 60 && seen.insert(g.NavId).second; ++k) {
      arrow(ImGuiKey_DownArrow);
      REQUIRE(g.NavWindow == submenu);
      const ImRect r = g.NavWindow->NavRectRel[0];
      CHECK(r.Max.y - submenu->Scroll.y <= submenu->Size.y);  // it is in sight
    }
    CHECK(g.NavId == first);
    CHECK(seen.size() > 8);
    arrow(ImGuiKey_UpArrow);
    CHECK(g.NavWindow == submenu);
    CHECK(g.NavId != first);
    CHECK(seen.count(g.NavId) == 1);
    arrow(ImGuiKey_DownArrow);
    CHECK(g.NavId == first);
  }
}

TEST_CASE("a character that no font has is an empty box, and the file keeps it") {
  Stage st;
  REQUIRE(st.s->open("demo/1"));
  const std::string text = "// \u1b83 \u4e2d \U0001F600\n";
  st.s->view()->text.set(text);
  st.s->commands.run("view.source");
  st.frames(3);
  REQUIRE(characters_due());
  build_fonts(1);
  unsigned char* pixels;
  int w, h;
  ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &w, &h);
  for (ImFont* f : {fonts().ui, fonts().small, fonts().mono, fonts().mono_small}) {
    REQUIRE(f->FindGlyphNoFallback(0x25A1));
    if (!has_glyph(f, 0x1B83)) CHECK(f->FindGlyph(0x1B83)->Codepoint == 0x25A1);
    CHECK_FALSE(has_glyph(f, 0x1F600));
  }
  // Where a font of this machine has it, a Chinese letter takes two columns of the source.
  if (ImFont* f = fonts().mono; has_glyph(f, 0x4E2D))
    CHECK(std::abs(f->GetCharAdvance(0x4E2D) - 2 * f->GetCharAdvance('M')) < 0.1f);
  CHECK(st.s->view()->text.text() == text);
}

TEST_CASE("letters of East Asia are two columns wide; carets and rows follow") {
  const std::string s = "a\u4e2db\u00b5\U0001F600c";
  CHECK(columns_of(s, 1) == 1);
  CHECK(columns_of(s, 4) == 3);
  CHECK(columns_of(s, int(s.size())) == 8);
  CHECK(code_point_at(s, 1) == 0x4E2D);
  CHECK(code_point_at(s, 5) == 0xB5);
  CHECK(code_point_at(s, 7) == 0x1F600);
  CHECK(code_point_at("\xE4\xB8", 0) == 0xE4);
  CHECK(is_wide(0xAC00));
  CHECK_FALSE(is_wide(0x416));
}

TEST_CASE("a font file without outlines, or cut off, is not given to ImGui") {
  const std::string dejavu =
      read_regular_file("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf").value_or("");
  if (!dejavu.empty()) {
    CHECK(has_outlines(dejavu, 0));
    CHECK_FALSE(has_outlines(dejavu, 1));
    CHECK_FALSE(has_outlines(dejavu.substr(0, 40), 0));
  }
  CHECK_FALSE(has_outlines("", 0));
  CHECK_FALSE(has_outlines("%!PS-AdobeFont-1.0", 0));
  CHECK_FALSE(has_outlines(std::string("ttcf\0\1\0\0\0\0\0\2", 12), 1));
}

TEST_CASE("the tip of a tab is below the tabs, so that it hides none of them") {
  Stage st;
  REQUIRE(st.s->open("demo/1"));
  st.frames(3);
  const ImVec4 tab = placed(st, "tab", 1);
  REQUIRE(tab.z > tab.x);
  ImGui::GetIO().MousePos = {(tab.x + tab.z) / 2, (tab.y + tab.w) / 2};
  st.frames(4);
  const ImGuiWindow* tip = tooltip();
  REQUIRE(tip);
  CHECK(tip->Pos.y >= tab.w);
}

TEST_CASE("slow motion's head wraps: in the smallest window no button lies over another") {
  for (auto [w, h] : {std::pair{400.f, 300.f}, {640.f, 400.f}, {1280.f, 720.f}}) {
    Stage st(w, h);
    REQUIRE(st.s->open("demo/1"));
    st.frames(2);
    st.press(key::f8);
    st.frames(30);
    REQUIRE(st.s->motion.trace());
    st.frames(3);
    const auto stops = focus_stops(false);
    int overlaps = 0, in_head = 0;
    for (size_t i = 0; i < stops.size(); ++i) {
      in_head += std::string(stops[i].window->Name).find("/motion_") != std::string::npos;
      for (size_t k = i + 1; k < stops.size(); ++k)
        overlaps += stops[i].window == stops[k].window &&
                    std::string(stops[i].window->Name).find("/motion_") != std::string::npos &&
                    stops[i].min.x < stops[k].max.x && stops[k].min.x < stops[i].max.x &&
                    stops[i].min.y < stops[k].max.y && stops[k].min.y < stops[i].max.y;
    }
    INFO(w);
    CHECK(in_head > 3);
    CHECK(overlaps == 0);
  }
}

TEST_CASE("the tour: Enter goes on to its end, and a part that is not shown has no ring") {
  Stage st;
  REQUIRE(st.s->open("demo/1"));
  st.s->ui.tour = 0;
  st.frames(3);
  for (int k = 1; k <= Tour::stops; ++k) {
    st.press(key::enter);
    st.frames(2);
    CHECK(st.s->ui.tour == (k < Tour::stops ? k : -1));
  }
  // In a narrow window there is no list of labs. The card stays inside of a low window.
  ImGui::GetIO().DisplaySize = {640, 400};
  const auto rings = [&] {
    st.frames(3);
    int n = 0;
    for (auto& v : ImGui::GetForegroundDrawList()->VtxBuffer) n += v.col == theme().accent;
    return n;
  };
  st.s->ui.tour = 0;
  CHECK(rings() == 0);
  for (int k = 0; k < Tour::stops; ++k) {
    st.s->ui.tour = k;
    if (k > 0) CHECK(rings() > 0);
    const ImGuiWindow* card = ImGui::FindWindowByName("tour");
    REQUIRE(card);
    CHECK(card->Pos.y + card->Size.y <= 400);
    CHECK(card->Pos.x + card->Size.x <= 640);
  }
}

TEST_CASE("on slides a student's run is called that of the student's file, and nothing covers the source") {
  Stage st(1280, 720, "contrast", 1.3f);
  CHECK(st.s->student_name() == "You");
  std::ofstream(st.folder.path / "labs/01-demo/1-first.cu") << "int a;\n"
                                                            << std::string(60, '\n') << "int b;\n";
  std::ofstream(st.folder.path / "talk.toml")
      << "[[slide]]\ntitle = \"The source\"\nstep = \"demo/1\"\nshow = \"source\"\n";
  REQUIRE(st.s->lectern.open((st.folder.path / "talk.toml").string()));
  st.frames(5);
  CHECK(st.s->student_name() == "Student's file");
  // Numbers below the 32 banks stand apart in the large type of slides, too.
  CHECK(every_number(13, 16, 4) == 2);
  CHECK(every_number(20, 16, 4) == 1);
  CHECK(every_number(1, 16, 4) == 16);
  const CodeView& code = st.ui->slide_code();
  REQUIRE(code.rows_below() > 10);
  const ImVec4 show = placed(st, "show");
  CHECK(code.window()->Pos.y + code.window()->Size.y <= show.w - fonts().small->FontSize);
}

TEST_CASE("the roof's line does not strike its figure out, in large type either") {
  for (float scale : {1.f, 2.f}) {
    Stage st(1280 * scale, 720 * scale, "dark", scale);
    REQUIRE(st.s->open("demo/2"));
    REQUIRE(st.s->run(false));
    for (int k = 0; k < 200 && (st.s->running() || !st.s->view()->has_report); ++k) st.frame();
    for (auto& r : st.s->view()->report.runs) r.flops = 1e12, r.bytes = 1e9;
    st.s->settings.plot = "roofline";
    Fonts f = fonts(), usual = f;  // the type of slides is larger than the scale says
    f.small = f.title;
    use_fonts(f);
    st.frames(3);
    const auto& offer = st.ui->plots.offers.at("roofline");
    const double roof = st.s->view()->report.device.peak_gflops,
                 flat = double(offer.area.w) - offer.view.y.to01(roof) * double(offer.area.w - offer.area.y);
    int over = 0, crossed = 0;
    const ImDrawData* d = ImGui::GetDrawData();
    for (int k = 0; k < d->CmdListsCount; ++k) {
      auto& v = d->CmdLists[k]->VtxBuffer;
      for (int i = 0; i + 3 < v.Size; ++i) {
        if (v[i].col != theme().muted || v[i].pos.x < offer.area.z - 130 * scale ||
            v[i].pos.x > offer.area.z || v[i].pos.y != v[i + 1].pos.y || v[i + 2].pos.y != v[i + 3].pos.y ||
            v[i + 2].pos.x != v[i + 1].pos.x)
          continue;
        if (double(v[i + 2].pos.y) < flat && double(v[i].pos.y) > flat - 60 * double(scale)) ++over;
        crossed += double(v[i].pos.y) < flat - 1 && double(v[i + 2].pos.y) > flat + 1;
      }
    }
    use_fonts(usual);
    INFO(scale);
    CHECK(over >= 8);
    CHECK(crossed == 0);
  }
}

TEST_CASE("counters belong to the text again once it is that of the run: by undo, and by hand") {
  Stage st;
  REQUIRE(st.s->open("demo/2"));
  REQUIRE(st.s->run(false));
  for (int k = 0; k < 200 && (st.s->running() || !st.s->view()->has_report); ++k) st.frame();
  StepView& v = *st.s->view();
  REQUIRE(v.has_report);
  const size_t heat = v.heat.size();
  REQUIRE(heat > 0);
  const auto edit = [&](auto act) {
    act();
    st.s->edit_done();
  };
  edit([&] { v.text.type("x"); });
  CHECK(v.stale());
  CHECK(v.heat.empty());
  edit([&] { v.text.undo(); });
  CHECK_FALSE(v.stale());
  CHECK(v.heat.size() == heat);
  edit([&] { v.text.redo(); });
  CHECK(v.stale());
  edit([&] { v.text.backspace(); });
  CHECK_FALSE(v.stale());
  CHECK(v.heat.size() == heat);
}

TEST_CASE("marks of a run go when another program changes the file, before the next run has ended") {
  Stage st;
  REQUIRE(st.s->open("demo/2"));
  st.runner->student.status = Status::finding;
  REQUIRE(st.s->run(false));
  for (int k = 0; k < 200 && (st.s->running() || !st.s->view()->has_report); ++k) st.frame();
  StepView& v = *st.s->view();
  REQUIRE_FALSE(v.marks.empty());
  st.runner->seconds = 1000;
  std::ofstream(st.folder.path / "labs/01-demo/2-second.cu") << "// from elsewhere\n" << v.text.text();
  for (int k = 0; k < 400 && !st.s->running(); ++k) {
    st.frame();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  REQUIRE(st.s->running());
  CHECK(v.marks.empty());
}

TEST_CASE("a step that is chosen while the submissions are open is shown in their place") {
  Stage st;
  REQUIRE(st.s->open("demo/1"));
  for (const char* step : {"demo/2", "demo/2"}) {  // another one, and the one that is open already
    st.press(key::f7);
    st.frames(3);
    REQUIRE(st.s->ui.submissions);
    REQUIRE(st.s->open(step));
    st.frames(2);
    CHECK_FALSE(st.s->ui.submissions);
    CHECK(placed(st, "tab").z > 0);
  }
}

TEST_CASE(
    "a recording that is gone: the way to a modelled GPU is offered once, and the words say what to do") {
  Stage st;
  DeviceInfo recorded;
  recorded.name = "rec:gone.json", recorded.kind = DeviceKind::recording;
  st.s->set_devices({recorded});
  REQUIRE(st.s->open("demo/2"));
  REQUIRE(st.s->run(false));
  for (int k = 0; k < 200 && (st.s->running() || !st.s->view()->has_report); ++k) st.frame();
  st.s->choose_device("rec:gone.json");
  StepView& v = *st.s->view();
  v.report.device.kind = DeviceKind::recording;
  std::erase_if(v.report.runs, [](auto& r) { return r.who == "student"; });
  v.error = "The recording gone.json is gone or cannot be read.";
  st.frames(3);
  int offers = 0;
  for (auto& [what, r] : st.ui->window.layout) offers += what.starts_with("Run it on");
  CHECK(offers == 1);
}
