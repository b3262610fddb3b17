// Pictures that the app takes: of the window (--screenshot), of the result card, of a plot.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cfloat>

#include "core/error.hpp"
#include "core/text/error_words.hpp"
#include "gui/app_loop.hpp"
#include "gui/look.hpp"
#include "gui/theme.hpp"
#include "gui/vector/vector.hpp"

namespace dojo::gui {

namespace {
/// The same plot as vectors: the frame is drawn once more, without fringes, buttons and the mouse.
std::string save_svg(Session&, Ui& ui, const fs::path& file) {
  const Part part{ui.window.png.min.x - 12, ui.window.png.min.y - 8,
                  ui.window.png.max.x - ui.window.png.min.x + 24,
                  ui.window.png.max.y - ui.window.png.min.y + 16};
  ImGuiIO& io = ImGui::GetIO();
  const ImGuiStyle style = ImGui::GetStyle();
  const ImVec2 mouse = io.MousePos;
  io.MousePos = {-FLT_MAX, -FLT_MAX};
  vector_style();
  set_for_print(true);
  ImGui::NewFrame();
  ui.frame();
  ImGui::Render();
  set_for_print(false);
  ImGui::GetStyle() = style;
  io.MousePos = mouse;
  try {
    return replace_file(file, to_svg(*ImGui::GetDrawData(), part, theme().panel));
  } catch (const std::exception& e) {
    return error_words(e);
  }
}
}  // namespace

void write_picture(const fs::path& file, int w, int h, const std::vector<unsigned char>& rgb) {
  if (const std::string problem = write_png(file, w, h, rgb); !problem.empty()) throw Error(problem);
}

void AppLoop::take_screenshot() {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  if (o_.width > 0 && (int(size.x) != o_.width || (o_.height > 0 && int(size.y) != o_.height)))
    throw Error(fmt::format("the picture would be {} x {}: the screen is no larger", size.x, size.y));
  int w, h;
  auto rgb = window_->pixels({0, 0}, size, &w, &h);
  write_picture(o_.screenshot, w, h, rgb);
}

/// The verdict's part of the window, for the result card.
void AppLoop::save_card_picture() {
  Session& s = *session_;
  for (int k = 0; k < 3; ++k) draw();  // for them the result has all the height that there is
  s.ui.card = false;
  float end = FLT_MAX;
  for (auto& [what, r] : ui_->window.layout)
    if (what == "result's end") end = r.y + px(14);
  for (auto& [what, r] : ui_->window.layout)
    if (what == "verdict") {
      int w, h;
      auto rgb = window_->pixels({r.x, r.y}, {r.z, std::min(r.w, end)}, &w, &h);
      const std::string problem = write_png(s.card_picture, w, h, rgb);
      const std::string page = fs::path(s.card_picture).replace_extension(".html").string();
      s.toast(problem.empty() ? "Saved as " + page + ", with its picture beside it." : problem,
              problem.empty() ? Tone::good : Tone::bad);
      break;
    }
  settle_ = 3;
}

/// The plot whose button was pressed, as PNG and SVG in the data folder.
void AppLoop::save_plot_picture() {
  auto& png = ui_->window.png;
  png.due = false;
  int w, h;
  auto rgb = window_->pixels({png.min.x - 12, png.min.y - 8}, {png.max.x + 12, png.max.y + 8}, &w, &h);
  fs::path file = (places_.data.empty() ? fs::path(".") : places_.data / "pictures") / png.file;
  std::string problem = write_png(file, w, h, rgb);
  if (problem.empty()) problem = save_svg(*session_, *ui_, fs::path(file).replace_extension(".svg"));
  session_->toast(problem.empty() ? "Saved as " + file.string() + ", and as SVG beside it" : problem,
                  problem.empty() ? Tone::good : Tone::bad);
  settle_ = 3;
}

}  // namespace dojo::gui
