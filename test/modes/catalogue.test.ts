import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readCatalogue } from "../../src/modes/catalogue.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "parley-modes-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const write = (key: string, head: string, body = "Do it.") =>
  writeFileSync(join(directory, `${key}.md`), `---\n${head}\n---\n${body}\n`);

const keys = (result = readCatalogue(directory)) =>
  result.kind === "catalogue" ? result.modes.all.map(({ key }) => key) : result.problems;

describe("the catalogue", () => {
  it("is ours without a directory", () => {
    const result = readCatalogue(null);
    expect(keys(result)).toEqual(["explain", "general", "implement", "review", "triage"]);
    expect(result).toMatchObject({ modes: { initial: "general" } });
  });

  it("has a mode for changes that drafts, and asks for Unrestricted only where a draft cannot do it, with the reason", () => {
    const result = readCatalogue(null);
    const prompt =
      result.kind === "catalogue" ? result.modes.all.find(({ key }) => key === "implement")?.prompt : "";
    expect(prompt).toMatch(/^Rehearse the change in a draft and propose the result/);
    expect(prompt).toMatch(
      /Ask for Unrestricted only where a draft cannot do it[^]*say which of these it is/,
    );
  });

  it("takes the operator's beside ours, and theirs for ours of the same name", () => {
    write("docs", "name: Docs\nwhen: Texts are to be written.");
    write("triage", "name: Our triage\nwhen: Always.", "Ask for the version first.");
    const result = readCatalogue(directory);
    expect(keys(result)).toEqual(["docs", "explain", "general", "implement", "review", "triage"]);
    expect(result.kind === "catalogue" && result.modes.all.at(-1)?.prompt).toBe("Ask for the version first.");
  });

  it("begins in the operator's default where they name one", () => {
    write("docs", "name: Docs\nwhen: Always.\ndefault: true");
    expect(readCatalogue(directory)).toMatchObject({ modes: { initial: "docs" } });
  });

  it.each([
    ["two defaults", "b", "name: B\nwhen: x\ndefault: true", "exactly one mode must"],
    ["a permission's name", "unrestricted", "name: U\nwhen: x", "is a permission, not a mode"],
    ["an unusable key", "Bad-Key", "name: U\nwhen: x", "must be a-z, 0-9 and _"],
    ["no when", "c", "name: C", "when:"],
    ["an unknown field", "c", "name: C\nwhen: x\ncolour: red", "colour"],
  ])("with %s is refused whole, and says why", (_, key, head, said) => {
    write("a", "name: A\nwhen: x\ndefault: true");
    write(key, head);
    expect(keys().join("\n")).toContain(said);
    expect(readCatalogue(directory).kind).toBe("invalid");
  });

  it("without a prompt, a header or a directory is refused", () => {
    write("a", "name: A\nwhen: x", "");
    expect(keys().join()).toContain("prompt below the header is missing");
    writeFileSync(join(directory, "a.md"), "just text");
    expect(keys().join()).toContain("must begin with a header");
    expect(keys(readCatalogue(join(directory, "absent"))).join()).toContain("cannot be read");
  });
});
