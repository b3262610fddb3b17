#pragma once
// The child in which an instructor's test cases run: `worker --tests OBJECT`. It is enclosed as a runner is.
// The grader and it talk in lines of JSON; a call of the student's file goes to the grader, which asks a
// worker child.
//   child: {"cases": [{"name", "points"}]}                  once
//   grader: {"first": 0}                                    run from this case on
//   child: {"call": REQUEST}      grader: an event of the worker (docs/worker.md)
//   child: {"ended": 0, "passed": true, "messages": []}     per case; after the last one {"end": true}
//   child: {"failed": "..."}                                the object can't be run
#include <string>

namespace dojo::grade {

/// The child's main. Returns its exit status.
int case_child_main(const std::string& object);

}  // namespace dojo::grade
