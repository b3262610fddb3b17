#include "grade/journal.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>

#include "core/error.hpp"
#include "simt/time/version.hpp"

namespace dojo::grade {
namespace {

constexpr const char* head = "{\"grading\":\"";

std::string first_line(const std::string& fingerprint) { return head + fingerprint + "\"}"; }

std::string journal_text(const std::string& fingerprint, const std::vector<Row>& rows) {
  std::string text = first_line(fingerprint) + "\n";
  for (const auto& r : rows) text += to_json(r) + "\n";
  return text;
}

void refuse_other(const std::string& file, const std::string& line, const std::string& fingerprint) {
  if (line != first_line(fingerprint) && line.starts_with(head))
    throw Error(file +
                " belongs to another grading (other course, secret or model version): remove it, or grade "
                "without --resume");
}

}  // namespace

std::string fingerprint(const GradeOptions& o) {
  const Course& c = o.course;
  std::string text = fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|", o.secret, c.device, c.correct_share,
                                 o.seeds > 0 ? o.seeds : c.seeds, c.time_limit_s, c.compile_limit_s,
                                 c.memory_mb, simt::model_version());
  for (const auto& s : c.steps) {
    text += fmt::format("{}={}{}{}{}", s.step, s.points, s.hidden ? "h" : "", s.visibility, s.correct_share);
    for (const auto& [name, extent] : s.size) text += fmt::format(",{}={}", name, extent);
    for (const auto& [gate, weight] : s.gate_weights) text += fmt::format(",{}={}", gate, weight);
    text += ';';
  }
  uint64_t a = 0xcbf29ce484222325ull, b = 0x9ae16a3b2f90404full;
  for (int round = 0; round < 1000; ++round)  // slow enough that trying secrets is no fun
    for (unsigned char ch : text) {
      a = (a ^ ch) * 0x100000001b3ull;
      b = (b ^ ch ^ (a >> 32)) * 0x100000001b3ull;
    }
  return fmt::format("{:016x}", a ^ (b >> 7));
}

std::vector<Row> read_journal(const std::string& file, const std::string& fingerprint) {
  std::vector<Row> rows;
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line)) return rows;
  refuse_other(file, line, fingerprint);
  while (std::getline(in, line)) {
    try {
      if (!line.empty()) rows.push_back(row_from_json(line));
    } catch (const Error&) {
      break;
    }
  }
  return rows;
}

void Journals::read_new() {
  std::error_code ec;
  for (const auto& e : std::filesystem::directory_iterator(folder_, ec))
    if (e.path().filename().string().ends_with(".rows.jsonl")) read_journal(e.path());
}

void Journals::read_journal(const std::filesystem::path& file) {
  struct stat now {};
  if (stat(file.c_str(), &now) != 0) return;
  Seen& seen = seen_[file.filename().string()];
  // A task that began again has put a new file there.
  if (seen.file != now.st_ino || uint64_t(now.st_size) < seen.bytes) seen = {now.st_ino, 0};
  if (uint64_t(now.st_size) == seen.bytes) return;
  std::ifstream in(file, std::ios::binary);
  in.seekg(std::streamoff(seen.bytes));
  std::string line;
  while (std::getline(in, line) && !in.eof()) {  // at the end: half a line, read next time
    if (seen.bytes == 0) refuse_other(file.string(), line, fingerprint_);
    seen.bytes += line.size() + 1;
    if (line.empty() || line.starts_with(head)) continue;
    try {
      Row r = row_from_json(line);
      rows_.insert_or_assign(r.key(), std::move(r));
    } catch (const Error&) {  // what a dying node wrote
    }
  }
}

Journal::Journal(const std::string& file, const std::string& fingerprint, const std::vector<Row>& rows)
    : file_(file) {
  // Beside it first: a kill between truncating and rewriting must lose nothing.
  const std::string next = file + ".new";
  {
    std::ofstream out(next, std::ios::trunc);
    out << journal_text(fingerprint, rows);
    if (!out.flush()) throw Error("cannot write " + next);
  }
  std::error_code ec;
  std::filesystem::rename(next, file, ec);
  out_.open(file, std::ios::app);
  if (ec || !out_) throw Error("cannot write " + file);
}

void Journal::add(const Row& r) {
  out_ << to_json(r) << std::endl;
  if (!out_) throw Error("cannot write " + file_);
}

}  // namespace dojo::grade
