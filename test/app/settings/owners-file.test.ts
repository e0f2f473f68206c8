/** The operator's table of owners: every mistake is told with its line, before the host starts. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readOwnersFile } from "../../../src/app/settings/owners-file.ts";
import { scratch } from "../../scratch.ts";

const read = (text: string) => {
  const file = join(scratch("owners"), "owners.json");
  writeFileSync(file, text);
  return readOwnersFile(file);
};

describe("PARLEY_CODEOWNERS", () => {
  it("maps logins, teams and addresses, whatever their case, to ids", () => {
    const text = `{
      // the web team
      "@Acme/Web": ["slack:group:S024BE7LH", "discord:role:123456789012345678"],
      "@ada": "slack:U024BE7LH",
      "ada@example.org": ["console:operator", "discord:123456789012345678"],
      "*": "approvers",
    }`;
    expect(read(text)).toEqual({
      kind: "table",
      table: new Map([
        ["@acme/web", ["slack:group:S024BE7LH", "discord:role:123456789012345678"]],
        ["@ada", ["slack:U024BE7LH"]],
        ["ada@example.org", ["console:operator", "discord:123456789012345678"]],
        ["*", ["approvers"]],
      ]),
    });
  });

  it.each([
    ["{", /:1: is not JSON/],
    ["[]", /:1: the file is wrong/],
    ['{\n"ada": "approvers"}', /:2: "ada" is not an owner .*; did you mean @ada\?$/],
    ['{"a b": "approvers"}', /:1: "a b" is not an owner [^;]*$/],
    ['{"@ada": "approvers",\n"@Ada": "approvers"}', /:2: "@Ada" is listed twice/],
    ['{"@ada":\n[]}', /:2: "@ada" has no id/],
    ['{"@ada": [\n"slak:U024BE7LH"]}', /:2: "@ada" needs ids such as .*; did you mean slack:…\?$/],
    ['{"@ada": "aprovers"}', /:1: .*; did you mean approvers\?$/],
    ['{"@ada": 1}', /:1: "@ada" needs ids such as/],
    ['{"@ada": "slack:admins"}', /:1: "@ada" needs ids such as/],
  ])("%s is told with its line", (text, expected) => {
    const found = read(text);
    expect(found.kind === "invalid" ? found.problems : found).toEqual([expect.stringMatching(expected)]);
  });

  it("that is missing is named", () => {
    expect(readOwnersFile("/nonexistent/owners.json")).toEqual({
      kind: "invalid",
      problems: ["PARLEY_CODEOWNERS: /nonexistent/owners.json cannot be read (ENOENT)"],
    });
  });
});
