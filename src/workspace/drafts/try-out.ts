/** Runs in a temporary copy, so that the tested files are the sealed ones even if the tests write files. */

import { omitUndefined } from "../../text/omit-undefined.ts";
import type { DraftTest } from "../../thread/draft.ts";
import { makeStagingDir } from "../disk/staging.ts";
import {
  checkoutEnvironment,
  homeEnvironment,
  PLAIN_ENVIRONMENT,
  policyOf,
  homeInSandbox,
  workOf,
} from "../checkout/policy.ts";
import type { CommandFacts } from "../checkout/holding.ts";
import type { CheckoutParts } from "../checkout/parts.ts";
import { lastLines } from "../setup/output-lines.ts";
import { BrokenOff, InTheWay } from "../run/git-trouble.ts";
import { copyInto } from "./open.ts";
import { layersOf, makeLayer } from "../checkout/draft-location.ts";

const KEEP = { head: 0, tail: 64 * 1024 };
export const tryOut = async (
  world: CheckoutParts,
  held: CommandFacts,
  command: string,
  signal: AbortSignal,
): Promise<DraftTest> => {
  const { sandbox, layout, testTimeout } = world;
  await using aside = await makeStagingDir(layout, "test");
  const work = workOf(aside.path);
  const under = held.under.length > 0 ? layersOf(held) : [];
  if (under.length > 0) await makeLayer(work);
  else await copyInto(world, { from: held, to: work, slot: held.slot }, signal);
  const shown = policyOf(held);
  const mounts = shown.mounts.map((mount) =>
    mount.source === held.work ? { ...mount, source: work, under } : mount,
  );
  const policy = { ...shown, mounts, cwd: held.mounts ? shown.cwd : work };
  const more = { ...checkoutEnvironment(policy.cwd), ...homeEnvironment(held) };
  const env = { ...PLAIN_ENVIRONMENT, ...more, HOME: homeInSandbox(held) };
  const argv = ["/bin/bash", "--noprofile", "--norc", "-c", command];
  const ran = await sandbox.run({ policy, argv, env, timeoutMs: testTimeout, keep: KEEP }, { signal });
  if (signal.aborted || ran.kind === "killed") throw new BrokenOff();
  if (ran.kind === "failed") throw new InTheWay({ kind: "sandbox", reason: ran.reason });
  const ended = ran.kind === "timedOut" ? "time" : ran.overran;
  const status = ran.kind === "exited" ? ran.code : ran.kind === "signalled" ? 128 + ran.signal : null;
  const tail = lastLines(Buffer.concat([ran.head, ran.tail]).toString("utf8")).join("\n");
  const seconds = Math.round(ran.durationMs / 100) / 10;
  return { command, status, ...omitUndefined({ ended }), tail, seconds };
};
