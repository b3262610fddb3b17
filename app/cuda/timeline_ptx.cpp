#include "cuda/timeline_ptx.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace dojo::cuda {
namespace {

constexpr std::string_view kEntry = R"(
	.reg .pred %djp<4>;
	.reg .b32 %djr<16>;
	.reg .b64 %djd<6>;
	ld.param.u64 %djd0, [{0}];
	cvta.to.global.u64 %djd0, %djd0;
	mov.u32 %djr0, %ctaid.x;
	mov.u32 %djr1, %ctaid.y;
	mov.u32 %djr2, %ctaid.z;
	mov.u32 %djr3, %nctaid.x;
	mov.u32 %djr4, %nctaid.y;
	mad.lo.u32 %djr5, %djr2, %djr4, %djr1;
	mad.lo.u32 %djr5, %djr5, %djr3, %djr0;
	mul.wide.u32 %djd1, %djr5, 24;
	add.u64 %djd0, %djd0, %djd1;
	mov.u32 %djr6, %tid.x;
	mov.u32 %djr7, %tid.y;
	mov.u32 %djr8, %tid.z;
	or.b32 %djr6, %djr6, %djr7;
	or.b32 %djr6, %djr6, %djr8;
	setp.ne.u32 %djp0, %djr6, 0;
	@%djp0 bra $Ldj_in_{1};
	mov.u64 %djd2, %globaltimer;
	st.global.u64 [%djd0], %djd2;
	mov.u32 %djr9, %smid;
	st.global.u32 [%djd0+16], %djr9;
$Ldj_in_{1}:
)";

// The lowest active lane stands for its warp.
constexpr std::string_view kExit = R"(
	activemask.b32 %djr10;
	brev.b32 %djr11, %djr10;
	bfind.shiftamt.u32 %djr11, %djr11;
	mov.u32 %djr12, %laneid;
	setp.ne.u32 %djp1, %djr11, %djr12;
	@%djp1 bra $Ldj_out_{0};
	mov.u64 %djd3, %globaltimer;
	red.global.max.u64 [%djd0+8], %djd3;
$Ldj_out_{0}:
)";

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  return s;
}

}  // namespace

std::string add_block_stamps(const std::string& ptx) {
  std::string out;
  out.reserve(ptx.size() * 5 / 4);
  int kernel = 0, returns = 0, depth = 0;
  bool in_signature = false, in_kernel = false, has_params = false;
  std::string parameter;
  for (size_t at = 0; at < ptx.size();) {
    size_t end = ptx.find('\n', at);
    if (end == std::string::npos) end = ptx.size();
    std::string_view line(ptx.data() + at, end - at), word = trimmed(line);
    at = end + 1;
    if (!in_kernel && !in_signature && word.find(".entry ") != std::string_view::npos &&
        word.substr(0, 2) != "//") {
      in_signature = true;
      has_params = false;
      parameter = fmt::format("dojo_stamps_{}", kernel);
    }
    if (in_signature) {
      if (word.substr(0, 6) == ".param") has_params = true;
      const std::string declared = fmt::format("{}\t.param .u64 {}", has_params ? "," : "", parameter);
      if (size_t p = line.find(')'); p != std::string_view::npos) {
        out.append(line.substr(0, p)).append(declared).append("\n").append(line.substr(p)).push_back('\n');
        in_signature = false;
        in_kernel = line.find(';', p) == std::string_view::npos;
        depth = 0;
        continue;
      }
      if (word == "{") {  // a kernel without a parameter list
        size_t start = out.rfind(".entry");
        size_t name_end = out.find('\n', start);
        out.insert(name_end, fmt::format("({})", declared));
        in_signature = false;
        in_kernel = true;
        depth = 0;
      }
    }
    if (in_kernel && depth == 0 && word.starts_with(";"))
      in_kernel = false;  // a prototype: templates have one before the kernel
    if (in_kernel) {
      // (Inline assembly may open and close a brace in one line.)
      if (word.starts_with("ret;") || word.starts_with("exit;"))
        out += fmt::format(fmt::runtime(kExit), returns++);
      const bool outside = depth == 0;
      depth +=
          int(std::count(line.begin(), line.end(), '{')) - int(std::count(line.begin(), line.end(), '}'));
      if (outside && depth > 0) {
        out.append(line).push_back('\n');
        out += fmt::format(fmt::runtime(kEntry), parameter, kernel);
        continue;
      }
      if (!outside && depth == 0) in_kernel = false, ++kernel;
    }
    out.append(line).push_back('\n');
  }
  return out;
}

}  // namespace dojo::cuda
