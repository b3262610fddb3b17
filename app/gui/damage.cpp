#include "gui/damage.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace dojo::gui {

namespace {
constexpr float cell = 16;  // pixels: side of a square

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

DamageRect join(const DamageRect& a, const DamageRect& b) {
  return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
}
}  // namespace

ImVec4 clip_to_part(const ImVec4& clip, const DamageRect& part, float height) {
  const float x0 = std::trunc(clip.x), x1 = x0 + std::trunc(clip.z - clip.x);
  const float y1 = height - std::trunc(height - clip.w), y0 = y1 - std::trunc(clip.w - clip.y);
  return {std::max(x0, part.x0), std::max(y0, part.y0), std::min(x1, part.x1), std::min(y1, part.y1)};
}

void Damage::copy(const ImDrawList& from, List& to) {
  to.owner = from._OwnerName ? from._OwnerName : "";
  to.commands.clear();
  for (auto& c : from.CmdBuffer)
    if (c.ElemCount) to.commands.push_back({c.ClipRect, c.TextureId, c.VtxOffset, c.IdxOffset, c.ElemCount});
  to.vertices.assign(from.VtxBuffer.begin(), from.VtxBuffer.end());
  to.indices.assign(from.IdxBuffer.begin(), from.IdxBuffer.end());
}

/// Marks the triangles [from, to) of a command.
void Damage::touch(const List& l, const Command& c, unsigned from, unsigned to) {
  for (unsigned t = from; t < to; ++t) {
    float x0 = 1e9f, y0 = 1e9f, x1 = -1e9f, y1 = -1e9f;
    for (unsigned k = 0; k < 3; ++k) {
      const ImVec2& p = l.vertices[c.vertex_offset + l.indices[c.index_offset + t * 3 + k]].pos;
      x0 = std::min(x0, p.x), y0 = std::min(y0, p.y), x1 = std::max(x1, p.x), y1 = std::max(y1, p.y);
    }
    x0 = std::max(x0, c.clip.x) - pos_.x, y0 = std::max(y0, c.clip.y) - pos_.y;
    x1 = std::min(x1, c.clip.z) - pos_.x, y1 = std::min(y1, c.clip.w) - pos_.y;
    if (x1 < x0 || y1 < y0) continue;
    // A pixel more on each side: edges are smoothed.
    const int cx0 = std::clamp(int(std::floor((x0 - 1) / cell)), 0, columns_ - 1);
    const int cx1 = std::clamp(int(std::floor((x1 + 1) / cell)), 0, columns_ - 1);
    const int cy0 = std::clamp(int(std::floor((y0 - 1) / cell)), 0, rows_ - 1);
    const int cy1 = std::clamp(int(std::floor((y1 + 1) / cell)), 0, rows_ - 1);
    for (int y = cy0; y <= cy1; ++y)
      std::memset(&cells_[size_t(y * columns_ + cx0)], 1, size_t(cx1 - cx0 + 1));
  }
}

void Damage::touch_all(const List& l) {
  for (auto& c : l.commands) touch(l, c, 0, c.count / 3);
}

void Damage::compare(const List& a, const List& b) {
  if (same(a.vertices, b.vertices) && same(a.indices, b.indices) && same(a.commands, b.commands)) return;
  if (a.commands.size() != b.commands.size()) {
    touch_all(a);
    touch_all(b);
    return;
  }
  for (size_t k = 0; k < a.commands.size(); ++k) {
    const Command &ca = a.commands[k], &cb = b.commands[k];
    const unsigned na = ca.count / 3, nb = cb.count / 3;
    if (std::memcmp(&ca.clip, &cb.clip, sizeof ca.clip) != 0 || ca.texture != cb.texture) {
      touch(a, ca, 0, na);
      touch(b, cb, 0, nb);
      continue;
    }
    auto equal = [&](unsigned ta, unsigned tb) {
      for (unsigned v = 0; v < 3; ++v)
        if (std::memcmp(&a.vertices[ca.vertex_offset + a.indices[ca.index_offset + ta * 3 + v]],
                        &b.vertices[cb.vertex_offset + b.indices[cb.index_offset + tb * 3 + v]],
                        sizeof(ImDrawVert)) != 0)
          return false;
      return true;
    };
    if (na == nb) {
      for (unsigned t = 0; t < na; ++t)
        if (!equal(t, t)) {
          touch(a, ca, t, t + 1);
          touch(b, cb, t, t + 1);
        }
      continue;
    }
    // Triangles were added or removed: those before and behind them are equal.
    unsigned head = 0, tail = 0;
    const unsigned least = std::min(na, nb);
    while (head < least && equal(head, head)) ++head;
    while (tail < least - head && equal(na - 1 - tail, nb - 1 - tail)) ++tail;
    touch(a, ca, head, na - tail);
    touch(b, cb, head, nb - tail);
  }
}

