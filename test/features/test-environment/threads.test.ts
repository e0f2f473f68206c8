/**
 * A secret for tests as the people of a thread live it: bob asks, and only the approver stores the secret and allows the
 * model's own command. Recorded anew by `npx vitest run test/features/test-environment/threads.test.ts -u`; read them line by line.
 */

import { expect, it } from "vitest";
import { createTestSecretRows } from "../../../src/features/test-environment/rows.ts";
import { createSecretCommand } from "../../../src/features/test-environment/secret-command.ts";
import { createTestSecrets, type TestSecrets } from "../../../src/features/test-environment/secrets.ts";
import { createTestSurroundings } from "../../../src/features/test-environment/surroundings.ts";
import { silentLog } from "../../../src/store/base/silent-log.ts";
import { systemClock } from "../../../src/app/system-clock.ts";
import { createForgeScene, use } from "../../e2e/forge/scene.ts";
import { onGitHub } from "../../fakes/side.ts";
import { textAnswer } from "../../runtime/world.ts";
import { change } from "../../threads/drafted.ts";
import { inTurn } from "../../threads/scenarios.ts";
import { discordStage, slackStage } from "../../threads/stage.ts";
import { CANARY, databaseText, sealKey } from "./canary.ts";

const REPO = "github.com/acme/api";
/** The test of the project, which prints its key. */
const TEST = `grep -q 'ATTEMPTS = 3' src/retry.js && printf 'key of %s characters: %s\\n' "\${#STRIPE_KEY}" "$STRIPE_KEY"`;
const OWN = `printf 'my own command has a key of %s characters: %s\\n' "\${#STRIPE_KEY}" "$STRIPE_KEY"`;
const DECLARED = JSON.stringify({ commands: [TEST], secrets: ["STRIPE_KEY"] });

const propose = (summary: string) =>
  use("propose", { title: "Try uploads three times", summary, test_command: TEST });

const opened = async (open: typeof slackStage) => {
  const key = sealKey();
  let secrets: TestSecrets | null = null;
  const late: Pick<TestSecrets, "open" | "listed"> = {
    // The scene serves the repository from a folder.
    open: (_, names) => secrets?.open(REPO, names) ?? {},
    listed: (repo) => secrets?.listed(repo) ?? [],
  };
  const scene = await createForgeScene(onGitHub, {
    files: { ".parley/tests.json": DECLARED },
    tests: createTestSurroundings({ secrets: late, log: silentLog }),
    tools: (drafts) => [createSecretCommand({ drafts, secrets: late })],
  });
  const results: string[] = [];
  const answers = inTurn(
    use("draft", {}),
    change(0, 3),
    use("bash", { where: "draft", command: OWN }),
    propose("Three tries. The test has no key yet."),
    use("run_with_secrets", { command: OWN, secrets: ["STRIPE_KEY"] }),
    propose("Three tries, and the test passes with its key."),
    textAnswer("Uploads are tried three times now."),
  );
  const stage = await open({
    drafts: scene.drafts,
    blobs: scene.blobs,
    workspaces: scene.workspaces,
    tools: scene.tools,
    outside: { sealKey: () => key, drafts: scene.drafts },
    answer: (messages, no) => {
      results.push(JSON.stringify(messages));
      return answers(messages, no);
    },
  });
  secrets = createTestSecrets({
    sealKey: () => key,
    learnSecret: () => undefined,
    clock: systemClock,
    log: silentLog,
    rows: createTestSecretRows(stage.host().opened.rows, silentLog),
  });
  return { stage, results };
};

it.each([
  ["slack", slackStage],
  ["discord", discordStage],
] as const)(
  "on %s, an approver stores a declared secret, the host's test gets it masked, and a model's command only by a click",
  async (platform, open) => {
    const { stage, results } = await opened(open);
    stage.say("bob", "@parley The upload gives up too early. Try three times.");
    await stage.until(/Not set: STRIPE_KEY[^]*\[Apply\]/);
    stage.say("bob", "@parley secrets set STRIPE_KEY");
    await stage.until(/Only approvers can list, store and remove secrets/);
    stage.say(stage.approver, "@parley secrets set STRIPE_KEY");
    await stage.fill(stage.approver, "Enter the value", CANARY);
    await stage.until(/Stored: tests of/);
    await stage.fill(stage.approver, "Ask for changes", "The key is stored. Test again.");
    await stage.until(/Run a command with secrets in the draft\?/);
    await stage.click("bob", "Approve");
    await stage.until(/You can't decide this/);
    await stage.click(stage.approver, "Approve");
    await stage.until(new RegExp(`key of ${CANARY.length} characters: \\*\\*\\*[^]*\\[Apply\\]`));
    await stage.click(stage.approver, "Apply");
    await stage.until(/Applied on the branch[^]*three times now[^]*Restricted/);
    const told = results.at(-1) ?? "";
    expect(told).toContain("my own command has a key of 0 characters: ");
    expect(told).toContain(`my own command has a key of ${CANARY.length} characters: ***`);
    const story = await stage.story();
    for (const text of [story, told, databaseText(stage.host().opened)]) expect(text).not.toContain(CANARY);
    await expect(story).toMatchFileSnapshot(`threads/secrets.${platform}.txt`);
  },
);
