#pragma once
// From what an instructor downloads to one submission per student. A class is a folder or an archive of
// students' folders, archives and files; a student's folder holds 01-reduce/5-sequential.cu, the course's
// whole repository, or files under names that come near. Understood: zip, tar and tar.gz at any place, one in
// another; Canvas's flat downloads, Moodle's folders, Gradescope's export; several attempts. Every input
// becomes a submission or a note that says why not.
//
// Which file stands for a step: the one whose folder names the lab and whose own name comes nearest
// (layout.hpp); of several the one of the latest attempt. Example: hw.zip with 01-Reduce/5-sequential-1.cu
// stands for reduce/5-sequential, unless 01-Reduce/5-sequential.cu is there as well.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/files/scratch_folder.hpp"
#include "grade/intake/roster.hpp"
#include "grade/submission.hpp"

namespace dojo::grade {

/// What archives held, as files of a private folder that goes with this object.
class UnpackedFiles {
 public:
  UnpackedFiles();
  fs::path keep(const std::string& text);
  /// A new empty folder within.
  fs::path folder();

 private:
  ScratchFolder folder_{"unpacked"};
  size_t count_ = 0;
};

struct Intake {
  std::vector<Submission> submissions;
  std::vector<std::string> notes;  ///< one line each: a choice between files, an input without a row
  std::shared_ptr<UnpackedFiles> files;
};

struct IntakeOptions {
  const Course* course = nullptr;  ///< files are looked for these steps; null: for all of the catalog
  const Roster* roster = nullptr;  ///< names become ids; of a class, who handed in nothing is there, too
  bool one_student = false;        ///< each path is one student's, whatever it holds; else looked at
  bool with_missing = true;        ///< false: only who handed in something
  /// Until when a student's step may be handed in: of several attempts the last one until then counts. Empty:
  /// the last.
  std::function<std::string(const std::string& student, const std::string& step)> deadline;
};

/// Throws Error when a path isn't there, or when nothing at all can be graded.
Intake take_in(const std::vector<std::string>& paths, const Catalog&, const IntakeOptions& = {});

}  // namespace dojo::grade