/// Lists are of windows, and windows come and go: those of one name belong together, as long as their order
/// stays.
void Damage::compare_all() {
  auto named = [](const std::vector<List>& v, size_t from, const std::string& n) {
    return std::any_of(v.begin() + ptrdiff_t(from), v.end(), [&](const List& l) { return l.owner == n; });
  };
  size_t i = 0, j = 0;
  while (i < before_.size() || j < now_.size()) {
    if (i < before_.size() && j < now_.size() && before_[i].owner == now_[j].owner)
      compare(before_[i++], now_[j++]);
    else if (j < now_.size() && (i >= before_.size() || !named(before_, i, now_[j].owner)))
      touch_all(now_[j++]);
    else
      touch_all(before_[i++]);
  }
}

/// Runs of marked cells in a row, joined with equal runs below. In cells.
std::vector<DamageRect> Damage::marked() const {
  std::vector<DamageRect> out;
  for (int y = 0; y < rows_; ++y)
    for (int x = 0; x < columns_;) {
      if (!cells_[size_t(y * columns_ + x)]) {
        ++x;
        continue;
      }
      int to = x;
      while (to < columns_ && cells_[size_t(y * columns_ + to)]) ++to;
      DamageRect r{float(x), float(y), float(to), float(y + 1)};
      auto above = std::find_if(out.begin(), out.end(), [&](const DamageRect& o) {
        return o.y1 == r.y0 && o.x0 == r.x0 && o.x1 == r.x1;
      });
      if (above != out.end())
        above->y1 = r.y1;
      else
        out.push_back(r);
      x = to;
    }
  return out;
}

namespace {
/// Joins what costs least, until few are left; each stands for one pass over the draw lists. A pass costs
/// about as much as drawing some hundred cells.
void join_near(std::vector<DamageRect>& all, size_t most) {
  for (;;) {
    float best = 1e18f;
    size_t a = 0, b = 0;
    for (size_t p = 0; p < all.size(); ++p)
      for (size_t q = p + 1; q < all.size(); ++q) {
        const float grown = join(all[p], all[q]).area() - all[p].area() - all[q].area();
        if (grown < best) best = grown, a = p, b = q;
      }
    if (all.size() < 2 || (best > 60 && all.size() <= most)) return;
    all[a] = join(all[a], all[b]);
    all.erase(all.begin() + ptrdiff_t(b));
    if (all.size() > 100) {  // too many to look at all pairs again and again
      for (auto& r : all) all[0] = join(all[0], r);
      all.resize(1);
    }
  }
}
}  // namespace

std::vector<DamageRect> Damage::next(const ImDrawData& data, bool* all) {
  before_.swap(now_);
  now_.resize(size_t(data.CmdListsCount));
  for (int k = 0; k < data.CmdListsCount; ++k) copy(*data.CmdLists[k], now_[size_t(k)]);
  const ImVec2 size = data.DisplaySize;
  const bool moved =
      size.x != size_.x || size.y != size_.y || data.DisplayPos.x != pos_.x || data.DisplayPos.y != pos_.y;
  size_ = size;
  pos_ = data.DisplayPos;
  *all = true;
  const std::vector<DamageRect> whole{{pos_.x, pos_.y, pos_.x + size.x, pos_.y + size.y}};
  if (!known_ || moved || size.x <= 0 || size.y <= 0) {
    known_ = size.x > 0 && size.y > 0;
    return whole;
  }
  columns_ = int(std::ceil(size.x / cell));
  rows_ = int(std::ceil(size.y / cell));
  cells_.assign(size_t(columns_) * size_t(rows_), 0);
  compare_all();
  std::vector<DamageRect> out = marked();
  if (out.size() > 400) return whole;
  join_near(out, most);
  float covered = 0;
  for (auto& r : out) {
    covered += r.area();
    r = {pos_.x + r.x0 * cell, pos_.y + r.y0 * cell, pos_.x + std::min(size.x, r.x1 * cell),
         pos_.y + std::min(size.y, r.y1 * cell)};
  }
  if (covered > 0.7f * float(columns_) * float(rows_)) return whole;
  *all = false;
  return out;
}

}  // namespace dojo::gui
