#pragma once
// Rows as they come, on disk: a grading that is killed goes on where it was.
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "grade/grader.hpp"
#include "grade/row.hpp"

namespace dojo::grade {

/// Stands for all that rows depend on besides the submissions: course, secret, model version. Tells nothing
/// of the secret that could be used to find it but by trying.
std::string fingerprint(const GradeOptions&);

/// The rows of a journal; a half-written last line is dropped, a missing file has none. Throws Error when it
/// belongs to another grading (fingerprint).
std::vector<Row> read_journal(const std::string& file, const std::string& fingerprint);

/// The rows in all journals of a folder ("*.rows.jsonl"), which other processes go on writing.
class Journals {
 public:
  Journals(std::filesystem::path folder, std::string fingerprint)
      : folder_(std::move(folder)), fingerprint_(std::move(fingerprint)) {}
  /// Reads what is new, whole lines only. Throws Error when one belongs to another grading.
  void read_new();
  const std::map<std::string, Row>& rows() const { return rows_; }  ///< by key

 private:
  struct Seen {
    uint64_t file = 0, bytes = 0;
  };
  void read_journal(const std::filesystem::path&);
  std::filesystem::path folder_;
  std::string fingerprint_;
  std::map<std::string, Seen> seen_;
  std::map<std::string, Row> rows_;
};

class Journal {
 public:
  /// Starts a file, with the rows that are there already. Throws Error when it can't be written.
  Journal(const std::string& file, const std::string& fingerprint, const std::vector<Row>& rows);
  /// On disk when it returns.
  void add(const Row&);

 private:
  std::string file_;
  std::ofstream out_;
};

}  // namespace dojo::grade
