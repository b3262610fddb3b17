#pragma once
// A report in words: the headline, the figures beside it, how a prediction came out, size and time texts.
#include <string>
#include <vector>

#include "core/labs/lab.hpp"
#include "core/report.hpp"
#include "run/verdict/shown.hpp"

namespace dojo::gui {

/// Words that the terminal shares, as the window writes them: "us" as µs, long whole numbers in groups.
std::string for_reading(const std::string&);
/// The wrong result is the printed text: a diagnostic of kind "printed" says where the texts part.
bool text_differs(const RunReport&);

enum class Tone { good, bad, warn, neutral };

struct Headline {
  Tone tone = Tone::neutral;
  std::string title;   ///< "Right, but a gate fails"
  std::string detail;  ///< one sentence: what to look at first
};
Headline headline(const RunReport&);
/// What was found, what stopped the run before what was only noticed.
std::vector<const Diagnostic*> errors_first(const RunReport&);

/// "n = 4 194 304 (2^22)", "4096 × 1024".
std::string size_text(const Size&);
/// The short form, without a name: "2^22", "4096 × 1024".
std::string short_size(const Size&);
/// Parses "4194304", "2^22", "4M", "n=1000", "rows=64, cols=1k" against the names of `like`. Throws Error
/// saying what is wrong with it.
Size parse_size(const std::string& text, const Size& like);
/// Sizes to offer for a step: its own, smaller and larger ones, ascending and without doubles.
std::vector<Size> size_choices(const Size& own);

/// "block (3, 0, 0)" and such.
std::string dim_text(const Dim3&);
/// "block (0,0,0), thread (5,0,0)" with what is known of both, or "".
std::string place_text(const std::optional<Dim3>& block, const std::optional<Dim3>& thread);

/// Ratio student : reference as words: "1.8× the reference's time", "as fast as the reference".
std::string ratio_text(double student_us, double reference_us);

/// How a prediction came out.
struct Reveal {
  bool judged = false;  ///< false: the answer isn't known (no reference run yet)
  bool right = false;
  std::string typed, answer;  ///< as shown
};
/// What the student said, in words, or why nothing was said.
std::string predicted_words(const std::string& typed, bool skipped);
Reveal reveal(const Step&, const std::string& typed, const Report*);
/// A live number of a brief, or an em dash while there is no run (or the name isn't known).
std::string live_value(const std::string& expr, const Step&, const Report*);
/// Whether what is typed can be a prediction: a number where the question asks for one.
bool can_predict(const Prediction&, const std::string& typed);
/// Reads a number as people type it: "70", "1/7", "4.2k", "2^10", "98 %". False when it is none. Three
/// digits behind each comma and no leading zero are thousands ("3,584"); a single other comma is a decimal
/// point ("0,142", "12,5").
bool parse_number(const std::string& text, double& value);

/// A time as the device counts it: "12.5 µs", or "24 units" on a toy.
std::string time_on(const ReportDevice&, double us);
/// The unit of its times on an axis.
const char* time_unit(const ReportDevice&);

}  // namespace dojo::gui
