/** The script runs as a separate user with the network of Unrestricted commands. The result is visible only after success. */

import { chmod, writeFile } from "node:fs/promises";
import { dirname, relative } from "node:path";
import type { RunResult } from "../../../sandbox/types.ts";
import type { SetupFailure } from "../../machine/vocabulary.ts";
import { attemptGit, InTheWay, sentence } from "../run/git-trouble.ts";
import { type CheckoutDeps, makeCheckout } from "../checkout/checkout.ts";
import { overrunText } from "../checkout/overrun.ts";
import { chownToSlot } from "../disk/staging.ts";
import { checkoutEnvironment, PLAIN_ENVIRONMENT } from "../checkout/policy.ts";
import type { Workspace } from "../checkout/record.ts";
import { unwatched } from "../run/shared-work.ts";
import type { WorkspaceContext, SetupLimits } from "../disk/workspace-context.ts";
import { objectsMount, SANDBOX_PATHS, sandboxPathOf } from "../disk/layout.ts";
import { claimSlot } from "../disk/slots.ts";
import { FRESH, runAt, type SandboxStep, stepPolicy } from "../run/step.ts";
import type { SetupPlan } from "./plan.ts";
import { lastLines, printable } from "./output-lines.ts";
import type { SetupCache } from "./cache.ts";

interface WorkDeps extends CheckoutDeps {
  readonly shelf: SetupCache;
  readonly limits: SetupLimits;
}

export type WantedSetup = Extract<SetupPlan, { readonly kind: "plan" }>;

export type SetupResult =
  | { readonly kind: "ready"; readonly seconds: number }
  | { readonly kind: "failed"; readonly failure: SetupFailure };

type OnOutput = (chunk: Buffer) => void;

const FREEZE_TIMEOUT = 5 * 60_000;
const MAX_FILES = 500_000;
const KEEP = { head: 32 * 1024, tail: 96 * 1024 } as const;

/** Never rejects. */
export const runSetup = async (
  deps: WorkDeps,
  workspace: Workspace,
  plan: WantedSetup,
  onOutput: OnOutput,
): Promise<SetupResult> => {
  const tried = await attemptGit(() => inPlace(deps, workspace, plan, onOutput));
  if (tried.kind === "done" && tried.value.kind === "ready") return tried.value;
  const removed = await attemptGit(() => deps.shelf.remove(workspace.key, plan.key));
  if (tried.kind === "done") return tried.value;
  const trouble =
    tried.kind === "trouble" ? tried.trouble : removed.kind === "trouble" ? removed.trouble : null;
  return failed(trouble === null ? "It was broken off." : sentence(trouble, workspace.name));
};

const inPlace = async (
  deps: WorkDeps,
  workspace: Workspace,
  plan: WantedSetup,
  onOutput: OnOutput,
): Promise<SetupResult> => {
  const { sandbox, layout, shelf, limits } = deps;
  const { key, file } = plan;
  if (!(await shelf.makeRoom(limits.maxBytes))) return failed(NO_ROOM);
  const begun = deps.clock.now();
  const slot = await claimSlot(layout.slots, `set-up-${key}`);
  const place = await shelf.clear(workspace.key, key);
  // Lets commands pass through, if they run as separate users.
  for (const directory of [place.home, dirname(place.home), dirname(dirname(place.home))])
    await chmod(directory, 0o755);
  await chownToSlot(sandbox, place.home, slot);
  await makeCheckout(deps, { directory: place.work, workspace, slot }, unwatched());

  const work = { source: place.work, target: SANDBOX_PATHS.work, write: true };
  const home = { source: place.home, target: SANDBOX_PATHS.home, write: true };
  const objects = objectsMount(layout.generation(workspace.key, workspace.generation));
  const command = {
    policy: {
      ...stepPolicy(sandbox, [work, home, objects], slot),
      profile: "unrestricted",
      network: "egress",
    } as const,
    argv: ["/bin/bash", "--noprofile", "--norc", "-e", file],
    env: environmentOf(sandboxPathOf(sandbox, work), sandboxPathOf(sandbox, home)),
    timeoutMs: limits.timeout,
    keep: KEEP,
  };
  const ran = await sandbox.run(command, { onOutput });
  const log = layout.setUpLog(workspace.key, key);
  const output = ran.kind === "failed" ? Buffer.from(ran.reason) : Buffer.concat([ran.head, ran.tail]);
  // For the operator: contains only the last run.
  await writeFile(log, output, { mode: 0o600 });
  // The setup belongs to no conversation's call, so the accesses are logged instead of traced.
  for (const reached of ran.kind === "failed" ? [] : (ran.destinations ?? []))
    deps.log.info("setup: network requested", { repository: workspace.key, setUp: key, ...reached });
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

/** Contains no secret: setups have none. */
const environmentOf = (work: string, home: string): Readonly<Record<string, string>> => ({
  ...PLAIN_ENVIRONMENT,
  HOME: home,
  USER: "parley",
  LOGNAME: "parley",
  SHELL: "/bin/bash",
  GIT_TERMINAL_PROMPT: "0",
  ...checkoutEnvironment(work),
});

const freeze = async (
  ground: WorkspaceContext,
  workspace: Workspace,
  given: SandboxStep["given"],
): Promise<ReturnType<typeof readFrozen>> => {
  const step = { script: FREEZE, given, timeout: FREEZE_TIMEOUT };
  const ran = await attemptGit(() => runAt(ground, workspace, step));
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

/** Usually the cause of the failure, which an operator's setting fixes. */
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

const failed = (why: string, more: Omit<SetupFailure, "why"> = {}): SetupResult => ({
  kind: "failed",
  failure: { why, ...more },
});

// `$1` checkout, `$2` mirror's objects, `$3` commit, `$4` home. Prints KiB and the number of files.
// Only files that git ignores at the commit stay: a file that git would show as a change belongs to no conversation.
// The commit's `.gitignore` files decide and are restored first. A separate index ignores the setup's changes to `.git`.
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

/** Null if the text is not FREEZE's output. */
const readFrozen = (text: string): { readonly bytes: number; readonly files: number } | null => {
  const [, size = "", count = ""] = /^\s*(\d+)\s+(\d+)\s*$/.exec(text) ?? [];
  return size === "" ? null : { bytes: Number(size) * 1_024, files: Number(count) };
};
