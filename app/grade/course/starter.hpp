#pragma once
// What the unsolved file of a step earns by itself: nothing. Its own run, made once per step as the
// reference's is, says which gates it meets.
#include <string>
#include <vector>

#include "core/report.hpp"

namespace dojo::grade {

struct Starter {
  bool right = false;            ///< its results are right, without findings, and a gate fails
  std::vector<std::string> met;  ///< names of the gates that it meets; only when it is right
  bool meets(const std::string& gate) const;
};

/// From the starter's run with gates.
Starter starter_of(const RunReport&);

/// Are two sources one program, but for comments and white space? Then the starter's run is the file's own.
bool same_program(const std::string& a, const std::string& b);

/// Do right results earn their share? They do unless the starter's are right as well and the run meets no
/// gate that the starter fails. Example: a starter that is right and fails both gates earns nothing, nor does
/// the same file with another comment; with one gate met, the results count too.
bool results_earned(const Starter&, const RunReport&);

}  // namespace dojo::grade
