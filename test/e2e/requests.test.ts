/** Requests for a change in ordinary words, put to the demo of a real host: each one leads to a card with the change. */

import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { startHost } from "../app/cli/host.ts";
import { sampleRepo } from "../sample-repo.ts";
import { scratch } from "../scratch.ts";

const asking = z.looseObject({
  permission: z.literal("restricted"),
  question: z.looseObject({ kind: z.literal("result"), details: z.looseObject({ diff: z.string() }) }),
});

it("changes files, corrects, creates, comments, renames and prepares a pull request, each on a card", async () => {
  const host = await startHost(scratch("requests"), {
    PARLEY_REPO: await sampleRepo("# Shop\n\nIt opens teh door.\n"),
  });
  onTestFinished(() => void host.process.kill("SIGKILL"));
  const requests = [
    ["change the README", "+Parley's demo model added this line"],
    ["fix the typo in README.md", "+It opens the door."],
    ["create hello.txt", "+Parley's demo model created this file."],
    ["add a comment to src/retry.js", "+// Parley's demo model added this comment."],
    ["rename ATTEMPTS to TRIES", "+export const TRIES = 3;"],
    ["rename src/retry.js to again.js", "rename to src/again.js"],
    ["open a pull request", "+Parley's demo model added this line"],
  ] as const;
  for (const [text, change] of requests) {
    const { body } = await host.call("POST", "/api/conversations", {});
    const at = `/api/conversations/${z.looseObject({ id: z.string() }).parse(body).id}`;
    await host.call("POST", `${at}/messages`, { text });
    const read = async () =>
      asking.safeParse((await host.call("GET", at)).body).data?.question.details.diff ?? "";
    await expect.poll(read, { message: text }).toContain(change);
  }
  expect(await host.stop("SIGTERM")).toBe(0);
});
