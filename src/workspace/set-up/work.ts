/**
 * One set-up from its beginning to its end: a checkout of the commit, PARLEY_SETUP in it as a user of its own with the
 * network that Unrestricted commands have, and what that left, frozen. Nothing of it is found unless it came to its end.
 */

import { chmod, writeFile } from "node:fs/promises";
import { dirname, relative } from "node:path";
import type { RunResult } from "../../../sandbox/types.ts";
import type { SetUpFailure } from "../../machine/words.ts";
import { attempt, InTheWay, sentence } from "../run/git-trouble.ts";
import { type CheckoutDeps, makeCheckout } from "../checkout/checkout.ts";
import { overrunText } from "../checkout/overrun.ts";
import { handOver } from "../disk/aside.ts";
import { commandEnvironment, PLAIN_ENVIRONMENT } from "../checkout/policy.ts";
import type { Workspace } from "../checkout/record.ts";
import { unwatched } from "../run/shared-work.ts";
import type { Ground, SetUpLimits } from "../disk/ground.ts";
import { objectsMount, SEEN, seenAt } from "../disk/layout.ts";
import { claimSlot } from "../disk/slots.ts";
import { FRESH, runAt, type SandboxStep, stepPolicy } from "../run/step.ts";
import { SET_UP_FILE } from "./plan.ts";
import { lastLines, printable } from "./output-lines.ts";
import type { SetUpCache } from "./cache.ts";

interface WorkDeps extends CheckoutDeps {
  readonly shelf: SetUpCache;
  readonly limits: SetUpLimits;
}

export type Worked =
  | { readonly kind: "ready"; readonly seconds: number }
  | { readonly kind: "failed"; readonly failure: SetUpFailure };

/** Gets what the set-up writes, as it writes it. */
type OnOutput = (chunk: Buffer) => void;

const FREEZE_TIMEOUT = 5 * 60_000;
const MAX_FILES = 500_000;
const KEEP = { head: 32 * 1024, tail: 96 * 1024 } as const;

/** Never rejects. */
export const runSetUp = async (
  deps: WorkDeps,
  workspace: Workspace,
  key: string,
  onOutput: OnOutput,
): Promise<Worked> => {
  const tried = await attempt(() => inPlace(deps, workspace, key, onOutput));
  if (tried.kind === "done" && tried.value.kind === "ready") return tried.value;
  const removed = await attempt(() => deps.shelf.remove(workspace.key, key));
  if (tried.kind === "done") return tried.value;
  const trouble =
    tried.kind === "trouble" ? tried.trouble : removed.kind === "trouble" ? removed.trouble : null;
  return failed(trouble === null ? "It was broken off." : sentence(trouble, workspace.name));
};

const inPlace = async (
  deps: WorkDeps,
  workspace: Workspace,
  key: string,
  onOutput: OnOutput,
): Promise<Worked> => {
  const { sandbox, layout, shelf, limits } = deps;
  if (!(await shelf.makeRoom(limits.maxBytes))) return failed(NO_ROOM);
  const begun = deps.clock.now();
  const slot = await claimSlot(layout.slots, `set-up-${key}`);
  const place = await shelf.clear(workspace.key, key);
  // Passed through by the users of commands, where they have users of their own.
  for (const directory of [place.home, dirname(place.home), dirname(dirname(place.home))])
    await chmod(directory, 0o755);
  await handOver(sandbox, place.home, slot);
  await makeCheckout(deps, { directory: place.work, workspace, slot }, unwatched());

  const work = { source: place.work, target: SEEN.work, write: true };
  const home = { source: place.home, target: SEEN.home, write: true };
  const objects = objectsMount(layout.generation(workspace.key, workspace.generation));
  const command = {
    policy: {
      ...stepPolicy(sandbox, [work, home, objects], slot),
      profile: "unrestricted",
      network: "egress",
    } as const,
    argv: ["/bin/bash", "--noprofile", "--norc", "-e", SET_UP_FILE],
    env: environmentOf(seenAt(sandbox, work), seenAt(sandbox, home)),
    timeoutMs: limits.timeout,
    keep: KEEP,
  };
  const ran = await sandbox.run(command, { onOutput });
  const log = layout.setUpLog(workspace.key, key);
  const output = ran.kind === "failed" ? Buffer.from(ran.reason) : Buffer.concat([ran.head, ran.tail]);
  // For the operator: of the last try alone.
  await writeFile(log, output, { mode: 0o600 });
  // No conversation's call asked for it, so that no trace is told.
  for (const reached of ran.kind === "failed" ? [] : (ran.destinations ?? []))
    deps.log.info("a set-up asked for the network", { repository: workspace.key, setUp: key, ...reached });
  const why = faultOf(deps, ran);
  if (why !== null) {
    const last = ran.kind === "failed" ? [] : lastLines(output.toString("utf8"));
    const where = relative(dirname(layout.preparations), log);
    return failed(why, { ...(last.length === 0 ? {} : { output: last }), log: where });
  }

  const frozen = await freeze(deps, { ...workspace, slot }, [work, home]);
  if (frozen === null) return failed("what it left could not be kept.");
  const { bytes, files } = frozen;
  const { commit } = workspace;
  if (bytes > limits.maxBytes || files > MAX_FILES) return failed(tooMuch(bytes, files, limits.maxBytes));
  const seconds = Math.max(0, Math.round((deps.clock.now() - begun) / 1_000));
  await shelf.shelve(workspace.key, key, { version: 1, commit, at: deps.clock.now(), seconds, bytes, files });
  return { kind: "ready", seconds };
};

