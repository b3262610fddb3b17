// The words that each instruction may carry. One that is not listed changes the meaning in a way that the
// machine doesn't know: such an instruction is refused, never run as something else.
#include <algorithm>
#include <cstdio>
#include <map>
#include <string_view>

#include "simt/decode/vocabulary.hpp"

namespace dojo::simt {
namespace {

constexpr std::string_view
    rounding = " rn rz rm rp ftz sat ",
    comparisons = " eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz ",
    order = " relaxed acquire release acq_rel sc weak volatile mmio cta cluster gpu sys ",
    spaces = " global shared shared::cta shared::cluster local const param param::entry param::func generic ";

/// Words by first word of the opcode; "+" adds order and spaces, "~" rounding.
const std::map<std::string_view, std::string_view>& vocabulary() {
  static const std::map<std::string_view, std::string_view> words = {
      {"add", "~ cc"},
      {"addc", " cc "},
      {"sub", "~ cc"},
      {"subc", " cc "},
      {"mul", "~ lo hi wide "},
      {"mad", "~ lo hi wide cc "},
      {"madc", " lo hi cc "},
      {"mul24", " lo hi "},
      {"mad24", " lo hi sat "},
      {"div", "~ approx full "},
      {"rem", ""},
      {"fma", "~ relu "},
      {"min", " ftz NaN xorsign abs relu "},
      {"max", " ftz NaN xorsign abs relu "},
      {"neg", " ftz "},
      {"abs", " ftz "},
      {"sqrt", "~ approx "},
      {"rcp", "~ approx "},
      {"rsqrt", " approx ftz "},
      {"ex2", " approx ftz "},
      {"lg2", " approx ftz "},
      {"sin", " approx ftz "},
      {"cos", " approx ftz "},
      {"tanh", " approx "},
      {"copysign", ""},
      {"testp", " finite infinite number notanumber normal subnormal "},
      {"and", ""},
      {"or", ""},
      {"xor", ""},
      {"not", ""},
      {"cnot", ""},
      {"shl", ""},
      {"shr", ""},
      {"shf", " l r wrap clamp "},
      {"popc", ""},
      {"clz", ""},
      {"brev", ""},
      {"bfind", " shiftamt "},
      {"bfe", ""},
      {"bfi", ""},
      {"prmt", " f4e b4e rc8 ecl ecr rc16 "},
      {"lop3", " or and "},
      {"sad", ""},
      {"dp4a", ""},
      {"dp2a", " lo hi "},
      {"fns", ""},
      {"szext", " clamp wrap "},
      {"bmsk", " clamp wrap "},
      {"vabsdiff2", " add "},
      {"vabsdiff4", " add "},
      {"cvt", "~ rna rni rzi rmi rpi relu satfinite pack u4 s4 u2 s2 "},
      {"setp", comparisons},
      {"set", comparisons},
      {"selp", ""},
      {"slct", " ftz "},
      {"mov", ""},
      {"cvta", " to + "},
      {"isspacep", "+"},
      {"ld", "+ ca cg cs lu cv nc v2 v4 v8 unified no_allocate relaxed "},
      {"ldu", "+ v2 v4 "},
      {"st", "+ wb cg cs wt v2 v4 v8 "},
      {"atom", "+ add min max inc dec and or xor exch cas noftz v2 v4 v8 "},
      {"red", "+ add min max inc dec and or xor noftz v2 v4 v8 async "},
      {"membar", " cta gl sys "},
      {"fence",
       "+ proxy alias async tensormap::generic mbarrier_init sync_restrict::shared::cta "
       "sync_restrict::shared::cluster async::generic async::global async::shared::cta "
       "async::shared::cluster sync_restrict::shared::cta::cluster "},
      {"prefetch", "+ L1 L2 tensormap "},
      {"prefetchu", " L1 "},
      {"discard", "+ L2 "},
      {"applypriority", "+ "},
      {"shfl", " sync up down bfly idx "},
      {"vote", " sync all any uni ballot "},
      {"match", " sync all any "},
      {"redux", " sync add min max and or xor abs NaN "},
      {"activemask", ""},
      {"elect", " sync "},
      {"bar", " sync arrive red popc and or warp cta aligned "},
      {"barrier", " sync arrive red popc and or cta cluster wait aligned + "},
      {"bra", " uni "},
      {"brx", " idx uni "},
      {"ret", " uni "},
      {"exit", ""},
      {"call", " uni "},
      {"trap", ""},
      {"brkpt", ""},
      {"pmevent", " mask "},
      {"setmaxnreg", " inc dec sync aligned "},
      {"nanosleep", ""},
      {"griddepcontrol", " launch_dependents wait "},
      {"wmma", "+ load store mma a b c d sync aligned row col satfinite rn "},
      {"mma", " sync aligned row col satfinite rn kind::f8f6f4 sp sp::ordered_metadata "},
      {"ldmatrix", "+ sync aligned x1 x2 x4 trans m8n8 "},
      {"stmatrix", "+ sync aligned x1 x2 x4 trans m8n8 "},
      {"movmatrix", " sync aligned m8n8 trans "},
      {"cp",
       "+ async ca cg bulk commit_group wait_group wait_all read mbarrier::complete_tx::bytes bulk_group "
       "mbarrier "
       "arrive noinc prefetch L2 reduce tensor 1d 2d 3d 4d 5d tile im2col multicast::cluster add min max inc "
       "dec and or xor "},
      {"mbarrier",
       "+ init inval arrive arrive_drop expect_tx complete_tx test_wait try_wait parity noComplete "
       "pending_count "},
      {"mapa", "+"},
      {"getctarank", "+"},
      {"tex", " 1d a1d 2d a2d 3d cube acube 2dms a2dms v4 base level grad "},
      {"tld4", " r g b a 2d a2d cube acube v4 "},
      {"suld", " b p 1d a1d 2d a2d 3d v2 v4 trap clamp zero ca cg cs cv "},
      {"sust", " b p 1d a1d 2d a2d 3d v2 v4 trap clamp zero wb cg cs wt "},
      {"alloca", ""},
      {"stacksave", ""},
      {"stackrestore", ""},
  };
  return words;
}

bool listed(std::string_view list, std::string_view word) {
  for (size_t at = list.find(word); at != list.npos; at = list.find(word, at + 1)) {
    const bool starts = at == 0 || list[at - 1] == ' ';
    const size_t end = at + word.size();
    if (starts && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}

}  // namespace

std::string unknown_word(const ptx::Instruction& ins) {
  const auto it = vocabulary().find(ins.parts[0]);
  if (it == vocabulary().end()) return {};
  const std::string_view words = it->second;
  const bool memory = words.find('+') != words.npos, arithmetic = words.find('~') != words.npos;
  for (size_t i = 1; i < ins.parts.size(); ++i) {
    const std::string_view word = ins.parts[i];
    if (ptx::type_from(word) != ptx::Type::none || listed(words, word)) continue;
    if (arithmetic && listed(rounding, word)) continue;
    if (memory && (listed(order, word) || listed(spaces, word))) continue;
    if (memory && (word.starts_with("L1::") || word.starts_with("L2::"))) continue;
    unsigned m, n, k;
    char end;
    if (word.size() < 24 && std::sscanf(std::string(word).c_str(), "m%un%uk%u%c", &m, &n, &k, &end) == 3)
      continue;
    return std::string(word);
  }
  return {};
}

namespace {
const std::map<std::string_view, std::string_view>& refusals() {
  static const std::map<std::string_view, std::string_view> reasons = {
      {"txq", "queries of textures are not modelled"},
      {"istypep", "queries of textures and surfaces are not modelled"},
      {"sured", "reductions on surfaces are not modelled"},
      {"suq", "queries of surfaces are not modelled"},
      {"wgmma", "warpgroup matrix products of sm_90a are not modelled: mma.sync and wmma are"},
      {"tcgen05", "the tensor memory of sm_100 is not modelled: mma.sync and wmma are"},
      {"multimem", "memory shared by several GPUs is not modelled"},
      {"tensormap", "TMA tensor maps are not modelled: cp.async.bulk in one dimension is"},
      {"createpolicy", "cache policies are not modelled"},
      {"clusterlaunchcontrol", "cluster launch control of sm_100 is not modelled"},
  };
  return reasons;
}
}  // namespace

std::string why_refused(const ptx::Instruction& ins) {
  const auto it = refusals().find(ins.parts[0]);
  return it == refusals().end() ? std::string() : std::string(it->second);
}

std::vector<std::string> instruction_names(bool refused) {
  std::vector<std::string> names;
  for (const auto& [name, words] : refused ? refusals() : vocabulary()) names.emplace_back(name);
  return names;
}

}  // namespace dojo::simt
