#pragma once
// What one call of `warpdojo grade` is: its inputs, read and checked, and the rows that come of them, made
// here or by the tasks of a cluster. Only cmd_grade.cpp includes it.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/cli.hpp"
#include "core/labs/lab.hpp"
#include "grade/book/overrides.hpp"
#include "grade/cases/own_cases.hpp"
#include "grade/grader.hpp"
#include "grade/intake/intake.hpp"

namespace dojo::cli {

/// What the command line asks for, read and checked.
struct Grading {
  Catalog catalog = open_catalog();
  grade::GradeOptions options;
  grade::Intake intake;
  grade::Roster roster;
  grade::Overrides overrides;
  std::optional<grade::OwnCases> own;  ///< of --tests
  std::vector<grade::Submission>& submissions = intake.submissions;

  /// Differs where rows of another call must not be mixed with this call's.
  std::string fingerprint() const;
  /// Of every row that this call makes, in order.
  std::vector<std::string> row_keys() const;
};

void say(const std::string& line);                ///< to standard error
std::string read_whole(const std::string& path);  ///< Throws Error.
fs::path verdicts_program();

/// What would only be missed after hours of grading: files that can't be written, a program that isn't there.
/// Throws Error.
void check_before_start(const GradeCommand&, bool doctest);
/// Reads course, roster, overrides and submissions. Throws Error.
void read_inputs(Grading&, const GradeCommand&);
/// Throws Error when this system has none and --no-sandbox is not there.
void choose_sandbox(Grading&, const GradeCommand&);

/// Grades here. Every row goes to the journal as soon as it is there; rows that are elsewhere are not made.
/// `csv`: a file that shows the rows so far in the order they come, or empty.
std::vector<grade::Row> grade_here(Grading&, const std::string& journal_file, bool resume,
                                   const std::string& csv,
                                   const std::map<std::string, grade::Row>& elsewhere = {});

/// One task of an array job: rows that no other task takes, into a journal of its own.
int grade_shard(Grading&, const GradeCommand&);
/// Writes the manifest of a Kubernetes job, and says what to do with it.
int plan_kubernetes(Grading&, const GradeCommand&);
/// The rows that a Kubernetes job's tasks left in their journals. Throws Error while some are missing.
std::vector<grade::Row> collect(Grading&, const GradeCommand&);
/// Submits an array job to Slurm, and waits for its rows.
std::vector<grade::Row> grade_on_cluster(Grading&, const GradeCommand&);

}  // namespace dojo::cli
