#include "simt/ops.hpp"
namespace dojo::simt {
namespace {
const Inst* nothing(const Inst* p, Exec&) { return p + 1; }
void nothing_decode(Decoder& d) { d.emit(nothing); }
constexpr Family families[] = {{"nanosleep", c_any, nothing_decode}, {"griddepcontrol", c_any, nothing_decode}};
}  // namespace
void cluster_barrier_decode(Decoder& d) { d.refuse("cluster barriers"); }
std::span<const Family> async_families() { return families; }
}  // namespace dojo::simt
