// The words that an instruction may carry: those of ptx/instructions/list.def. Another one changes the
// meaning in a way that the machine doesn't know: such an instruction is refused, never run as something
// else.
#include <algorithm>
#include <cstdio>
#include <map>
#include <string_view>

#include "ptx/instructions/meaning.hpp"
#include "simt/decode/vocabulary.hpp"

namespace dojo::simt {
namespace {

constexpr std::string_view
    rounding = " rn rz rm rp ftz sat ",
    comparisons = " eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz ",
    order = " relaxed acquire release acq_rel sc weak volatile mmio cta cluster gpu sys ",
    spaces = " global shared shared::cta shared::cluster local const param param::entry param::func generic ";

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
  const std::string_view words = ptx::words_of(ins.meaning.op);
  if (!words.data()) return {};
  const bool memory = words.find('+') != words.npos, arithmetic = words.find('~') != words.npos,
             compares = words.find('?') != words.npos;
  for (size_t i = 1; i < ins.parts.size(); ++i) {
    const std::string_view word = ins.parts[i];
    if (ptx::type_from(word) != ptx::Type::none || listed(words, word)) continue;
    if (arithmetic && listed(rounding, word)) continue;
    if (compares && listed(comparisons, word)) continue;
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
  if (refused)
    for (const auto& [name, reason] : refusals()) names.emplace_back(name);
  else
    for (size_t k = 1; k <= ptx::operations; ++k)
      if (ptx::words_of(ptx::Op(k)).data()) names.emplace_back(ptx::name_of(ptx::Op(k)));
  return names;
}

}  // namespace dojo::simt
