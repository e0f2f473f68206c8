/** Parley as the first process of a container, whose number a process in every sandbox has, too. */

import { execa } from "execa";
import { expect, it } from "vitest";
import { z } from "zod";
import { root } from "../app/cli/host.ts";

const IN_A_CONTAINER = ["--mount", "--pid", "--fork", "--mount-proc"];
const may = await execa("unshare", [...IN_A_CONTAINER, "true"], { reject: false });
if (may.failed) console.log(`skipped: no process can be the first of a namespace here (${may.stderr})`);

const facts = z.object({
  tier: z.string(),
  mounts: z.boolean(),
  restricted: z.boolean(),
  refusal: z.string().nullable(),
});

const probe = async (...before: readonly string[]): Promise<unknown> => {
  const { stdout } = await execa(
    "env",
    [...before, process.execPath, "bin/parley.js", "sandbox", "--probe"],
    {
      cwd: root,
    },
  );
  return facts.parse(JSON.parse(stdout));
};

it.skipIf(may.failed)("Restricted holds there as it does elsewhere", async () => {
  expect(await probe("unshare", ...IN_A_CONTAINER)).toEqual(await probe());
});
