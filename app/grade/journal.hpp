#pragma once
// Rows as they come, on disk: a grading that is killed goes on where it was.
#include <fstream>
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

/// The text of a whole journal.
std::string journal_text(const std::string& fingerprint, const std::vector<Row>& rows);

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
