// tex and tld4: fetches through a texture object. Coordinates and texels: simt/textures/sampler.hpp.
#include <fmt/format.h>

#include <cmath>

#include "simt/checks/shadow.hpp"
#include "simt/ops/textures/accesses.hpp"
#include "simt/state/element_names.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/supervisor.hpp"
#include "simt/textures/sampler.hpp"

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
  emit(x, finding(x, p, "bad_texture",
                  fmt::format("{} reads {} as {}, but it holds {}{}. {}", subject(x, lane), name_of(x, i),
                              as_float ? "float" : "an integer", texels,
                              i.sampler.to_float ? " that are read as floats" : "", cure),
                  int(lane)));
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
  return f.gather ? gathered(i, c) : footprint(i, f.dimensions, c);
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
    Footprint reads[32];
    DOJO_FOR_LANES(l, left) {
      if (handles[l] != handle) continue;
      a.mask |= 1u << l;
      reads[l] = reads_of(x, f, image, list, l);
      x.access[p->access].outside_lanes += reads[l].outside;
      a.samples += std::max(1u, bytes / 4) * (reads[l].count == 8 ? 2 : 1);
      for (int k = 0; k < reads[l].count; ++k) {
        const Footprint::Texel& t = reads[l].texel[k];
        if (t.inside)
          a.touches.push_back({l, image.texel_address(t.x, t.y, t.z), counted_address(image, t.x, t.y, t.z)});
      }
    }
    if (x.shape[p->access].width) count(x, p, a, bytes, LineAccess::load_nc);
    if (x.checks) check(x, p, a, bytes, false);
    DOJO_FOR_LANES(l, a.mask) {
      Texel texels[8], out;
      for (int k = 0; k < reads[l].count; ++k) {
        const Footprint::Texel& t = reads[l].texel[k];
        const std::byte* at = t.inside ? x.memory->at(image.texel_address(t.x, t.y, t.z), bytes) : nullptr;
        texels[k] = at ? read_texel(image, at) : border_texel(image);
      }
      if (f.gather)
        for (int k = 0; k < 4; ++k) out.word[k] = texels[k].word[f.component];
      else
        out = mix(image, reads[l], texels);
      for (size_t k = 0; k < 4; ++k) x.slot<u32a>(list[k])[l] = out.word[k];
    }
    left &= ~a.mask;
  }
  if (p->wide) x.pred(p->d) |= x.mask;  // all texels are resident
  return p + 1;
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
