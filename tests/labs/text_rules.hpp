#pragma once
// What can be checked of the labs' texts: sentences, words, headings, and answers that a text gives away.
#include <string>
#include <vector>

namespace dojo::test {

/// Prose of a brief, a hint or a comment: without fenced blocks, tables, live numbers and headings. Inline
/// code becomes the word "code".
std::string prose(const std::string& markdown);

/// Sentences with more words than a reader takes in at once (22).
std::vector<std::string> long_sentences(const std::string& prose);

/// Words that the style guide replaces, and "a" where "per" is meant ("two loads a thread").
std::vector<std::string> wrong_words(const std::string& prose);

/// Empty, or what is wrong with the frame of a step's brief: "# 5. Title" first, no other heading, and one
/// imperative "**To do:** ..." as its last paragraph.
std::string wrong_frame(const std::string& brief, int number);

/// True when a text gives a question's answer away: the number, or the words of the right choice. A number
/// that occurs everywhere (one digit, or 16, 32, ... 1024) counts only beside what the question asks for.
bool tells_answer(const std::string& text, const std::string& question, const std::string& answer);

}  // namespace dojo::test
