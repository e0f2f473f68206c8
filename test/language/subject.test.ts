import { expect, it } from "vitest";
import { subjectFault } from "./subject.ts";

it.each([
  "shell: move the search for unparsed code to hidden.ts",
  "site: answer and close connections in one place",
  "store, features: declare tables in the features that own them",
])("a subject has an area, an imperative and an object: %s", (subject) => {
  expect(subjectFault(subject)).toBeNull();
});

it.each([
  ["What is hidden in a tree has a file", "not in the form `area: verb object`"],
  ["shell: Move the search", "not in the form `area: verb object`"],
  ["shell: moved the search for unparsed code", "not imperative"],
  ["shell: moves the search for unparsed code", "not imperative"],
  [`shell: move ${"x".repeat(70)}`, "longer than 72 characters"],
  ["shell: say of whoever asked what was found", "needs a second reading"],
])("a subject off the form is named with its fault: %s", (subject, fault) => {
  expect(subjectFault(subject)).toBe(fault);
});
