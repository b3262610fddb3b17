// Arithmetic and conversions under a directed rounding, as the machine runs them for a whole warp, against
// one operation at a time under the C library's rounding mode.
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <random>

#include "machine_rig.hpp"
#include "simt/ops/arithmetic/float_lanes.hpp"

using namespace dojo;
using dojo::test::Rig;

namespace {

struct Direction {
  const char* word;  ///< in PTX
  int mode;          ///< of fesetround
};
constexpr Direction directions[] = {{"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};

template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

/// Numbers around which rounding goes wrong, and random bits.
template <class T>
std::vector<T> hard_numbers(int random_ones) {
  constexpr int mantissa = sizeof(T) == 4 ? 23 : 52;
  const Bits<T> one = std::bit_cast<Bits<T>>(T(1)), infinite = std::bit_cast<Bits<T>>(T(INFINITY)),
                sign = Bits<T>(1) << (sizeof(T) * 8 - 1), least = Bits<T>(1) << mantissa;
  std::vector<T> out = {T(0), T(3), T(0.1), T(NAN)};
  for (Bits<T> bits :
       {one, one - 1, one + 1, infinite, infinite - 1, Bits<T>(1), least - 1, least, least + 1,
        one + (Bits<T>(mantissa + 1) << mantissa), one + (Bits<T>(mantissa + 1) << mantissa) - 1})
    for (Bits<T> s : {Bits<T>(0), sign}) out.push_back(std::bit_cast<T>(Bits<T>(bits | s)));
  std::mt19937_64 random(36);
  for (int i = 0; i < random_ones; ++i) out.push_back(std::bit_cast<T>(Bits<T>(random())));
  return out;
}

/// One operation under a mode; nothing of it can be computed at another time.
template <class T>
T one_at_a_time(const std::string& op, int mode, T a, T b, T c) {
  volatile T u = a, v = b, w = c, r = 0;
  std::fesetround(mode);
  if (op == "add") r = u + v;
  if (op == "sub") r = u - v;
  if (op == "mul") r = u * v;
  if (op == "div") r = u / v;
  if (op == "fma") r = std::fma(T(u), T(v), T(w));
  if (op == "sqrt") r = std::sqrt(T(u));
  if (op == "rcp") r = T(1) / u;
  std::fesetround(FE_TONEAREST);
  return r;
}
template <class To, class From>
To converted(int mode, From a) {
  volatile From u = a;
  std::fesetround(mode);
  volatile To r = To(u);
  std::fesetround(FE_TONEAREST);
  return r;
}
/// The one NaN of floats; of doubles the operand's, made quiet: b's before a's before c's.
float expected_nan(float, float, float, float) { return std::bit_cast<float>(0x7fffffffu); }
double expected_nan(double r, double a, double b, double c) {
  for (double v : {b, a, c})
    if (v != v) return simt::quiet(v);
  return r;
}

/// A kernel that applies `ptx` to %a, %b and %c, of type `from`, which gives %r of type `to`.
std::string kernel_of(const std::string& name, const std::string& ptx, const std::string& from,
                      const std::string& to) {
  const std::string size = from.substr(1) == "64" ? "8" : "4", result = to.substr(1) == "64" ? "8" : "4";
  std::string text = ".visible .entry " + name +
                     "(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 po, .param .u32 pn) {\n"
                     ".reg .pred %p; .reg .b32 %i, %n; .reg .b64 %q, %d;\n.reg ." +
                     from + " %a, %b, %c; .reg ." + to +
                     " %r;\n"
                     "mov.u32 %i, %ctaid.x; mov.u32 %n, %tid.x; mad.lo.u32 %i, %i, 256, %n;\n"
                     "ld.param.u32 %n, [pn]; setp.ge.u32 %p, %i, %n; @%p ret;\n";
  for (const char* o : {"a", "b", "c"})
    text += std::string("ld.param.u64 %q, [p") + o + "]; mad.wide.u32 %q, %i, " + size + ", %q; ld.global." +
            from + " %" + o + ", [%q];\n";
  return text + ptx + "\nld.param.u64 %d, [po]; mad.wide.u32 %d, %i, " + result + ", %d; st.global." + to +
         " [%d], %r;\nret;\n}\n";
}
constexpr const char* head = ".version 8.0\n.target sm_90\n.address_size 64\n";

template <class From>
struct Operands {
  std::vector<From> a, b, c;
};
/// All triples; where an operation has fewer operands, b and c say nothing.
template <class T>
Operands<T> triples(const std::vector<T>& all, size_t operands) {
  Operands<T> out;
  for (T c : operands > 2 ? all : std::vector<T>{T(1)})
    for (T b : operands > 1 ? all : std::vector<T>{T(1)})
      for (T a : all) out.a.push_back(a), out.b.push_back(b), out.c.push_back(c);
  return out;
}
template <class To, class From>
std::vector<To> on_the_machine(Rig& rig, const std::string& kernel, const Operands<From>& in) {
  const uint32_t n = uint32_t(in.a.size());
  const uint64_t out = rig.blank(n * sizeof(To));
  rig.launch(kernel, {(n + 255) / 256, 1, 1}, {256, 1, 1}, 0, rig.buffer(in.a), rig.buffer(in.b),
             rig.buffer(in.c), out, n);
  rig.run();
  return rig.read<To>(out, n);
}

template <class T>
int differences(const char* op, size_t operands, int random_ones) {
  const bool wide = sizeof(T) == 8;
  const std::string type = wide ? "f64" : "f32", registers = operands == 1   ? "%a"
                                                             : operands == 2 ? "%a, %b"
                                                                             : "%a, %b, %c";
  const bool saturates = !wide && std::string("add sub mul fma").find(op) != std::string::npos;
  std::vector<const char*> suffixes = {""};
  if (!wide) suffixes.push_back(".ftz");
  if (saturates) suffixes.insert(suffixes.end(), {".sat", ".ftz.sat"});
  std::string text = head;
  for (const Direction& way : directions)
    for (size_t s = 0; s < suffixes.size(); ++s)
      text +=
          kernel_of(std::string(way.word) + std::to_string(s),
                    std::string(op) + "." + way.word + suffixes[s] + "." + type + " %r, " + registers + ";",
                    type, type);
  Rig rig(Rig::FromPtx{text});
  const Operands<T> in = triples(hard_numbers<T>(random_ones), operands);
  int wrong = 0;
  for (const Direction& way : directions)
    for (size_t s = 0; s < suffixes.size(); ++s) {
      const std::string suffix = suffixes[s];
      const bool ftz = suffix.find("ftz") != std::string::npos, sat = suffix.find("sat") != std::string::npos;
      const std::vector<T> got = on_the_machine<T>(rig, std::string(way.word) + std::to_string(s), in);
      for (size_t i = 0; i < got.size(); ++i) {
        T a = in.a[i], b = in.b[i], c = in.c[i];
        if (ftz) a = simt::flush(a), b = simt::flush(b), c = simt::flush(c);
        T r = one_at_a_time(op, way.mode, a, b, c);
        if (r != r) r = expected_nan(r, a, operands > 1 ? b : T(0), operands > 2 ? c : T(0));
        if (ftz) r = simt::flush(r);
        if (sat) r = simt::saturate(r);
        if (std::bit_cast<Bits<T>>(r) != std::bit_cast<Bits<T>>(got[i]) && ++wrong < 5)
          MESSAGE(op << "." << way.word << suffix << "." << type << " of " << a << ", " << b << ", " << c
                     << " gives " << got[i] << ", not " << r);
      }
    }
  return wrong;
}

template <class To, class From>
int wrong_conversions(const char* to, const char* from, const std::vector<From>& numbers) {
  std::string text = head;
  for (const Direction& way : directions)
    text +=
        kernel_of(way.word, std::string("cvt.") + way.word + "." + to + "." + from + " %r, %a;", from, to);
  Rig rig(Rig::FromPtx{text});
  const Operands<From> in = triples(numbers, 1);
  int wrong = 0;
  for (const Direction& way : directions) {
    const std::vector<To> got = on_the_machine<To>(rig, way.word, in);
    for (size_t i = 0; i < got.size(); ++i) {
      const To r = converted<To>(way.mode, in.a[i]);
      if (std::bit_cast<Bits<To>>(r) != std::bit_cast<Bits<To>>(got[i]) && ++wrong < 5)
        MESSAGE("cvt." << way.word << "." << to << "." << from << " of " << in.a[i] << " gives " << got[i]
                       << ", not " << r);
    }
  }
  return wrong;
}
/// Whole numbers of all lengths, with ones where a rounding looks.
template <class I>
std::vector<I> whole_numbers() {
  std::vector<I> out = {I(0), I(1), I(-1)};
  std::mt19937_64 random(24);
  for (int bits = 1; bits < int(sizeof(I)) * 8; ++bits)
    for (int64_t beside : {-1, 0, 1}) {
      out.push_back(I((uint64_t(1) << bits) + uint64_t(beside)));
      out.push_back(I(~((uint64_t(1) << bits) + uint64_t(beside))));
      out.push_back(I(random() >> (64 - bits)));
    }
  return out;
}

}  // namespace

TEST_CASE("directed rounding: floats are rounded as by the processor, to the bit") {
  for (const char* op : {"add", "sub", "mul", "div"}) CHECK(differences<float>(op, 2, 60) == 0);
  CHECK(differences<float>("fma", 3, 12) == 0);
  for (const char* op : {"sqrt", "rcp"}) CHECK(differences<float>(op, 1, 5000) == 0);
}

TEST_CASE("directed rounding: doubles are rounded as by the processor, to the bit") {
  for (const char* op : {"add", "sub", "mul", "div"}) CHECK(differences<double>(op, 2, 60) == 0);
  CHECK(differences<double>("fma", 3, 20) == 0);
  for (const char* op : {"sqrt", "rcp"}) CHECK(differences<double>(op, 1, 5000) == 0);
}

TEST_CASE("directed rounding: conversions are rounded as by the processor, to the bit") {
  std::vector<double> numbers = hard_numbers<double>(2000);
  for (float f : hard_numbers<float>(500))
    for (double beside : {-0x1p-30, 0x1p-30}) numbers.push_back(double(f) * (1 + beside));
  std::erase_if(numbers, [](double v) { return v != v; });
  CHECK(wrong_conversions<float>("f32", "f64", numbers) == 0);
  CHECK(wrong_conversions<float>("f32", "s32", whole_numbers<int32_t>()) == 0);
  CHECK(wrong_conversions<float>("f32", "u32", whole_numbers<uint32_t>()) == 0);
  CHECK(wrong_conversions<float>("f32", "s64", whole_numbers<int64_t>()) == 0);
  CHECK(wrong_conversions<float>("f32", "u64", whole_numbers<uint64_t>()) == 0);
  CHECK(wrong_conversions<double>("f64", "s64", whole_numbers<int64_t>()) == 0);
  CHECK(wrong_conversions<double>("f64", "u64", whole_numbers<uint64_t>()) == 0);
}

TEST_CASE("directed rounding: the machine has its own mode, and leaves its caller's") {
  Rig rig(Rig::FromPtx{head + kernel_of("near", "add.rn.f32 %r, %a, %b;", "f32", "f32") +
                       kernel_of("down", "add.rm.f32 %r, %a, %b;", "f32", "f32")});
  const Operands<float> in{{1.f}, {0x1p-30f}, {0.f}};
  std::fesetround(FE_UPWARD);
  const float near = on_the_machine<float>(rig, "near", in)[0],
              down = on_the_machine<float>(rig, "down", in)[0];
  const int after = std::fegetround();
  std::fesetround(FE_TONEAREST);
  CHECK(near == 1.f);
  CHECK(down == 1.f);
  CHECK(after == FE_UPWARD);
}
