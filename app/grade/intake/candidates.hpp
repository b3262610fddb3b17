#pragma once
// The sources that a student handed in, at any depth and within archives, and which of them stands for which
// step.
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/labs/lab.hpp"
#include "grade/intake/layout.hpp"

namespace dojo::grade {

class UnpackedFiles;

class Candidates {
 public:
  Candidates(const Catalog& catalog, const std::vector<const Step*>& steps, UnpackedFiles& files)
      : catalog_(catalog), steps_(steps), unpacked_(files) {}
  /// A folder, an archive or a file; `name`: what the student called it, empty for a folder.
  void collect(const fs::path& root, const std::string& name);

  struct Choice {
    std::map<std::string, fs::path> files;  ///< by step
    std::vector<std::string> unknown;       ///< sources that stand for no step of the course
    std::vector<std::string> unread;        ///< what was not read, and why; `notes` has it, too
    std::vector<std::string> notes;
    /// When the attempt that counts was handed in, where its name says a time: of each step, and the latest.
    std::map<std::string, std::string> submitted_by_step;
    std::string submitted;
  };
  /// Of the attempts that hold a step's file, the last until the step's deadline counts; if all are later,
  /// the last.
  Choice choose(const std::function<std::string(const std::string& step)>& deadline) const;

 private:
  struct Source {
    std::vector<std::string> folders;  ///< above it, archives among them
    std::string name;                  ///< its own: "5-sequential.cu"
    fs::path file;
    int64_t modified = 0;
    /// How many of the folders lie on the disk, the outermost archive with them. What is within an archive
    /// was named by the student: such a name says nothing of when it was handed in.
    size_t outside = 0;
    std::string shown() const;
  };
  void add(std::vector<std::string> folders, const std::string& name, const fs::path& file, int64_t modified,
           size_t outside);
  void collect_archive(const std::string& bytes, const std::vector<std::string>& folders, int depth,
                       size_t outside);
  /// A source that may stand for a step.
  struct Fit {
    bool in_lab = false;  ///< a folder above it names the step's lab
    NameMatch name = NameMatch::none;
    const Source* source = nullptr;
  };
  std::vector<Fit> fits_of(const Step&) const;
  bool is_known(const Source&) const;
  /// The lab that the nearest folder names, or null.
  const Lab* lab_of(const Source&) const;

  const Catalog& catalog_;
  const std::vector<const Step*>& steps_;
  UnpackedFiles& unpacked_;
  std::vector<Source> sources_;
  std::vector<std::string> notes_;
  /// Of all archives: one within another multiplies, as an archive bomb does.
  int archives_ = 0;
  uint64_t unpacked_bytes_ = 0;
  bool full_ = false;  ///< one was left out for that, and a note says so
};

}  // namespace dojo::grade
