#include "grade/row.hpp"

#include <cctype>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/text/json_words.hpp"

namespace dojo::grade {

using nlohmann::json;

namespace {

/// Marks that end a line or change the direction in which a line is shown (U+200E, U+200F, U+2028 to U+202E,
/// U+2066 to U+2069): "gpj.exe" would be shown as "exe.jpg".
bool turns_text(const std::string& three_bytes) {
  if (three_bytes[0] != '\xE2') return false;
  const std::string rest = three_bytes.substr(1);
  return rest == "\x80\x8E" || rest == "\x80\x8F" || (rest >= "\x80\xA8" && rest <= "\x80\xAE") ||
         (rest >= "\x81\xA6" && rest <= "\x81\xA9");
}

}  // namespace

std::string clean_text(const std::string& s, size_t most) {
  std::string out;
  for (size_t i = 0; i < s.size();) {
    const auto c = static_cast<unsigned char>(s[i]);
    size_t n = c < 0x80                ? 1
               : c >= 0xC2 && c < 0xE0 ? 2
               : c >= 0xE0 && c < 0xF0 ? 3
               : c >= 0xF0 && c < 0xF5 ? 4
                                       : 0;
    bool fine = n > 0 && i + n <= s.size();
    for (size_t k = 1; fine && k < n; ++k) fine = (static_cast<unsigned char>(s[i + k]) & 0xC0) == 0x80;
    if (out.size() + n > most) return out + " ...";
    if (!fine) {
      out += '?';
      ++i;
      continue;
    }
    if (n == 1 && (c < 0x20 || c == 0x7F))
      out += ' ';
    else if (n == 3 && turns_text(s.substr(i, 3)))
      out += '?';
    else
      out.append(s, i, n);
    i += n;
  }
  return out;
}

const char* to_string(RowStatus s) {
  switch (s) {
    case RowStatus::none:
      return "";
    case RowStatus::pass:
      return "pass";
    case RowStatus::gate_failed:
      return "gate_failed";
    case RowStatus::wrong:
      return "wrong";
    case RowStatus::compile_error:
      return "compile_error";
    case RowStatus::finding:
      return "finding";
    case RowStatus::timeout:
      return "timeout";
    case RowStatus::crash:
      return "crash";
    case RowStatus::missing:
      return "missing";
    case RowStatus::flagged:
      return "flagged";
    case RowStatus::not_graded:
      return "not_graded";
  }
  return "";
}

RowStatus row_status(const std::string& word) {
  for (int k = 0; k <= int(RowStatus::not_graded); ++k)
    if (word == to_string(RowStatus(k))) return RowStatus(k);
  throw Error("'" + word + "' is no status of a row");
}

std::string words_for_student(const Row& r) {
  if (r.hidden) return {};
  if (r.message.empty() || r.comment.empty()) return r.message + r.comment;
  return r.message + (std::ispunct(static_cast<unsigned char>(r.message.back())) ? " " : "; ") + r.comment;
}

std::string to_json(const Row& r) {
  json j{{"student", r.student}, {"lab", r.lab},
         {"step", r.step},       {"status", to_string(r.status)},
         {"points", r.points},   {"max_points", r.max_points},
         {"time_us", r.time_us}, {"model_version", r.model_version},
         {"message", r.message}, {"deadline", r.deadline},
         {"hidden", r.hidden},   {"visibility", r.visibility},
         {"problem", r.problem}, {"checks", json::array()}};
  if (!r.submitted.empty()) j["submitted"] = r.submitted;
  if (r.marked_late) j["marked_late"] = true;
  if (r.raw_points >= 0) {
    j["raw_points"] = r.raw_points;
    j["raw_max_points"] = r.raw_max_points;
  }
  if (r.late_days > 0) j["late_days"] = r.late_days;
  if (!r.counts) j["counts"] = false;
  if (r.excused) j["excused"] = true;
  if (!r.comment.empty()) j["comment"] = r.comment;
  for (const auto& c : r.checks)
    j["checks"].push_back({{"name", c.name},
                           {"passed", c.passed},
                           {"points", c.points},
                           {"max_points", c.max_points},
                           {"message", c.message}});
  return j.dump(-1, ' ', false, json::error_handler_t::replace);
}

Row row_from_json(const std::string& text) {
  try {
    const json j = json::parse(text);
    Row r;
    r.student = j.at("student");
    r.lab = j.at("lab");
    r.step = j.at("step");
    r.status = row_status(j.at("status").get<std::string>());
    r.points = j.at("points");
    r.max_points = j.at("max_points");
    r.time_us = j.at("time_us");
    r.model_version = j.at("model_version");
    r.message = j.at("message");
    r.deadline = j.value("deadline", "");
    r.hidden = j.value("hidden", false);
    r.visibility = j.value("visibility", "visible");
    r.problem = j.value("problem", "");
    r.submitted = j.value("submitted", "");
    r.marked_late = j.value("marked_late", false);
    r.raw_points = j.value("raw_points", -1.0);
    r.raw_max_points = j.value("raw_max_points", -1.0);
    r.late_days = j.value("late_days", 0);
    r.counts = j.value("counts", true);
    r.excused = j.value("excused", false);
    r.comment = j.value("comment", "");
    for (const auto& c : j.at("checks"))
      r.checks.push_back({c.at("name"), c.at("passed"), c.at("points"), c.at("max_points"), c.at("message")});
    return r;
  } catch (const json::exception& e) {
    throw Error("not a row of grades: " + json_words(e, text));
  }
}

}  // namespace dojo::grade
