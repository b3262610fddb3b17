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

/// results.json of PrairieLearn's external grader (prairielearn.readthedocs.io, "External grading", section
/// "Grading results"): `score` from 0 to 1, at most 1 MB, pictures as data URLs.
inline std::string prairielearn_misfits(const nlohmann::json& j) {
  const auto share = [](const nlohmann::json& v) { return v.is_number() && v >= 0.0 && v <= 1.0; };
  const auto text_or_texts = [](const nlohmann::json& v) { return v.is_string() || v.is_array(); };
  const bool gradable = j.value("gradable", true);
  std::string out = misfits(j,
                            {{"gradable", false, [](const nlohmann::json& v) { return v.is_boolean(); }},
                             {"score", gradable, share},
                             {"message", false, is_text},
                             {"output", false, is_text},
                             {"format_errors", false, text_or_texts},
                             {"images", false, is_list},
                             {"tests", false, is_list}},
                            "results");
  const auto pictures = [&](const nlohmann::json& owner, const std::string& where) {
    for (const auto& i : owner.value("images", nlohmann::json::array()))
      out += misfits(i,
                     {{"label", false, is_text},
                      {"url", true,
                       [](const nlohmann::json& v) {
                         return v.is_string() && v.get<std::string>().starts_with("data:image/");
                       }}},
                     where + " image");
  };
  pictures(j, "results");
  for (const auto& t : j.value("tests", nlohmann::json::array())) {
    out += misfits(t,
                   {{"name", true, is_text},
                    {"description", false, is_text},
                    {"points", true, is_number},
                    {"max_points", true, is_number},
                    {"message", false, is_text},
                    {"output", false, is_text},
                    {"images", false, is_list}},
                   "test");
    pictures(t, "test");
  }
  return out + (j.dump().size() > 1000000 ? "larger than 1 MB\n" : "");
}

/// Classroom 50's result.json, classroom50/result/v1: the fields of "The result.json contract"
/// (foundation50/classroom50, wiki page Advanced Autograding) and what its collector refuses. Extra fields of
/// a test are kept verbatim.
inline std::string classroom50_misfits(const nlohmann::json& j) {
  const auto filled = [](const nlohmann::json& v) { return v.is_string() && !v.get<std::string>().empty(); };
  const auto truth = [](const nlohmann::json& v) { return v.is_boolean(); };
  std::string out = misfits(j,
                            {{"schema", true, one_of({"classroom50/result/v1"})},
                             {"classroom", true, filled},
                             {"assignment", true, filled},
                             {"assignment_type", false, one_of({"individual", "group", "team"})},
                             {"owner", false, filled},
                             {"submission", true, filled},
                             {"commit", true, filled},
                             {"release", true, filled},
                             {"review", true, filled},
                             {"datetime", true, filled},
                             {"graded_at", false, filled},
                             {"score", true, is_count},
                             {"max-score", true, is_count},
                             {"tests", true, is_list},
                             {"submitted_by", false, is_object}},
                            "result");
  if (out.empty() && j["score"] > j["max-score"]) out += "score above max-score\n";
  if (out.empty() && !j["submission"].get<std::string>().starts_with("submit/"))
    out += "submission is no submit tag\n";
  for (const auto& t : j.value("tests", nlohmann::json::array())) {
    out += misfits(t,
                   {{"test-name", true, filled},
                    {"passed", true, truth},
                    {"score", true, is_count},
                    {"max-score", true, is_count},
                    {"message", false, is_text}},
                   "test");
    if (out.empty() && t["score"] > t["max-score"]) out += "a test's score above its max-score\n";
  }
  return out;
}

}  // namespace dojo::test
