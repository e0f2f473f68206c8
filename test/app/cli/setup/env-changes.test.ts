/** `.env` changes only where an answer changes it, and reads back as intended. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changeEnv, shownSetting } from "../../../../src/app/cli/setup/env-changes.ts";
import { parseEnvText } from "../../../../src/app/settings/env-file.ts";

const changed = (text: string, settings: Readonly<Record<string, string>>): string => {
  const result = changeEnv(text, settings);
  if (result.kind === "refused") throw new Error(result.why);
  return result.text;
};

describe("changes of .env", () => {
  it.each([
    ["an empty file", "", "# Written by parley setup\nA=1\n"],
    ["a file without a last line feed", "B=2", "B=2\n\n# Written by parley setup\nA=1\n"],
    ["an empty value in place", "# About A\nA=\nB=2\n", "# About A\nA=1\nB=2\n"],
    ["the last of two lines", "A=x\nB=2\nA=y\n", "A=x\nB=2\nA=1\n"],
    ["no commented line", "# A=0\n", "# A=0\n\n# Written by parley setup\nA=1\n"],
    ["a line with export", "export A=0\n", "export A=1\n"],
    ["CRLF", "A=0\r\nB=2\r\n", "A=1\r\nB=2\r\n"],
    ["CRLF at the end", "B=2\r\n", "B=2\r\n\r\n# Written by parley setup\r\nA=1\r\n"],
    ["a byte order mark", "\uFEFFA=0\nB=2\n", "\uFEFFA=1\nB=2\n"],
    ["a value of several lines", 'A="x\ny"\nB=2\n', "A=1\nB=2\n"],
    [
      "a name in a value of several lines",
      'B="x\nA=0\ny"\n',
      'B="x\nA=0\ny"\n\n# Written by parley setup\nA=1\n',
    ],
    ["a second run", "# Written by parley setup\nB=2\n", "# Written by parley setup\nB=2\nA=1\n"],
    ["a value that is there", "A=1 \nB=2\n", "A=1 \nB=2\n"],
  ])("handle %s", (_, before, after) => expect(changed(before, { A: "1" })).toBe(after));

  it("quote a value so that Node and systemd read it alike", () => {
    const text = changed("", { A: "a b", B: "a#b", C: "it's", D: "$HOME", E: 'say "x"' });
    expect(text).toContain(`A='a b'\nB='a#b'\nC="it's"\nD='$HOME'\nE='say "x"'\n`);
  });

  it.each(["a\nb", `it's "x"`, "it's $x"])("refuse %j, and take the rest", (value) => {
    expect(changeEnv("B=2\n", { A: value })).toMatchObject({
      kind: "refused",
      why: expect.stringContaining("A"),
    });
    expect(changed("B=2\n", { A: "plain" })).toContain("A=plain");
  });

  it("keep every other line, and read back, for any text and value", () => {
    const value = fc.stringMatching(/^[\w #$.,:/'-]{0,20}$/).map((one) => one.trim());
    const line = fc.oneof(
      fc.constantFrom("", "# comment", "B=2", "export C='3 4'", "A=0", "D=", '  E = "5"'),
      fc.stringMatching(/^# [\w= ]{0,20}$/),
    );
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom("\n", "\r\n"), value, (lines, end, wanted) => {
        const before = lines.map((one) => one + end).join("");
        const result = changeEnv(before, { A: wanted, F: "6" });
        if (result.kind === "refused") return;
        const { A, F, ...others } = parseEnvText(result.text).values;
        const { A: _, F: __, ...rest } = parseEnvText(before).values;
        expect({ A: A ?? "", F, others }).toEqual({ A: wanted, F: "6", others: rest });
        const kept = lines.filter((one) => !one.startsWith("A="));
        expect(result.text.split(end).filter((one) => kept.includes(one)).length).toBeGreaterThanOrEqual(
          kept.filter((one) => one !== "").length,
        );
        expect(changed(result.text, { A: wanted, F: "6" })).toBe(result.text);
      }),
    );
  });

  it("show secrets only at their ends", () => {
    const token = `xoxb-${"1234567890".repeat(4)}tail`;
    const result = changeEnv(`SLACK_BOT_TOKEN=${token}old1\n`, {
      SLACK_BOT_TOKEN: token,
      PARLEY_MODEL: "demo",
    });
    expect(result).toMatchObject({
      diff: ["- SLACK_BOT_TOKEN=xoxb-…old1", "+ SLACK_BOT_TOKEN=xoxb-…tail", "+ PARLEY_MODEL=demo"],
    });
    expect(shownSetting("DISCORD_TOKEN", "short")).toBe("…");
    expect(shownSetting("SLACK_API_URL", "http://a:b@host/x?key=1")).toBe("http://…@host/x?…");
  });
});
