#include "gui/vector/vector.hpp"

#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <fmt/format.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include "core/error.hpp"
#include "core/text/escape.hpp"

namespace dojo::gui {

namespace {
/// The fonts of an atlas for Cairo, and which glyph a piece of its texture is.
class Glyphs {
 public:
  struct Face {
    FT_Face ft = nullptr;
    cairo_font_face_t* cairo = nullptr;
    double em = 0;  ///< size in pixels of the em square, for ImGui's size (which is ascent to descent)
  };
  struct Hit {
    const ImFont* font = nullptr;
    const ImFontGlyph* glyph = nullptr;
    const Face* face = nullptr;
  };

  explicit Glyphs(const ImFontAtlas& atlas) {
    for (const ImFont* f : atlas.Fonts) {
      auto& own = faces_[f];
      for (int k = 0; k < f->ConfigDataCount; ++k) {
        const ImFontConfig& c = f->ConfigData[k];
        Face face;
        if (FT_New_Memory_Face(library(), static_cast<const FT_Byte*>(c.FontData), c.FontDataSize, c.FontNo,
                               &face.ft))
          continue;
        face.cairo = cairo_ft_font_face_create_for_ft_face(face.ft, FT_LOAD_NO_HINTING);
        // Cairo keeps fonts for a while after their last use: the face goes when it lets go.
        static const cairo_user_data_key_t key{};
        cairo_font_face_set_user_data(face.cairo, &key, face.ft,
                                      [](void* ft) { FT_Done_Face(static_cast<FT_Face>(ft)); });
        const double span = double(face.ft->ascender) - double(face.ft->descender);
        face.em = double(c.SizePixels) * double(face.ft->units_per_EM) /
                  (span > 0 ? span : double(face.ft->units_per_EM));
        own.push_back({face, c.GlyphRanges});
      }
      for (const ImFontGlyph& g : f->Glyphs)
        if (g.Visible) by_place_[{g.U0, g.V0}] = {f, &g};
    }
  }
  ~Glyphs() {
    for (auto& [f, list] : faces_)
      for (auto& [face, ranges] : list) cairo_font_face_destroy(face.cairo);
  }
  Glyphs(const Glyphs&) = delete;
  Glyphs& operator=(const Glyphs&) = delete;

  /// The glyph that lies at a place of the texture, or none.
  Hit at(ImVec2 uv0, ImVec2 uv1) const {
    Hit h;
    if (auto it = by_place_.find({uv0.x, uv0.y}); it != by_place_.end()) {
      std::tie(h.font, h.glyph) = it->second;
    } else {  // cut at an edge
      const float u = (uv0.x + uv1.x) / 2, v = (uv0.y + uv1.y) / 2;
      for (auto& [place, g] : by_place_)
        if (u >= g.second->U0 && u <= g.second->U1 && v >= g.second->V0 && v <= g.second->V1) {
          std::tie(h.font, h.glyph) = g;
          break;
        }
    }
    if (h.glyph) h.face = face(h.font, h.glyph->Codepoint);
    return h;
  }
  const Face* face(const ImFont* f, unsigned code) const {
    auto it = faces_.find(f);
    if (it == faces_.end()) return nullptr;
    // A later font of a merged set adds what the earlier ones lack.
    for (auto& [face, ranges] : it->second) {
      if (!ranges) return &face;
      for (const ImWchar* r = ranges; r[0]; r += 2)
        if (code >= r[0] && code <= r[1] && FT_Get_Char_Index(face.ft, code)) return &face;
    }
    return it->second.empty() ? nullptr : &it->second.front().first;
  }

 private:
  static FT_Library library() {
    static FT_Library one = [] {
      FT_Library l = nullptr;
      if (FT_Init_FreeType(&l)) throw Error("FreeType can't be started");
      return l;
    }();
    return one;
  }
  std::map<const ImFont*, std::vector<std::pair<Face, const ImWchar*>>> faces_;
  std::map<std::pair<float, float>, std::pair<const ImFont*, const ImFontGlyph*>> by_place_;
};

void set_colour(cairo_t* c, ImU32 col) {
  const ImVec4 v = ImGui::ColorConvertU32ToFloat4(col);
  cairo_set_source_rgba(c, double(v.x), double(v.y), double(v.z), double(v.w));
}

/// Glyphs of one colour and font on one line, drawn together so that they stay words.
struct Line {
  const Glyphs::Face* face = nullptr;
  double size = 0, y = 0, end = 0;
  ImU32 colour = 0;
  std::string text;
  std::vector<cairo_glyph_t> glyphs;
  std::vector<cairo_text_cluster_t> clusters;