/** No secret is in it: a set-up has none. */
const environmentOf = (work: string, home: string): Readonly<Record<string, string>> => ({
  ...PLAIN_ENVIRONMENT,
  HOME: home,
  USER: "parley",
  LOGNAME: "parley",
  SHELL: "/bin/bash",
  GIT_TERMINAL_PROMPT: "0",
  ...commandEnvironment(work),
});

const freeze = async (
  ground: Ground,
  workspace: Workspace,
  given: SandboxStep["given"],
): Promise<ReturnType<typeof readFrozen>> => {
  const step = { script: FREEZE, given, timeout: FREEZE_TIMEOUT };
  const ran = await attempt(() => runAt(ground, workspace, step));
  if (ran.kind === "trouble" && ran.trouble.kind === "sandbox") throw new InTheWay(ran.trouble);
  return ran.kind === "done" && ran.value.code === 0 ? readFrozen(ran.value.text) : null;
};

const faultOf = ({ sandbox, limits }: WorkDeps, ran: RunResult): string | null => {
  switch (ran.kind) {
    case "failed":
      return `it could not be started: ${ran.reason}.`;
    case "killed":
      return "it was broken off.";
    case "timedOut":
      return `it took longer than ${Math.max(1, Math.round(limits.timeout / 60_000))} minutes.`;
    case "signalled":
      return ran.overran === undefined
        ? `it was ended by signal ${ran.signal}.`
        : `${overrunText(ran.overran)}.`;
    case "exited": {
      if (ran.overran !== undefined) return `${overrunText(ran.overran)}.`;
      if (ran.code === 0) return null;
      const offline = sandbox.probe.egress === "none" ? ` ${NO_NETWORK}` : "";
      return `it ended with status ${ran.code}.${refused(ran)}${offline}`;
    }
  }
};

/** Names that it asked for and was kept from: mostly why it failed, and a setting of the operator's. */
const refused = ({ destinations = [] }: Exclude<RunResult, { kind: "failed" }>): string => {
  const names = new Set(destinations.flatMap(({ host, allowed }) => (allowed ? [] : [host])));
  const told = [...names].slice(0, MAX_REFUSED).map((name) => printable(name).slice(0, MAX_NAME));
  return told.length === 0 ? "" : ` It was kept from reaching ${told.join(", ")} (PARLEY_EGRESS).`;
};

const MAX_REFUSED = 3;
const MAX_NAME = 200;

const NO_NETWORK = "Commands have no network on this host (docs/install.md says what gives them one).";
const NO_ROOM = "there is too little space left on this machine.";

const tooMuch = (bytes: number, files: number, most: number): string =>
  `it left ${Math.ceil(bytes / 2 ** 20)} MiB in ${files} files; at most ${Math.floor(most / 2 ** 20)} MiB in ${MAX_FILES} files are kept.`;

const failed = (why: string, more: Omit<SetUpFailure, "why"> = {}): Worked => ({
  kind: "failed",
  failure: { why, ...more },
});

/**
 * Leaves of a checkout in which a set-up ran what git ignores at the commit, and nothing else: the commit's own files
 * come from git in every tree, and what git would show as a change is nobody's. Runs in the sandbox as the set-up did,
 * with an index of its own: what the set-up made of `.git` counts for nothing.
 *
 * `$1` the checkout, `$2` the mirror's objects, `$3` the commit, `$4` the home. Answers KiB and number of files. The
 * commit's own `.gitignore` files are put back first: they decide.
 */
const FREEZE = `set -eu
rm -rf .git
${FRESH}
fresh "$TMPDIR" "$2" "$3"
git read-tree "$3"
git ls-files -z -- .gitignore '**/.gitignore' | git checkout-index -q -z -f --stdin
git clean -ffdq
git ls-files -z | xargs -0 -r rm -rf --
git ls-tree -r -d -z --name-only "$3" | sort -z -r | xargs -0 -r rmdir --ignore-fail-on-non-empty -- 2> /dev/null || :
find "$1" "$4" ! -type d ! -type f ! -type l -exec rm -f -- {} +
chmod -R u+rwX,go+rX,go-w,u-s,g-s "$1" "$4"
du -skc -- "$1" "$4" | tail -n 1 | cut -f 1
find "$1" "$4" | wc -l`;

/** What FREEZE answered; null where it did not. Pure. */
const readFrozen = (text: string): { readonly bytes: number; readonly files: number } | null => {
  const [, size = "", count = ""] = /^\s*(\d+)\s+(\d+)\s*$/.exec(text) ?? [];
  return size === "" ? null : { bytes: Number(size) * 1_024, files: Number(count) };
};
