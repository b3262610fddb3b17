// The labs of an installed program, copied to the student's folder and kept up to date.
#include <doctest/doctest.h>
#include <unistd.h>

#include "core/install/user_labs.hpp"
#include "shell.hpp"

using namespace dojo;
using namespace dojo::test;

namespace {

void install(const TempFolder& t, const std::string& version, const std::string& kernel) {
  t.write("share/version", version + "\n");
  t.write("share/labs/01-a/lab.toml", "title = \"" + version + "\"\n");
  t.write("share/labs/01-a/1-one.cu", kernel);
  t.write("share/labs/01-a/2-two.cu", kernel);
  t.write("share/reference/01-a/1-one.cu", "solved " + version);
}

}  // namespace

TEST_CASE("an installed program copies its labs once; an upgrade renews what the student left as it was") {
  TempFolder t;
  const fs::path share = t.path / "share", own = t.path / "home" / "labs";
  install(t, "1", "// TODO of version 1\n");
  REQUIRE(user_labs(share, own) == own);
  CHECK(is_user_labs(own));
  CHECK(read_or_empty(own / "labs/01-a/1-one.cu") == "// TODO of version 1\n");
  CHECK(read_or_empty(own / "reference/01-a/1-one.cu") == "solved 1");

  t.write("home/labs/labs/01-a/1-one.cu", "mine\n");
  t.write("home/labs/labs/09-own/lab.toml", "a lab of my own\n");
  CHECK(user_labs(share, own) == own);
  CHECK(read_or_empty(own / "labs/01-a/1-one.cu") == "mine\n");

  install(t, "2", "// TODO of version 2\n");
  CHECK(user_labs(share, own) == own);
  CHECK(read_or_empty(own / "labs/01-a/1-one.cu") == "mine\n");
  CHECK(read_or_empty(own / "labs/01-a/2-two.cu") == "// TODO of version 2\n");
  CHECK(read_or_empty(own / "labs/01-a/lab.toml") == "title = \"2\"\n");
  CHECK(read_or_empty(own / "labs/09-own/lab.toml") == "a lab of my own\n");
  // What a reset goes back to is the new version's file.
  CHECK(read_or_empty(delivered_copy(own, "labs/01-a/1-one.cu")) == "// TODO of version 2\n");
}

TEST_CASE("a lab of the user's own has room beside the installed references, before and after an upgrade") {
  TempFolder t;
  const fs::path share = t.path / "share", own = t.path / "home" / "labs";
  install(t, "1", "x");
  REQUIRE(user_labs(share, own) == own);
  open_for(own, "reference/09-own/1-one.cu");
  t.write("home/labs/reference/09-own/1-one.cu", "mine");
  CHECK(!fs::exists(share / "reference/09-own"));
  CHECK(read_or_empty(own / "reference/01-a/1-one.cu") == "solved 1");
  open_for(own, "reference/01-a/2-two.cu");
  t.write("home/labs/reference/01-a/2-two.cu", "mine");
  CHECK(!fs::exists(share / "reference/01-a/2-two.cu"));
  CHECK(read_or_empty(own / "reference/01-a/1-one.cu") == "solved 1");
  open_for(t.path / "share", "reference/09-own/1-one.cu");  // no copy of the labs: nothing is done

  install(t, "2", "x");
  t.write("share/reference/02-b/1-one.cu", "solved b");
  CHECK(user_labs(share, own) == own);
  CHECK(read_or_empty(own / "reference/02-b/1-one.cu") == "solved b");
  CHECK(read_or_empty(own / "reference/01-a/1-one.cu") == "solved 2");
  CHECK(read_or_empty(own / "reference/01-a/2-two.cu") == "mine");
  CHECK(read_or_empty(own / "reference/09-own/1-one.cu") == "mine");
}

TEST_CASE("the copied labs find the data of a program that was moved") {
  TempFolder t;
  install(t, "1", "x");
  const fs::path own = t.path / "own", moved = t.path / "moved";
  REQUIRE(user_labs(t.path / "share", own) == own);
  fs::rename(t.path / "share", moved);
  CHECK(user_labs(moved, own) == own);
  CHECK(read_or_empty(own / "reference/01-a/1-one.cu") == "solved 1");
}

TEST_CASE("a folder that is something else is left alone, and the labs are used where they are installed") {
  TempFolder t;
  install(t, "1", "x");
  t.write("own/notes.txt", "mine");
  CHECK(user_labs(t.path / "share", t.path / "own") == t.path / "share");
  CHECK_FALSE(fs::exists(t.path / "own/labs"));
  CHECK(user_labs(t.path / "share", {}) == t.path / "share");
  t.write("file", "");
  CHECK(user_labs(t.path / "share", t.path / "file" / "labs") == t.path / "share");
}
