#pragma once
// For instructors: files that run in the place of the student's, and the outcomes of a whole lab.
#include <memory>
#include <string>
#include <vector>

#include "core/labs/lab.hpp"
#include "core/report.hpp"

namespace dojo::gui {

/// A file that runs in the place of the student's. Nothing of it is kept: no progress, no history.
struct StandIn {
  enum Kind { reference, wrong, submission, stored } kind = wrong;
  std::string label;   ///< "reference", "no-barrier", "ada": told apart by it
  std::string words;   ///< what it is, in a sentence; of a stored report: what is missing of it
  std::string expect;  ///< of a wrong version: how it must fail
  fs::path file;
  std::string text;
  bool missing = false;  ///< of a submission: nothing readable was handed in
                         ///< of a stored report: nothing can run
  std::string ran_on;    ///< of a stored report: the device, and whether it was modelled or measured
  bool hostile() const { return kind == submission; }
};

/// What may stand in for a step's file: its reference where there is one, and the wrong versions that are
/// stored below tests/wrong (a course without them has none). Files are read.
std::vector<StandIn> stand_ins(const Catalog&, const Step&);

/// How a wrong version must end, in words: "finding race line 11" is "a finding at line 11: race".
std::string expected_words(const std::string& expect);

/// One run of a whole lab.
struct LabRow {
  enum Kind { student, reference, wrong } kind = reference;
  std::string step, label;  ///< label: "your file", "reference", "no-barrier"
  std::string expect;       ///< of a wrong version
  bool ran = false;
  Status status = Status::pass;
  std::string note;          ///< the first finding or failed gate, or why it could not run
  bool told = false;         ///< there is something to expect ...
  bool as_expected = false;  ///< ... and it came
  double time_us = 0;
};
struct LabChoice {
  bool students = false, references = true, wrong = true;
};
std::vector<LabRow> lab_rows(const Catalog&, const Lab&, const LabChoice&);
/// Fills in what a run says.
void take_run(LabRow&, const RunReport&);
/// "41 of 43 as expected".
std::string summary(const std::vector<LabRow>&);

}  // namespace dojo::gui
