/** Runs in a temporary copy, so that the tested files are the sealed ones even if the tests write files. */

import type { Probe, SandboxPolicy } from "../../../sandbox/types.ts";
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
import { hold } from "../checkout/holding.ts";
import type { CheckoutParts } from "../checkout/parts.ts";
import type { Workspace } from "../checkout/record.ts";
import { lastLines } from "../setup/output-lines.ts";
import { BrokenOff, InTheWay } from "../run/git-trouble.ts";
import { readBaseFile, testedRepo } from "./base-file.ts";
import { copyInto } from "./open.ts";
import { layersOf, makeLayer } from "../checkout/draft-location.ts";

const KEEP = { head: 0, tail: 64 * 1024 };
export const tryOut = async (
  world: CheckoutParts,
  workspace: Workspace,
  { command, allowed }: { readonly command: string; readonly allowed: readonly string[] },
  signal: AbortSignal,
): Promise<DraftTest> => {
  const { sandbox, layout, testTimeout, tests } = world;
  const surroundings = (await tests?.prepare({
    command,
    allowed,
    repo: testedRepo(workspace),
    read: (path, mostBytes) => readBaseFile(world, workspace, path, mostBytes),
  })) ?? { kind: "plain" };
  if (surroundings.kind === "unable") return notRun(command, surroundings.why);
  const { env: added, script, note, mask } = surroundings.kind === "plain" ? PLAIN : surroundings;
  const missing = script === null ? null : loopbackFault(sandbox.probe);
  if (missing !== null) return notRun(command, missing);
  const held = await hold(world, workspace.id, "draft");
  await using aside = await makeStagingDir(layout, "test");
  const work = workOf(aside.path);
  const under = held.under.length > 0 ? layersOf(held) : [];
  if (under.length > 0) await makeLayer(work);
  else await copyInto(world, { from: held, to: work, slot: held.slot }, signal);
  const shown = policyOf(held);
  const mounts = shown.mounts.map((mount) =>
    mount.source === held.work ? { ...mount, source: work, under } : mount,
  );
  const plain = { ...shown, mounts, cwd: held.mounts ? shown.cwd : work };
  const policy: SandboxPolicy = script === null ? plain : { ...plain, ...LOOPBACK };
  const more = { ...checkoutEnvironment(policy.cwd), ...homeEnvironment(held) };
  const env = { ...added, ...PLAIN_ENVIRONMENT, ...more, HOME: homeInSandbox(held) };
  const bash = ["/bin/bash", "--noprofile", "--norc", "-c"];
  const argv = script === null ? [...bash, command] : [...bash, script, "tests", command];
  const ran = await sandbox.run({ policy, argv, env, timeoutMs: testTimeout, keep: KEEP }, { signal });
  if (signal.aborted || ran.kind === "killed") throw new BrokenOff();
  if (ran.kind === "failed") throw new InTheWay({ kind: "sandbox", reason: ran.reason });
  const ended = ran.kind === "timedOut" ? "time" : ran.overran;
  const status = ran.kind === "exited" ? ran.code : ran.kind === "signalled" ? 128 + ran.signal : null;
  const output = mask(ran.tail.toString("utf8"), ran.total > ran.tail.length);
  const tail = [...lastLines(output), ...(note === null ? [] : [note])].join("\n");
  const seconds = Math.round(ran.durationMs / 100) / 10;
  return { command, status, ...omitUndefined({ ended }), tail, seconds };
};

/** Loopback of the command's own network; the egress proxy refuses every destination. */
const LOOPBACK = { profile: "unrestricted", network: "egress", egressTo: [] } as const;

const PLAIN = { env: {}, script: null, note: null, mask: (text: string) => text };

/** Status of a shell whose command was not found. */
const NOT_RUN = 127;

const notRun = (command: string, why: string): DraftTest => ({
  command,
  status: NOT_RUN,
  tail: `The test did not run: ${why}`,
  seconds: 0,
});

/** Null if each command has a network of its own. */
const loopbackFault = ({ egress, unrestricted }: Probe): string | null =>
  egress === "proxy" && unrestricted.kind === "held"
    ? null
    : "services need a host that gives each command its own network (docs/security.md).";
