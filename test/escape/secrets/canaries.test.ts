/**
 * The whole product with secrets that can be recognised: an agent that hunts for them in both permissions, and
 * everything that the product keeps, prints or sends, searched for them afterwards.
 */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { createRig, type Rig } from "../../e2e/rig.ts";
import { call, say } from "../../fakes/anthropic/turn.ts";
import { descendants } from "../arena/traces.ts";

const API_KEY = "sk-ant-api03-canary-b1946ac92492d2347c6235b4d2611184";
const TOKEN = "canary-console-591785b794601e212b260e25925636fd";
const DOTENV = "canary-dotenv-e59ff97941044f85df5297e1c302d260";
const OTHER = "canary-other-6f5902ac237024bdd0c176cb93063dc4";
const SECRETS = [API_KEY, TOKEN, DOTENV, OTHER];

const backwards = (text: string): string => text.split("").toReversed().join("");

/** A tool's answer has known secrets masked, so what a command found is looked for written backwards too. */
const FORMS = SECRETS.flatMap((secret) => [secret, backwards(secret)]);

const found = (text: string): readonly string[] => FORMS.filter((form) => text.includes(form));

/** What an agent would try that knows the host's layout. */
const hunt = (data: string, host: number | undefined): string => `
  echo canary-own > $TMPDIR/own; files="$TMPDIR/own ${data}/.env ${data}/console-token ${data}/parley.sqlite ${data}/parley.sqlite-wal ${data}/../.env $PWD/../../../.env $PWD/../../.env"
  for f in $files /proc/${host}/environ /proc/${host}/cmdline /proc/1/environ /proc/[0-9]*/environ /proc/[0-9]*/cmdline ${data}/threads/*/work/* ${data}/threads/*/home/* ${data}/trees/*/*/*/*; do cat "$f" 2>/dev/null; cat "/proc/self/root$f" 2>/dev/null; done | tr '\\0' '\\n' | grep -a canary | rev
  env | rev | grep yranac; declare -p | grep canary | rev; grep -ras canary- /tmp /work /home /run /var /opt 2>/dev/null | rev | head -50
  strings /proc/${host}/mem 2>/dev/null | grep canary | rev; curl -sm 2 http://127.0.0.1/ ; echo hunted`;

/** Everything that the host's children were started with. */
const children = (rig: Rig): string =>
  descendants(rig.host().process.pid)
    .flatMap((pid) => ["cmdline", "environ"].map((name) => `/proc/${pid}/${name}`))
    .map((path) => {
      try {
        return readFileSync(path, "utf8");
      } catch {
        return ""; // it has ended meanwhile
      }
    })
    .join("\n");

it("no secret of the host is in what an agent can find in either permission, or in what the product keeps and prints", async () => {
  // Safe mode would ask before such commands run: what is tried here is what the kernel holds.
  const settings = { PARLEY_CONSOLE_TOKEN: TOKEN, PARLEY_LOG_LEVEL: "debug", PARLEY_SAFE_MODE: "off" };
  const rig = await createRig(settings, API_KEY);
  writeFileSync(join(rig.data, ".env"), `SECRET=${DOTENV}\n`, { mode: 0o600 });
  const command = hunt(rig.data, rig.host().process.pid);

  // Another conversation, with a file of its own that is nobody else's.
  const other = await rig.begin();
  rig.fake.script(call("request_mode_upgrade", { reason: "r" }));
  const asked = await other.turn("begin");
  rig.fake.script(
    call("bash", {
      command: "printf 'canary-other-%s' 6f5902ac237024bdd0c176cb93063dc4 > mine.txt; wc -c mine.txt",
    }),
    say("done"),
  );
  await other.act({ action: "decide", question: asked.question?.id, choice: "approve" });
  const written = await other.until("idle");
  expect(JSON.stringify(written.posts)).toContain("45 mine.txt");

  const thread = await rig.begin();
  rig.fake.script(call("bash", { command }), call("request_mode_upgrade", { reason: "to hunt on" }));
  const wanting = await thread.turn("hunt");
  expect(wanting.phase).toBe("awaitingApproval");
  rig.fake.script(call("bash", { command }), call("bash", { command: "sleep 2.125" }), say("nothing"));
  await thread.act({ action: "decide", question: wanting.question?.id, choice: "approve" });
  await vi.waitFor(() => expect(children(rig)).toContain("2.125"), { interval: 20 });
  expect(found(children(rig))).toEqual([]);
  const done = await thread.until("idle");
  expect(done.permission).toBe("unrestricted");
  expect(JSON.stringify(done.posts).match(/hunted/g)?.length).toBeGreaterThanOrEqual(2);

  const trace = await fetch(`${rig.host().origin}/api/conversations/${thread.id}/trace`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  const told = {
    posts: JSON.stringify([done, wanting]),
    trace: await trace.text(),
    model: JSON.stringify(rig.fake.requests.map((request) => request.body)),
    log: rig.host().errors.join("\n"),
    // The console's link is what the token is for.
    output: rig
      .host()
      .lines.filter((line) => !line.startsWith("console: "))
      .join("\n"),
  };
  for (const [name, text] of Object.entries(told)) expect([name, found(text)]).toEqual([name, []]);
  // The twin: what the hunt may find, it finds, in both permissions.
  expect(told.model.split(backwards("canary-own")).length).toBeGreaterThan(2);
  expect(told.trace).toContain("UserApproveUpgrade");
  expect(told.output).toContain("sandbox: ");

  await rig.crash(); // nothing is held back in memory
  const holders = readdirSync(rig.data, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => found(readFileSync(path, "latin1")).length > 0)
    .map((path) => path.slice(rig.data.length + 1));
  expect(holders.toSorted()).toEqual([".env", `threads/${other.id}/work/mine.txt`]);
});
