// suld.b and sust.b: bytes of an array read and written through a surface object. x counts bytes, y and z
// rows and slices. Outside, .trap ends the kernel, .clamp takes the nearest inside, .zero reads 0 and writes
// nothing.
#include <fmt/format.h>

#include "simt/ops/memory_moves.hpp"
#include "simt/ops/textures/accesses.hpp"
#include "simt/state/element_names.hpp"
#include "simt/state/findings.hpp"

namespace dojo::simt {
namespace {

using namespace textures;
using ptx::Type;

enum class Outside : uint8_t { trap, clamp, zero };

/// Where a lane's bytes lie; false: outside, with .zero.
struct Place {
  bool inside = true;
  uint64_t x = 0, y = 0, z = 0;  ///< x in bytes
};

std::string coordinates_text(const Form& f, const int64_t at[3], const char* unit) {
  std::string text = fmt::format("x = {}{}", at[0], unit);
  if (f.dimensions > 1) text += fmt::format(", y = {}", at[1]);
  if (f.dimensions > 2) text += fmt::format(", z = {}", at[2]);
  return text;
}

[[noreturn]] void outside_array(Exec& x, const Inst* p, const Form& f, const Image& i, const int64_t at[3],
                                uint32_t lane) {
  const ArraySpec& e = i.extent;
  std::string extent = fmt::format("{} texels of {} bytes", e.width, e.format.bytes());
  if (f.dimensions > 1) extent += fmt::format(" by {} rows", e.rows());
  if (f.dimensions > 2) extent += fmt::format(" by {} slices", e.slices());
  stop(x, finding(x, p, FindingKind::out_of_bounds,
                  fmt::format("{} calls {} at {} of {}, which has {}. Check the bounds first, or give a "
                              "boundary mode.",
                              subject(x, lane), call_name(f, p), coordinates_text(f, at, " bytes"),
                              name_of(x, i), extent),
                  int(lane)));
}

Place place_of_lane(const Inst* p, Exec& x, const Form& f, const Image& i, const std::vector<uint32_t>& list,
                    size_t first, uint32_t bytes, uint32_t lane) {
  size_t k = first;
  const uint32_t layer = f.layered ? x.slot<u32a>(list[k++])[lane] : 0;
  int64_t at[3] = {0, 0, 0};
  for (int n = 0; n < f.dimensions; ++n) at[n] = int32_t(x.slot<u32a>(list[k++])[lane]);
  const int64_t limit[3] = {int64_t(i.extent.width * i.extent.format.bytes()) - int64_t(bytes),
                            int64_t(i.extent.rows()) - 1, int64_t(i.extent.slices()) - 1};
  if (at[0] % int64_t(bytes))
    stop(x, finding(x, p, FindingKind::misaligned,
                    fmt::format("{} calls {} at {} of {}: a surface takes x in bytes, here a multiple of {}. "
                                "Multiply the column by the size of a texel.",
                                subject(x, lane), call_name(f, p), coordinates_text(f, at, ""), name_of(x, i),
                                bytes),
                    int(lane)));
  Place place;
  const auto mode = Outside(p->imm);
  for (int n = 0; n < f.dimensions; ++n) {
    if (at[n] >= 0 && at[n] <= limit[n]) continue;
    if (mode == Outside::trap) outside_array(x, p, f, i, at, lane);
    if (mode == Outside::zero) place.inside = false;
    at[n] = at[n] < 0 ? 0 : limit[n];
  }
  place.x = uint64_t(at[0]), place.y = uint64_t(at[1]), place.z = uint64_t(at[2]);
  if (f.layered) {
    if (layer >= i.extent.slices()) {
      const int64_t where[3] = {at[0], at[1], int64_t(layer)};
      if (mode == Outside::trap) outside_array(x, p, f, i, where, lane);
      if (mode == Outside::zero) place.inside = false;
    }
    place.z = std::min<uint64_t>(layer, i.extent.slices() - 1);
  }
  return place;
}

template <int W, bool Store>
const Inst* surface(const Inst* p, Exec& x) {
  const auto& list = x.frame->code->lists[size_t(p->target)];
  const Form f = Form::of(p->sub);
  const uint32_t bytes = uint32_t(W) * p->count;
  const uint64_t* handles = x.slot<uint64_t>(p->a);
  if constexpr (Store) moves::note_store(x);
  for (uint32_t left = x.mask; left;) {
    const uint32_t leader = uint32_t(std::countr_zero(left));
    const Image& image = image_of_lane(x, p, handles[leader], leader, Image::surface, f);
    if (bytes != image.extent.format.bytes())
      stop(x,
           finding(x, p, FindingKind::bad_texture,
                   fmt::format("{} calls {} with {} bytes, but a texel of {} has {}. Use the type that the "
                               "array was made of.",
                               subject(x, leader), call_name(f, p), bytes, name_of(x, image),
                               image.extent.format.bytes()),
                   int(leader)));
    static thread_local Access a;
    a.touches.clear();
    a.mask = a.samples = 0;
    Place places[32];
    DOJO_FOR_LANES(l, left) {
      if (handles[l] != handles[leader]) continue;
      a.mask |= 1u << l;
      places[l] = place_of_lane(p, x, f, image, list, p->count, bytes, l);
      a.samples += std::max(1u, bytes / 4);
      const Place& at = places[l];
      if (at.inside)
        a.touches.push_back({l, image.texel_address(at.x / bytes, at.y, at.z),
                             counted_address(image, at.x / bytes, at.y, at.z)});
    }
    if (x.shape[p->access].width) count(x, p, a, bytes, Store ? LineAccess::store : LineAccess::load);
    if (x.checks) check(x, p, a, bytes, Store);
    DOJO_FOR_LANES(l, a.mask) {
      static std::byte nothing[16];
      const Place& at = places[l];
      std::byte* data =
          at.inside ? x.memory->at(image.texel_address(at.x / bytes, at.y, at.z), bytes) : nullptr;
      if constexpr (Store) {
        if (data) moves::lane_by_lane<W, true>(x, p, l, data);
      } else {
        moves::lane_by_lane<W, false>(x, p, l, data ? data : nothing);
      }
    }
    left &= ~a.mask;
  }
  return p + 1;
}

template <bool Store>
void decode_surface(Decoder& d) {
  if (d.host) d.refuse("surfaces can be used in kernels only");
  if (!d.has("b")) d.refuse("formatted surface accesses are not modelled");
  size_t coordinates = 0;
  Form f = form_of(d, &coordinates);
  f.component = Store;
  const ptx::Operand& data = d.op(Store ? 1 : 0);
  const ptx::Operand& where = d.op(Store ? 0 : 1);
  if (where.kind != ptx::OperandKind::address || !where.base_is_reg)
    d.refuse("surface references are not modelled: surface objects are");
  if (where.items.size() < coordinates) d.refuse("too few coordinates");
  const int w = ptx::bits(d.type()) / 8;
  std::vector<ptx::Operand> items;
  if (data.kind == ptx::OperandKind::list)
    items = data.items;
  else
    items.push_back(data);
  std::vector<uint32_t> list;
  const Type as = w == 8 ? Type::b64 : Type::b32;
  for (const ptx::Operand& o : items) list.push_back(Store ? d.src(o, as) : d.dst(o, as));
  const uint32_t first = list[0];
  for (size_t k = 0; k < coordinates; ++k) list.push_back(d.src(where.items[k], Type::b32));
  bool wide = true;
  uint64_t imm = 0;
  const uint32_t handle = d.address(where, &wide, &imm);
  if (!wide || imm) d.refuse("this handle");
  Handler h = nullptr;
  switch (w) {
    case 1:
      h = surface<1, Store>;
      break;
    case 2:
      h = surface<2, Store>;
      break;
    case 4:
      h = surface<4, Store>;
      break;
    case 8:
      h = surface<8, Store>;
      break;
    default:
      d.refuse("this type");
  }
  Inst& i = d.emit(h, first, handle);
  i.target = int32_t(d.list(std::move(list)));
  i.sub = f.packed();
  i.width = uint8_t(w);
  i.count = uint8_t(items.size());
  i.type = d.type();
  i.space = ptx::Space::global;
  i.wide = w == 8 ? 2 : 0;
  i.imm = uint64_t(d.has("clamp") ? Outside::clamp : d.has("zero") ? Outside::zero : Outside::trap);
  i.kind = Kind::memory;
  i.access = d.access();
}

constexpr Family kSurfaceFamilies[] = {{"suld", c_any, decode_surface<false>},
                                       {"sust", c_any, decode_surface<true>}};

}  // namespace

std::span<const Family> surface_families() { return kSurfaceFamilies; }

}  // namespace dojo::simt
