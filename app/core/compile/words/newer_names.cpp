#include "core/compile/words/newer_names.hpp"

#include <cstdlib>
#include <string_view>

namespace dojo::compile_detail {
namespace {

/// A message that has all three texts is about a name that exists from the architecture `since` on. `name`
/// begins behind a quotation mark or the message.
struct Newer {
  std::string_view says, name, also;
  int since;
};

constexpr std::string_view undefined = "is undefined", no_member = "has no member",
                           no_overload = "no instance of overloaded function";

/// Tried with nvcc 13.0 for compute_75, compute_80 and compute_90.
constexpr Newer newer[] = {
    {undefined, "__reduce_", "_sync\"", 80},
    {undefined, "__cluster", "", 90},
    {no_member, "this_cluster\"", "cooperative_groups", 90},
    {no_member, "cluster_group\"", "cooperative_groups", 90},
    {no_member, "cluster_", "grid_group", 90},
    {no_member, "num_clusters\"", "grid_group", 90},
    {no_member, "dim_clusters\"", "grid_group", 90},
    {"not supported for this GPU architecture", "__cluster_dims__", "", 90},
    {no_overload, "atomicAdd\"", "float2 *", 90},
    {no_overload, "atomicAdd\"", "float4 *", 90},
    {no_overload, "atomicExch\"", "__int128", 90},
    {no_overload, "atomicCAS\"", "__int128", 90},
    {"incomplete type", "nvcuda::wmma::fragment<", "__nv_bfloat16", 80},
    {"incomplete type", "nvcuda::wmma::fragment<", "double", 80},
    {"incomplete type", "nvcuda::wmma::fragment<", "tf32", 80},
};

bool has_name(const std::string& message, std::string_view name) {
  return message.starts_with(name) || message.find('"' + std::string(name)) != message.npos;
}

}  // namespace

std::string needs_newer(const std::string& message, const std::string& arch) {
  constexpr std::string_view prefix = "compute_";
  if (!arch.starts_with(prefix)) return {};
  const int have = std::atoi(arch.c_str() + prefix.size());
  const auto has = [&](std::string_view part) { return message.find(part) != message.npos; };
  for (const Newer& n : newer)
    if (have < n.since && has(n.says) && has_name(message, n.name) && has(n.also))
      return "It needs compute_" + std::to_string(n.since) + "; this file is compiled for " + arch + ".";
  return {};
}

}  // namespace dojo::compile_detail