  void add(unsigned code, double x, double advance) {
    std::string s;
    append_utf8(s, code);
    text += s;
    glyphs.push_back({FT_Get_Char_Index(face->ft, code), x, y});
    clusters.push_back({int(s.size()), 1});
    end = x + advance;
  }
  void draw(cairo_t* c) {
    if (!glyphs.empty()) {
      cairo_set_font_face(c, face->cairo);
      cairo_set_font_size(c, size);
      set_colour(c, colour);
      cairo_show_text_glyphs(c, text.data(), int(text.size()), glyphs.data(), int(glyphs.size()),
                             clusters.data(), int(clusters.size()), cairo_text_cluster_flags_t(0));
    }
    *this = {};
  }
};

class Painter {
 public:
  Painter(cairo_t* c, const ImDrawData& data, const Glyphs& glyphs) : c_(c), data_(data), glyphs_(glyphs) {
    cairo_font_options_t* o = cairo_font_options_create();
    cairo_font_options_set_hint_style(o, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(o, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(c, o);
    cairo_font_options_destroy(o);
    white_ = ImGui::GetIO().Fonts->TexUvWhitePixel;
  }
  void all() {
    for (int k = 0; k < data_.CmdListsCount; ++k) {
      const ImDrawList& list = *data_.CmdLists[k];
      for (const ImDrawCmd& cmd : list.CmdBuffer) {
        if (cmd.UserCallback || cmd.ElemCount == 0) continue;
        const ImVec4& r = cmd.ClipRect;
        if (r.z <= r.x || r.w <= r.y) continue;
        cairo_save(c_);
        cairo_rectangle(c_, double(r.x), double(r.y), double(r.z - r.x), double(r.w - r.y));
        cairo_clip(c_);
        command(list, cmd);
        cairo_restore(c_);
      }
    }
  }

 private:
  void command(const ImDrawList& list, const ImDrawCmd& cmd) {
    const ImDrawVert* v = list.VtxBuffer.Data + cmd.VtxOffset;
    const ImDrawIdx* i = list.IdxBuffer.Data + cmd.IdxOffset;
    const unsigned n = cmd.ElemCount;
    for (unsigned k = 0; k + 2 < n;) {
      const ImDrawVert& a = v[i[k]];
      const bool solid = a.uv.x == white_.x && a.uv.y == white_.y;
      if (!solid) {
        if (k + 5 < n) glyph(a, v[i[k + 2]]);
        k += 6;
        continue;
      }
      line_.draw(c_);
      if (has_path_ && a.col != colour_) fill();
      colour_ = a.col;
      // A fan (i0 i1 i2)(i0 i2 i3)... is one convex outline.
      std::vector<ImVec2> p = {a.pos, v[i[k + 1]].pos, v[i[k + 2]].pos};
      unsigned e = k + 3;
      while (e + 2 < n && i[e] == i[k] && i[e + 1] == i[e - 1] && v[i[e]].col == colour_) {
        p.push_back(v[i[e + 2]].pos);
        e += 3;
      }
      k = e;
      polygon(p);
    }
    line_.draw(c_);
    fill();
  }

  void polygon(std::vector<ImVec2>& p) {
    double area = 0;
    for (size_t k = 0; k < p.size(); ++k) {
      const ImVec2 &a = p[k], &b = p[(k + 1) % p.size()];
      area += double(a.x) * double(b.y) - double(b.x) * double(a.y);
    }
    if (std::fabs(area) < 1e-6 || (colour_ >> IM_COL32_A_SHIFT & 255) == 0) return;
    // All the same way round: what touches or overlaps stays filled.
    if (area < 0) std::reverse(p.begin(), p.end());
    cairo_move_to(c_, double(p[0].x), double(p[0].y));
    for (size_t k = 1; k < p.size(); ++k) cairo_line_to(c_, double(p[k].x), double(p[k].y));
    cairo_close_path(c_);
    has_path_ = true;
  }
  void fill() {
    if (!has_path_) return;
    set_colour(c_, colour_);
    cairo_fill(c_);
    has_path_ = false;
  }

  void glyph(const ImDrawVert& a, const ImDrawVert& c) {
    fill();
    const Glyphs::Hit h = glyphs_.at(a.uv, c.uv);
    if (!h.face) return;
    // What part of the glyph the quad is: all of it, but where it was cut.
    const double du = double(h.glyph->U1 - h.glyph->U0), dv = double(h.glyph->V1 - h.glyph->V0);
    const double scale =
        dv > 0 && c.uv.y > a.uv.y
            ? double(c.pos.y - a.pos.y) / (double(c.uv.y - a.uv.y) / dv) / double(h.glyph->Y1 - h.glyph->Y0)
            : 1;
    const double sx = du > 0 ? double(a.uv.x - h.glyph->U0) / du * double(h.glyph->X1 - h.glyph->X0) : 0;
    const double sy = dv > 0 ? double(a.uv.y - h.glyph->V0) / dv * double(h.glyph->Y1 - h.glyph->Y0) : 0;
    const double x = double(a.pos.x) - (double(h.glyph->X0) + sx) * scale;
    const double y = double(a.pos.y) - (double(h.glyph->Y0) + sy) * scale +
                     double(std::floor(h.font->Ascent + 0.5f)) * scale;
    const double size = h.face->em * scale, advance = double(h.glyph->AdvanceX) * scale;
    const bool same = line_.face == h.face && line_.colour == a.col && std::fabs(line_.y - y) < 0.01 &&
                      std::fabs(line_.size - size) < 0.01 && x > line_.end - size && x < line_.end + size;
    if (!same) {
      line_.draw(c_);
      line_.face = h.face;
      line_.colour = a.col;
      line_.y = y;
      line_.size = size;
      line_.end = x;
    }
    if (x > line_.end + 0.12 * size && !line_.glyphs.empty()) line_.add(' ', line_.end, x - line_.end);
    line_.add(h.glyph->Codepoint, x, advance);
  }

  cairo_t* c_;
  const ImDrawData& data_;
  const Glyphs& glyphs_;
  ImVec2 white_;
  ImU32 colour_ = 0;
  bool has_path_ = false;
  Line line_;
};

void paint(cairo_surface_t* surface, const ImDrawData& data, const Glyphs& glyphs, const Part& part,
           ImU32 ground, double scale) {
  cairo_t* c = cairo_create(surface);
  cairo_scale(c, scale, scale);
  set_colour(c, ground);
  cairo_rectangle(c, 0, 0, double(part.width), double(part.height));
  cairo_fill(c);
  cairo_translate(c, -double(part.x), -double(part.y));
  Painter(c, data, glyphs).all();
  cairo_show_page(c);
  cairo_destroy(c);
}

cairo_status_t append(void* to, const unsigned char* data, unsigned n) {
  static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(data), n);
  return CAIRO_STATUS_SUCCESS;
}
void check(cairo_surface_t* s, const std::string& what) {
  if (cairo_surface_status(s) != CAIRO_STATUS_SUCCESS)
    throw Error(what + ": " + cairo_status_to_string(cairo_surface_status(s)));
}
constexpr double points = 0.6;  // 1600 pixels on 960 points
}  // namespace

void vector_style() {
  ImGuiStyle& s = ImGui::GetStyle();
  s.AntiAliasedLines = s.AntiAliasedLinesUseTex = s.AntiAliasedFill = false;
}

std::string to_svg(const ImDrawData& data, const Part& part, ImU32 ground) {
  std::string out;
  const Glyphs glyphs(*ImGui::GetIO().Fonts);
  cairo_surface_t* s =
      cairo_svg_surface_create_for_stream(append, &out, double(part.width), double(part.height));
  cairo_svg_surface_set_document_unit(s, CAIRO_SVG_UNIT_PX);
  paint(s, data, glyphs, part, ground, 1);
  cairo_surface_finish(s);
  check(s, "the picture can't be made");
  cairo_surface_destroy(s);
  return out;
}

struct PdfFile::Impl {
  std::filesystem::path file, partial;
  cairo_surface_t* surface = nullptr;
  std::string heading;
  std::unique_ptr<Glyphs> glyphs;  // fonts are put into the file at its end
  int pages = 0;
};

PdfFile::PdfFile(const std::filesystem::path& file) : impl_(std::make_unique<Impl>()) {
  impl_->file = file;
  impl_->partial = file.string() + ".part";
  std::error_code ec;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), ec);
  impl_->surface = cairo_pdf_surface_create(impl_->partial.c_str(), 960, 540);
  check(impl_->surface, file.string() + " can't be written");
}

