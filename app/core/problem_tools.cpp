#include "core/problem_tools.hpp"

#include "core/error.hpp"

namespace dojo {
namespace {

Buffer empty_buffer(std::string name, Elem elem, std::vector<int64_t> shape, Role role) {
  Buffer b;
  b.name = std::move(name);
  b.elem = elem;
  b.shape = std::move(shape);
  b.role = role;
  return b;
}

}  // namespace

int64_t extent(const Step& step, const Size& size, const std::string& name, int64_t most) {
  const auto it = size.find(name);
  if (it == size.end())
    throw Error(step.id() + " needs a size " + name + ", for example --size " + name + "=1000");
  const int64_t n = it->second;
  const std::string given = name + " = " + std::to_string(n);
  if (n < 0) throw Error(given + " is negative; give 0 or more");
  if (n > most)
    throw Error(given + " is too large for " + step.id() + "; the most is " + std::to_string(most));
  const auto multiple = step.params.find("multiple_of");
  if (multiple != step.params.end() && n % int64_t(multiple->second) != 0)
    throw Error(given + " is not a multiple of " + std::to_string(int64_t(multiple->second)) + ", which " +
                step.id() + " needs");
  return n;
}

Buffer uniform_buffer(std::string name, std::vector<int64_t> shape, Random& random, float lo, float hi) {
  Buffer b = empty_buffer(std::move(name), Elem::f32, std::move(shape), Role::in);
  b.data.resize(size_t(b.count()) * sizeof(float));
  for (float& x : b.as<float>()) x = random.uniform(lo, hi);
  return b;
}

Buffer uniform_buffer_f64(std::string name, std::vector<int64_t> shape, Random& random, double lo,
                          double hi) {
  Buffer b = empty_buffer(std::move(name), Elem::f64, std::move(shape), Role::in);
  b.data.resize(size_t(b.count()) * sizeof(double));
  for (double& x : b.as<double>()) x = lo + (hi - lo) * (double(random.next() >> 11) * 0x1p-53);
  return b;
}

Buffer output_buffer(std::string name, Elem elem, std::vector<int64_t> shape, std::vector<double> expected,
                     std::vector<double> tolerance) {
  Buffer b = empty_buffer(std::move(name), elem, std::move(shape), Role::out);
  b.expected = std::move(expected);
  b.tolerance = std::move(tolerance);
  return b;
}

Buffer unchecked_output(std::string name, Elem elem, std::vector<int64_t> shape) {
  return empty_buffer(std::move(name), elem, std::move(shape), Role::out);
}

}  // namespace dojo
