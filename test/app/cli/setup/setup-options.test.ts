/** Each answer is an option or a variable; an option wins. */

import { describe, expect, it } from "vitest";
import { variables } from "../../../../src/app/settings/config.ts";
import {
  answerName,
  readSetupOptions,
  requiredAnswers,
  setupUsage,
} from "../../../../src/app/cli/setup/setup-options.ts";

describe("options of setup", () => {
  it("take a value after a blank or an equals sign", () => {
    const read = readSetupOptions(["slack", "--bot-token", "xoxb-1", "--model=demo", "--yes"]);
    expect(read).toEqual({
      answers: new Map([
        ["SETUP_SURFACE", "slack"],
        ["SLACK_BOT_TOKEN", "xoxb-1"],
        ["PARLEY_MODEL", "demo"],
      ]),
      update: false,
      yes: true,
    });
  });

  it.each([
    [["--modle", "demo"], /--modle is not an option of setup\. Did you mean --model\?/],
    [["--model"], /--model needs a value/],
    [["--model="], /--model needs a value/],
    [["slack", "discord"], /more than one surface/],
  ])("refuse %j", (args, why) => expect(readSetupOptions(args)).toMatch(why));

  it("name the variable of each answer, and what a platform cannot do without", () => {
    expect(requiredAnswers("slack")).toEqual(["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"]);
    expect(requiredAnswers("discord")).toEqual(["DISCORD_TOKEN"]);
    expect(answerName("DISCORD_TOKEN")).toBe("--token (DISCORD_TOKEN)");
    const named = [...setupUsage().matchAll(/PARLEY_\w+/g)].map(([name]) => name);
    expect(named.filter((name) => !variables.includes(name))).toEqual([]);
  });
});