PdfFile::~PdfFile() {
  if (!impl_->surface) return;
  cairo_surface_finish(impl_->surface);
  cairo_surface_destroy(impl_->surface);
  std::error_code ec;
  std::filesystem::remove(impl_->partial, ec);
}

void PdfFile::heading(const std::string& s) { impl_->heading = s; }

void PdfFile::page(const ImDrawData& data, const Part& part, ImU32 ground) {
  cairo_pdf_surface_set_size(impl_->surface, double(part.width) * points, double(part.height) * points);
  if (!impl_->glyphs) impl_->glyphs = std::make_unique<Glyphs>(*ImGui::GetIO().Fonts);
  paint(impl_->surface, data, *impl_->glyphs, part, ground, points);
  ++impl_->pages;
  if (!impl_->heading.empty())
    cairo_pdf_surface_add_outline(impl_->surface, CAIRO_PDF_OUTLINE_ROOT, impl_->heading.c_str(),
                                  fmt::format("page={}", impl_->pages).c_str(), cairo_pdf_outline_flags_t(0));
  impl_->heading.clear();
  check(impl_->surface, impl_->file.string() + " can't be written");
}

void PdfFile::finish() {
  cairo_surface_finish(impl_->surface);
  check(impl_->surface, impl_->file.string() + " can't be written");
  cairo_surface_destroy(impl_->surface);
  impl_->surface = nullptr;
  std::error_code ec;
  std::filesystem::rename(impl_->partial, impl_->file, ec);
  if (ec) throw Error(impl_->file.string() + " can't be written: " + ec.message());
}

}  // namespace dojo::gui
