#pragma once
// From what a run earned to what counts. In this order: lateness, changes by hand, excuses, drops. Each is
// said in the row's comment. The points that the run earned stay in the row (raw_points), so that a regrade
// and a merge begin from them.
//
// Example: 10 points, 26 hours late, per_day 0.1, no grace: two begun days, 10 * (1 - 0.2) = 8. An extension
// of 2d makes it 10.
#include <set>
#include <string>
#include <vector>

#include "grade/book/overrides.hpp"
#include "grade/intake/roster.hpp"
#include "grade/row.hpp"

namespace dojo::grade {

/// When a student's step is due: its deadline with the student's extension (a span, or a time of its own).
/// Empty: never.
std::string due(const std::string& deadline, const std::string& extension);
/// Until when it is handed in in time: the due time and the grace of late rules.
std::string last_moment(const Course&, const CourseStep&, const std::string& extension);
/// The student's extension: of the overrides, else of the roster.
std::string extension_of(const std::string& student, const Overrides&, const Roster&);

/// Begun days between the due time (with grace) and the submission; 0: in time.
int days_late(const std::string& submitted, const std::string& due, int grace_minutes);

void apply_rules(const Course&, const Roster&, const Overrides&, std::vector<Row>&);
/// The same after a merge: the rows of students that are not in `graded` stay as they were, but for those of
/// whom the overrides or the roster tell something. So the call for an appeal need not repeat the class's.
void apply_rules_after_merge(const Course&, const Roster&, const Overrides&,
                             const std::set<std::string>& graded, std::vector<Row>&);

/// Points and maximum of a student over the rows that count.
struct Total {
  double points = 0, max_points = 0;
};
Total total_of(const std::vector<Row>&, const std::string& student);

/// Old rows with those of `now` in their places: an appeal regrades one student.
std::vector<Row> merge(std::vector<Row> old, const std::vector<Row>& now);

/// Names that tell nothing: "anon-1f0c2b", from the secret and the student's name. Two never share one. The
/// rows get these names and are sorted by them, a student's own in their order.
struct Anonymous {
  std::string name, student;
};
std::vector<Anonymous> anonymous_names(const std::string& secret, std::vector<Row>&);

}  // namespace dojo::grade
