// tex and tld4: fetches through a texture object. Coordinates and texels: simt/textures/sampler.hpp.
#include <fmt/format.h>

#include <cmath>

#include "simt/checks/shadow.hpp"
#include "simt/ops/textures/accesses.hpp"
#include "simt/state/element_names.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/supervisor.hpp"
#include "simt/textures/levels.hpp"

namespace dojo::simt {
namespace {

using namespace textures;
using ptx::Type;

/// The type of a fetch's result against what the texture holds: bits would come out as another type's.
void check_type(Exec& x, const Inst* p, const Image& i, uint32_t lane) {
  const bool as_float = p->type == Type::f32;
  if (as_float == gives_floats(i) ||
      !x.machine->wanted(finding_key(Check::texture_type, p->access)))  // once per instruction
    return;
  const TexelFormat& f = i.extent.format;
  const std::string texels =
      fmt::format("{}-bit {}", f.bits, f.kind == TexelFormat::floating ? "floats" : "integers");
  const char* cure =
      as_float ? (f.bits <= 16 ? "Create the texture with cudaReadModeNormalizedFloat, or read integers."
                               : "Read integers.")
               : "Read floats.";
  emit(x, finding(x, p, FindingKind::bad_texture,
                  fmt::format("{} reads {} as {}, but it holds {}{}. {}", subject(x, lane), name_of(x, i),
                              as_float ? "float" : "an integer", texels,
                              i.sampler.to_float ? " that are read as floats" : "", cure),
                  int(lane)));
}

/// Coordinates that an instruction has, without level and gradients, which come behind them.
size_t coordinates_of(const Form& f) { return size_t(f.dimensions) + f.cube + f.layered; }

/// The levels that one lane reads of a mipmapped texture.
Levels levels_of(Exec& x, const Form& f, const Image& i, const std::vector<uint32_t>& list, uint32_t lane) {
  const size_t at = 4 + coordinates_of(f), more = list.size() - at;
  if (more == 0) return base_levels(i);
  if (more == 1) return levels_at(i, x.slot<f32a>(list[at])[lane]);
  float d[2][3] = {};
  for (size_t k = 0; k < more; ++k) d[k / (more / 2)][k % (more / 2)] = x.slot<f32a>(list[at + k])[lane];
  return levels_at(i, level_of_detail(i, f.dimensions, d[0], d[1]));
}

/// The texels that one lane of a fetch reads.
Footprint reads_of(Exec& x, const Form& f, const Image& i, const std::vector<uint32_t>& list, uint32_t lane) {
  size_t at = 4;
  if (f.integer) {  // linear memory: no texel outside
    const int32_t index = int32_t(x.slot<u32a>(list[at])[lane]);
    Footprint one;
    one.texel[0].x = uint32_t(index);
    one.texel[0].inside = index >= 0 && uint64_t(index) < i.extent.width;
    return one;
  }
  Coordinates c;
  if (f.layered) c.layer = x.slot<u32a>(list[at++])[lane];
  for (int k = 0; k < f.dimensions + f.cube; ++k) c.at[k] = x.slot<f32a>(list[at++])[lane];
  if (f.cube) c = on_face(i, c);
  if (f.cube && i.sampler.seamless && i.sampler.linear) return across_faces(i, c);
  return f.gather ? gathered(i, c) : footprint(i, f.dimensions, c);
}

/// What one lane reads of one level.
struct Read {
  const Image* image = nullptr;
  Footprint texels;
};
/// What one lane reads: of a mipmapped texture one level, or two that are mixed.
struct Reads {
  Read level[2];
  int count = 1;
  int32_t second = 0;  ///< weight of the second level, 256ths
};

const Image& level_of(Exec& x, const Image& first, uint32_t level) {
  const Image* i = &first;
  Region* region = nullptr;
  for (; level && i->next_level; --level)
    if (const Image* next = image_at(*x.memory, i->next_level, &region)) i = next;
  return *i;
}

void set_reads(Exec& x, const Form& f, const Image& i, const std::vector<uint32_t>& list, uint32_t lane,
               Reads& r) {
  r.count = 1, r.second = 0;
  if (i.levels == 1) {
    r.level[0] = {&i, reads_of(x, f, i, list, lane)};
    return;
  }
  const Levels at = levels_of(x, f, i, list, lane);
  r.second = at.second;
  r.count = at.second ? 2 : 1;
  for (int k = 0; k < r.count; ++k) {
    const Image& level = level_of(x, i, at.first + uint32_t(k));
    r.level[k] = {&level, reads_of(x, f, level, list, lane)};
  }
}

/// The texels of one level, mixed; of a gather, one component of each.
Texel sampled(Exec& x, const Form& f, const Read& r) {
  Texel texels[8], out;
  const uint32_t bytes = r.image->extent.format.bytes();
  for (int k = 0; k < r.texels.count; ++k) {
    const Footprint::Texel& t = r.texels.texel[k];
    const std::byte* at = t.inside ? x.memory->at(r.image->texel_address(t.x, t.y, t.z), bytes) : nullptr;
    texels[k] = at ? read_texel(*r.image, at) : border_texel(*r.image);
  }
  if (!f.gather) return mix(*r.image, r.texels, texels);
  for (int k = 0; k < 4; ++k) out.word[k] = texels[k].word[f.component];
  return out;
}

const Inst* fetch(const Inst* p, Exec& x) {
  const auto& list = x.frame->code->lists[size_t(p->target)];
  const Form f = Form::of(p->sub);
  const uint64_t* handles = x.slot<uint64_t>(p->a);
  for (uint32_t left = x.mask; left;) {
    const uint32_t leader = uint32_t(std::countr_zero(left));
    const uint64_t handle = handles[leader];
    const Image& image = image_of_lane(x, p, handle, leader, Image::texture, f);
    check_type(x, p, image, leader);
    const uint32_t bytes = image.extent.format.bytes();
    static thread_local Access a;
    a.touches.clear();
    a.mask = a.samples = 0;
    static thread_local Reads reads[32];
    DOJO_FOR_LANES(l, left) {
      if (handles[l] != handle) continue;
      a.mask |= 1u << l;
      set_reads(x, f, image, list, l, reads[l]);
      x.access[p->access].outside_lanes += reads[l].level[0].texels.outside;
      for (int m = 0; m < reads[l].count; ++m) {
        const Image& level = *reads[l].level[m].image;
        const Footprint& texels = reads[l].level[m].texels;
        a.samples += std::max(1u, bytes / 4) * (texels.count == 8 ? 2 : 1);
        for (int k = 0; k < texels.count; ++k) {
          const Footprint::Texel& t = texels.texel[k];
          if (t.inside)
            a.touches.push_back(
                {l, level.texel_address(t.x, t.y, t.z), counted_address(level, t.x, t.y, t.z)});
        }
      }
    }
    if (x.shape[p->access].width) count(x, p, a, bytes, LineAccess::load_nc);
    if (x.checks) check(x, p, a, bytes, false);
    DOJO_FOR_LANES(l, a.mask) {
      Texel out = sampled(x, f, reads[l].level[0]);
      if (reads[l].second) out = mix_levels(image, out, sampled(x, f, reads[l].level[1]), reads[l].second);
      for (size_t k = 0; k < 4; ++k) x.slot<u32a>(list[k])[l] = out.word[k];
    }
    left &= ~a.mask;
  }
  if (p->wide) x.pred(p->d) |= x.mask;  // all texels are resident
  return p + 1;
}

/// The level of detail, or the gradients' components, behind the coordinates.
void add_levels(Decoder& d, const Form& f, std::vector<uint32_t>& list) {
  if (d.has("level")) list.push_back(d.src(d.op(2), Type::f32));
  if (!d.has("grad")) return;
  if (f.cube) d.refuse("gradients of a cube map");
  for (size_t k : {2u, 3u}) {
    const ptx::Operand& gradient = d.op(k);
    if (gradient.kind != ptx::OperandKind::list || gradient.items.size() < f.dimensions)
      d.refuse("these gradients");
    for (size_t i = 0; i < f.dimensions; ++i) list.push_back(d.src(gradient.items[i], Type::f32));
  }
}

void decode_fetch(Decoder& d) {
  if (d.host) d.refuse("textures can be read in kernels only");
  size_t coordinates = 0;
  Form f = form_of(d, &coordinates);
  f.gather = d.ins->meaning.op == ptx::Op::tld4;
  if (f.gather && (f.dimensions != 2 || f.cube)) d.refuse("this gather");
  f.component = d.has("g") ? 1 : d.has("b") ? 2 : d.has("a") ? 3 : 0;
  f.integer = d.type(1) == Type::s32;
  if (f.integer && (f.dimensions != 1 || f.layered)) d.refuse("integer coordinates of an array");
  const ptx::Operand* to = &d.op(0);
  const ptx::Operand* resident = nullptr;
  if (to->paired && to->items.size() == 2) resident = &to->items[1], to = &to->items[0];
  const ptx::Operand& where = d.op(1);
  if (to->kind != ptx::OperandKind::list || to->items.size() != 4) d.refuse("this destination");
  if (where.kind != ptx::OperandKind::address || !where.base_is_reg)
    d.refuse("texture references are not modelled: texture objects are");
  if (where.items.size() < coordinates) d.refuse("too few coordinates");
  std::vector<uint32_t> list;
  for (const ptx::Operand& o : to->items) list.push_back(d.dst(o, Type::b32));
  for (size_t k = 0; k < coordinates; ++k) {
    const bool index = f.integer || (f.layered && k == 0);
    list.push_back(d.src(where.items[k], index ? Type::b32 : Type::f32));
  }
  add_levels(d, f, list);
  bool wide = true;
  uint64_t imm = 0;
  const uint32_t handle = d.address(where, &wide, &imm);
  if (!wide || imm) d.refuse("this handle");
  Inst& i = d.emit(fetch, resident ? d.pred_dst(*resident) : 0, handle);
  i.target = int32_t(d.list(std::move(list)));
  i.sub = f.packed();
  i.width = 4;
  i.type = d.type(0);
  i.wide = resident ? 1 : 0;
  i.kind = Kind::memory;
  i.access = d.access();
}

constexpr Family kTextureFamilies[] = {{"tex", c_any, decode_fetch}, {"tld4", c_any, decode_fetch}};

}  // namespace

std::span<const Family> texture_families() { return kTextureFamilies; }

}  // namespace dojo::simt
