#include "simt/ops/textures/accesses.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simt/checks/shadow.hpp"
#include "simt/state/element_names.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/supervisor.hpp"

namespace dojo::simt::textures {

Form form_of(Decoder& d, size_t* coordinates) {
  Form f;
  if (d.has("2dms") || d.has("a2dms")) d.refuse("multisampled textures are not modelled");
  f.cube = d.has("cube") || d.has("acube");
  f.layered = d.has("a1d") || d.has("a2d") || d.has("acube");
  f.dimensions = d.has("1d") || d.has("a1d") ? 1 : d.has("3d") ? 3 : 2;
  *coordinates = size_t(f.dimensions) + f.cube + f.layered;
  return f;
}

std::string call_name(const Form& f, const Inst* p) {
  const char* layers = f.layered ? "Layered" : "";
  if (f.gather) return "tex2Dgather";
  if (f.integer) return "tex1Dfetch";
  if (f.cube) return fmt::format("texCubemap{}", layers);
  if (p->space == ptx::Space::global)
    return fmt::format("surf{}D{}{}", f.dimensions, layers, f.component ? "write" : "read");
  return fmt::format("tex{}D{}", f.dimensions, layers);
}

std::string name_of(Exec& x, const Image& i) {
  const Region* r = x.memory->find(i.data);
  return r && !r->name.empty() ? r->name : "its memory";
}

namespace {

[[noreturn]] void fail(Exec& x, const Inst* p, uint32_t lane, FindingKind kind, std::string text,
                       const Region* r = nullptr) {
  Diagnostic d = finding(x, p, kind, std::move(text), int(lane));
  if (r && r->released.line) d.related.push_back({r->released, "destroyed or freed here", {}, {}});
  if (r && r->allocated.line) d.related.push_back({r->allocated, "created here", {}, {}});
  stop(x, std::move(d));
}

std::string shape(const ArraySpec& e, bool linear) {
  if (linear) return "linear memory";
  const char* layers = e.layered ? "layered " : "";
  if (e.cube) return fmt::format("a {}cube map", layers);
  return fmt::format("{}{}-dimensional", layers, e.depth && !e.layered ? "three" : e.height ? "two" : "one");
}

bool has_form(const Image& i, const Form& f) {
  const ArraySpec& e = i.extent;
  const uint8_t dimensions = e.depth && !e.layered && !e.cube ? 3 : e.height ? 2 : 1;
  return (i.source == TextureSource::linear) == f.integer && dimensions == f.dimensions &&
         e.layered == f.layered && e.cube == f.cube;
}
/// Is the object alive, of this kind, and of the form that the access takes?
bool fits(Exec& x, const Region& object, const Image& i, Image::Kind kind, const Form& f) {
  const Region* data = x.memory->find(i.data);
  return !object.freed && i.kind == kind && data && !data->freed && has_form(i, f);
}

}  // namespace

const Image& image_of_lane(Exec& x, const Inst* p, uint64_t handle, uint32_t lane, Image::Kind kind,
                           const Form& f) {
  Region* region = nullptr;
  const Image* image = image_at(*x.memory, handle, &region);
  if (image && fits(x, *region, *image, kind, f)) [[likely]]
    return *image;
  const std::string call = call_name(f, p), who = subject(x, lane);
  const char* what = kind == Image::texture ? "texture" : "surface";
  const char* create = kind == Image::texture ? "cudaCreateTextureObject" : "cudaCreateSurfaceObject";
  if (!image)
    fail(x, p, lane, FindingKind::bad_texture,
         fmt::format("{} calls {} with {}, which is no {} object. Give it what {} stored.", who, call,
                     handle ? fmt::format("0x{:x}", handle) : "0", what, create));
  const std::string object = handle_name(x, handle, region->name);
  if (region->freed)
    fail(x, p, lane, FindingKind::use_after_free,
         fmt::format("{} calls {} on {}, which was destroyed before the launch had run. Destroy a {} behind "
                     "the last launch that uses it.",
                     who, call, object, what),
         region);
  if (image->kind != kind)
    fail(x, p, lane, FindingKind::bad_texture,
         fmt::format("{} calls {} on {}, which is a {} object. Create another with {}.", who, call, object,
                     image->kind == Image::texture ? "texture" : "surface", create),
         region);
  const Region* data = x.memory->find(image->data);
  if (!data || data->freed)
    fail(x, p, lane, FindingKind::use_after_free,
         fmt::format("{} calls {} on {}, whose {} was freed. Free it behind the last launch that uses it.",
                     who, call, object, data ? data->name : "memory"),
         data);
  const ArraySpec& e = image->extent;
  const bool linear = image->source == TextureSource::linear;
  if (!has_form(*image, f))
    fail(x, p, lane, FindingKind::bad_texture,
         fmt::format("{} calls {} on {}, which is {}. Call the function for that.", who, call, object,
                     shape(e, linear)),
         region);
  return *image;
}

void count(Exec& x, const Inst* p, const Access& a, uint32_t bytes, LineAccess::Kind kind) {
  struct Sector {
    uint64_t at;
    uint32_t filled;  // bytes
  };
  static thread_local std::vector<Sector> sectors;
  sectors.clear();
  for (const Touch& t : a.touches) {
    const uint64_t last = (t.counted + bytes - 1) / 32;
    for (uint64_t s = t.counted / 32; s <= last; ++s)
      sectors.push_back(
          {s, uint32_t(std::min((s + 1) * 32, t.counted + bytes) - std::max(s * 32, t.counted))});
  }
  std::sort(sectors.begin(), sectors.end(), [](const Sector& m, const Sector& n) { return m.at < n.at; });
  size_t n = 0;
  for (size_t i = 0; i < sectors.size(); ++i) {
    if (n && sectors[n - 1].at == sectors[i].at)
      sectors[n - 1].filled += sectors[i].filled;
    else
      sectors[n++] = sectors[i];
  }
  sectors.resize(n);
  uint32_t lines = 0;
  const bool log = x.want_log && x.block;
  for (size_t i = 0; i < n; ++i) {
    const uint64_t line = sectors[i].at / 4;
    const bool fresh = i == 0 || sectors[i - 1].at / 4 != line;
    lines += fresh;
    if (!log) continue;
    if (fresh) x.block->log.push_back({line, 0, kind, uint8_t(x.warp->index), 0, p->ptx});
    const uint8_t bit = uint8_t(1u << (sectors[i].at & 3));
    x.block->log.back().sectors |= bit;
    if (kind == LineAccess::store && sectors[i].filled < 32) x.block->log.back().turns |= bit;
  }
  AccessCount& c = x.access[p->access];
  c.flush();
  c.stride = ~uint64_t(0), c.mask = 0;  // no shape that a next access could repeat
  c.run = 1;
  c.lanes = uint16_t(std::popcount(a.mask));
  c.sectors = uint16_t(n), c.lines = uint16_t(lines);
  c.wavefronts = c.ideal_wavefronts = 0;
  c.shape_hash = (uint64_t(a.samples) << 48 | uint64_t(n) << 32 | uint64_t(lines) << 16 | c.lanes) *
                     0xD6E8FEB86659FD93ull +
                 2;
  ++x.block->summary.global_requests;
  x.block->summary.global_sectors += c.sectors;
  note_access(x, p, c, a.samples);
}

namespace {

/// A read of what this launch has written, by any thread and in whatever order.
void check_stale(Exec& x, const Inst* p, const Touch& t, Region& r) {
  const auto* s = static_cast<const RegionShadow*>(r.shadow.get());
  if (!s || !s->write.size) return;
  const uint64_t g = (t.address - r.base) / s->grain;
  const uint64_t ticket = Tag::ticket(s->write[g]), first = x.grid->ticket_base;
  if (!s->write[g] || ticket < first || ticket >= first + x.grid->blocks) return;
  if (!x.machine->wanted(finding_key(Check::stale_texture, p->access))) return;
  const Form f = Form::of(p->sub);
  const std::string call = call_name(f, p);
  Diagnostic d = finding(
      x, p, FindingKind::race,
      fmt::format("{} reads {} by {}, which this launch has written. Textures and surfaces need not see "
                  "what their own launch writes, behind a barrier or not: read it in the next launch.",
                  subject(x, t.lane), element_name(x, p, t.address, s->grain), call),
      int(t.lane));
  emit(x, std::move(d));
}

}  // namespace

void check(Exec& x, const Inst* p, const Access& a, uint32_t bytes, bool write) {
  // Lanes' touches come one behind the other: a turn takes the next of every lane.
  size_t most = 0, of_lane[32] = {};
  const Touch* first[32] = {};
  for (const Touch& t : a.touches) {
    if (!of_lane[t.lane]++) first[t.lane] = &t;
    most = std::max(most, of_lane[t.lane]);
  }
  for (size_t k = 0; k < most; ++k) {
    alignas(32) uint64_t where[32] = {};
    uint32_t mask = 0;
    for (uint32_t l = 0; l < 32; ++l)
      if (k < of_lane[l]) where[l] = first[l][k].address, mask |= 1u << l;
    Span s;
    find_span(s, where, mask);
    AccessCount& c = x.access[p->access];
    const uint32_t l = uint32_t(std::countr_zero(mask));
    (void)global_bytes(x, c, where[l], where[l] + bytes, write);  // sets the counters' region
    if (!write && c.region) DOJO_FOR_LANES(i, mask)
    if (c.region->contains(where[i], bytes)) check_stale(x, p, first[i][k], *c.region);
    check_global(x, p, c, s, bytes, write, false);
  }
}

}  // namespace dojo::simt::textures
