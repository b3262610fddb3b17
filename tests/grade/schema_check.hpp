#pragma once
// The services' formats as tables: which fields an object may have, of which kind, and which it must. A field
// that the service doesn't know is a mistake too: it would be dropped without a word.
#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace dojo::test {

struct Field {
  std::string name;
  bool must = false;
  std::function<bool(const nlohmann::json&)> fits;
};
using Fields = std::vector<Field>;

inline auto is_text = [](const nlohmann::json& j) { return j.is_string(); };
inline auto is_number = [](const nlohmann::json& j) { return j.is_number(); };
inline auto is_count = [](const nlohmann::json& j) { return j.is_number_integer() && j.get<double>() >= 0; };
inline auto is_object = [](const nlohmann::json& j) { return j.is_object(); };
inline auto is_list = [](const nlohmann::json& j) { return j.is_array(); };
inline auto is_text_or_number = [](const nlohmann::json& j) { return j.is_string() || j.is_number(); };
inline auto one_of(std::vector<std::string> words) {
  return [words](const nlohmann::json& j) {
    return j.is_string() && std::find(words.begin(), words.end(), j.get<std::string>()) != words.end();
  };
}

/// What is wrong with an object, a line each; empty when it fits.
inline std::string misfits(const nlohmann::json& object, const Fields& fields, const std::string& where) {
  if (!object.is_object()) return where + " is no object\n";
  std::string out;
  for (const auto& f : fields) {
    const auto at = object.find(f.name);
    if (at == object.end())
      out += f.must ? where + " lacks " + f.name + "\n" : "";
    else if (!f.fits(*at))
      out += where + "." + f.name + " can't be " + at->dump() + "\n";
  }
  for (const auto& item : object.items())
    if (std::none_of(fields.begin(), fields.end(), [&](const Field& f) { return f.name == item.key(); }))
      out += where + "." + item.key() + " is not known\n";
  return out;
}

/// results.json of Gradescope's autograder specification (gradescope-autograders.readthedocs.io, "Output
/// format").
inline std::string gradescope_misfits(const nlohmann::json& j) {
  const auto visibility = one_of({"hidden", "after_due_date", "after_published", "visible"});
  const auto format = one_of({"text", "html", "simple_format", "md", "ansi"});
  std::string out = misfits(j,
                            {{"score", false, is_number},
                             {"execution_time", false, is_number},
                             {"output", false, is_text},
                             {"output_format", false, format},
                             {"test_output_format", false, format},
                             {"test_name_format", false, format},
                             {"visibility", false, visibility},
                             {"stdout_visibility", false, visibility},
                             {"extra_data", false, is_object},
                             {"tests", !j.contains("score"), is_list},
                             {"leaderboard", false, is_list}},
                            "results");
  for (const auto& t : j.value("tests", nlohmann::json::array()))
    out += misfits(t,
                   {{"score", !j.contains("score"), is_number},
                    {"max_score", false, is_number},
                    {"status", false, one_of({"passed", "failed"})},
                    {"name", false, is_text},
                    {"name_format", false, format},
                    {"number", false, is_text_or_number},
                    {"output", false, is_text},
                    {"output_format", false, format},
                    {"tags", false, is_list},
                    {"visibility", false, visibility},
                    {"extra_data", false, is_object}},
                   "test");
  return out;
}

/// What GitHub Classroom's autograding-grading-reporter (v1) reads of a runner's result, and what its runners
/// write.
inline std::string classroom_misfits(const nlohmann::json& j) {
  const auto status = one_of({"pass", "fail", "error"});
  std::string out = misfits(j,
                            {{"version", true, is_count},
                             {"status", true, status},
                             {"max_score", true, is_number},
                             {"tests", true, is_list}},
                            "result");
  for (const auto& t : j.value("tests", nlohmann::json::array()))
    out += misfits(t,
                   {{"name", true, is_text},
                    {"status", true, status},
                    {"score", true, is_number},
                    {"message", false, is_text},
                    {"test_code", false, is_text},
                    {"filename", false, is_text},
                    {"line_no", false, is_count},
                    {"duration", false, is_number}},
                   "test");
  return out;
}

}  // namespace dojo::test
