// std::variant and std::optional: what they hold, when it is made and destroyed, and visits.
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

struct Loud {
  int id;
  Loud(int i) : id(i) { printf("+%d", id); }
  Loud(const Loud& o) : id(o.id) { printf("c%d", id); }
  Loud(Loud&& o) noexcept : id(o.id) {
    o.id = 0;
    printf("m%d", id);
  }
  Loud& operator=(const Loud& o) {
    id = o.id;
    printf("=%d", id);
    return *this;
  }
  ~Loud() { printf("-%d", id); }
};
struct NoDefault {
  int v;
  explicit NoDefault(int x) : v(x) {}
};
template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

using Value = std::variant<int, float, std::string>;

int length(const Value& v) {
  return std::visit(Overloaded{[](int i) { return i; }, [](float f) { return int(f * 10); },
                               [](const std::string& s) { return int(s.size()); }},
                    v);
}

int main() {
  std::optional<std::string> name;
  name = "abc";
  name.emplace("defg");
  printf("%s %zu ", name->c_str(), name->size());
  name.reset();
  printf("%d %d %d\n", name == std::nullopt, std::make_optional(3) == 3,
         std::optional<int>() < std::optional<int>(1));
  std::optional<NoDefault> none;
  printf("%d ", none.has_value());
  none = NoDefault(4);
  printf("%d\n", none->v);
  try {
    std::optional<int>().value();
  } catch (const std::bad_optional_access&) {
    puts("no value");
  }
  {
    std::optional<Loud> a(1), b;
    b = a;
    b.reset();
    a.emplace(2);
    std::optional<Loud> c = std::move(a);
  }
  puts("");
  Value v = 2.5f;
  printf("%zu %g ", v.index(), std::get<float>(v));
  v = std::string("text");
  printf("%d %s ", std::holds_alternative<std::string>(v), std::get<2>(v).c_str());
  v = 7;
  printf("%d %d %d ", std::get<0>(v), std::get_if<float>(&v) == nullptr, v == Value(7));
  v = "literal";
  printf("%zu\n", v.index());
  try {
    printf("%g\n", std::get<float>(v));
  } catch (const std::bad_variant_access&) {
    puts("another alternative");
  }
  v = 2.5f;
  printf("%d ", length(v));
  v = "four";
  printf("%d\n", length(v));
  std::variant<int, double> a = 2, b = 1.5;
  printf("%g\n", std::visit([](auto x, auto y) { return double(x * y); }, a, b));
  std::vector<std::variant<std::monostate, int, std::vector<int>>> all;
  all.emplace_back();
  all.emplace_back(3);
  all.push_back(std::vector<int>{1, 2});
  for (auto& x : all) printf("%zu ", x.index());
  puts("");
  {
    std::variant<int, Loud> l(std::in_place_type<Loud>, 5);
    l = 3;
    l.emplace<Loud>(6);
    auto copy = l;
  }
  puts("");
}
