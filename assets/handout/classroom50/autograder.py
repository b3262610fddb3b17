#!/usr/bin/env python3
"""Classroom 50's autograder: grades the student's checkout (the working directory) and leaves ./result.json.

Put it into CLASSROOM/autograders/ASSIGNMENT/ with course.toml and, for practice, secret.txt beside it, and name a
container image with WarpDojo built in /opt/warpdojo in the assignment's `runtime`. What lies beside this file can be
read by anyone who finds the pages' address: use another secret for the grades that count, and grade the repositories
with it after the deadline.
"""
import os
import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parent
root = os.environ.setdefault("WARPDOJO_ROOT", "/opt/warpdojo")
words = [os.environ.get("WARPDOJO", root + "/warpdojo"), "grade", ".", "--one-student", "--format", "classroom50", "--out", "result.json"]
for option, name in (("--course", "course.toml"), ("--secret-file", "secret.txt")):
    if (here / name).exists():
        words += [option, str(here / name)]
if (here / "no-sandbox").exists():  # the runner's machine is thrown away after one submission
    words.append("--no-sandbox")
environment = {k: v for k, v in os.environ.items() if k != "WARPDOJO_SECRET"}
when = subprocess.run(["git", "log", "-1", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", "--format=%cd"],
                      env={**environment, "TZ": "UTC"}, capture_output=True, text=True, check=False).stdout.strip()
if when:
    environment["WARPDOJO_SUBMITTED"] = when
sys.exit(subprocess.run(words, env=environment, check=False).returncode)
