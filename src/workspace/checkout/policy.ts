import { join } from "node:path";
import type { Mount, SandboxPolicy } from "../../../sandbox/types.ts";
import type { Permission } from "../../machine/vocabulary.ts";
import { configEnvironment } from "../run/git.ts";
import { objectsMount, SANDBOX_PATHS } from "../disk/layout.ts";
import type { ConversationId } from "../../machine/id.ts";

/** Permission of a command, or `draft`: the conversation of a draft stays Restricted (D42). */
export type CommandMode = Permission | "draft";

export interface PolicyInput {
  readonly permission: CommandMode;
  /** Value of `Probe.mounts`: whether commands see fixed paths or the host's. */
  readonly mounts: boolean;
  /** The conversation's directory. */
  readonly thread: string;
  /** Directory shown as `/work`: the shared tree, or the private checkout once it exists. */
  readonly work: string;
  /** Lower layers of a layered draft; otherwise empty (`Mount.under`). */
  readonly under: readonly string[];
  readonly generation: string;
  readonly slot: number;
  readonly prepared: { readonly directory: string; readonly home: string } | null;
}

/** Unrestricted commands may write (D27). Without mounts, the original path of setup files is readable: they may contain it. */
export const policyOf = (holding: PolicyInput): SandboxPolicy => {
  const { permission, mounts } = holding;
  const write = permission !== "restricted";
  const owner = ownerOf(holding);
  const work = {
    /* Without mounts the directory must keep its name, so this may be a link to the shared tree. */
    source: mounts && permission !== "draft" ? holding.work : workOf(owner),
    target: SANDBOX_PATHS.work,
    write,
    under: holding.under,
  };
  const objects = objectsMount(holding.generation);
  const home = { source: homeOf(owner), target: SANDBOX_PATHS.home, write: true };
  return {
    profile: permission,
    network: permission === "unrestricted" ? "egress" : "none",
    mounts: [work, objects, ...(write ? [home] : []), ...preparedMounts(holding)],
    cwd: cwdOf(owner, mounts),
    identity: holding.slot,
  };
};

const ownerOf = ({ permission, thread }: PolicyInput): string =>
  permission === "draft" ? draftOf(thread) : thread;

const preparedMounts = ({ permission, mounts, prepared }: PolicyInput): readonly Mount[] => {
  if (prepared === null) return [];
  if (!mounts) return [{ source: prepared.directory, target: SANDBOX_PATHS.prepared, write: false }];
  return permission === "restricted"
    ? [{ source: prepared.home, target: SANDBOX_PATHS.home, write: false }]
    : [];
};

/** Working directory as commands see it: the same for the conversation's life (BED-010). */
export const cwdOf = (thread: string, mounts: boolean): string =>
  mounts ? SANDBOX_PATHS.work : workOf(thread);

export const homeInSandbox = (holding: PolicyInput): string => {
  const { permission, mounts, prepared } = holding;
  if (permission !== "restricted") return mounts ? SANDBOX_PATHS.home : homeOf(ownerOf(holding));
  if (prepared === null) return "/tmp";
  return mounts ? SANDBOX_PATHS.home : prepared.home;
};

export const workOf = (thread: string): string => join(thread, "work");
export const homeOf = (thread: string): string => join(thread, "home");
export const outputsOf = (thread: string): string => join(thread, "background");
/** A draft contains a `work` and a `home` directory too. */
export const draftOf = (thread: string): string => join(thread, "draft");

/** If the home is read-only, programs keep their caches in /tmp, which is deleted after the command. */
export const homeEnvironment = ({ permission, prepared }: PolicyInput): Readonly<Record<string, string>> =>
  permission === "restricted" && prepared !== null
    ? { XDG_CACHE_HOME: "/tmp/.cache", npm_config_cache: "/tmp/.npm" }
    : {};

/** Environment of repository commands that the host starts by itself: no person can answer prompts. */
export const PLAIN_ENVIRONMENT = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LANG: "C.UTF-8",
  TERM: "dumb",
  CI: "1",
  NO_COLOR: "1",
};

/** For every command: the checkout belongs to another user, and reading must not write an index. */
export const checkoutEnvironment = (cwd: string): Readonly<Record<string, string>> => ({
  PWD: cwd,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_OPTIONAL_LOCKS: "0",
  ...configEnvironment({ "safe.directory": "*" }),
});

export interface CommandPlaces {
  /** Never rejects. `unrestricted` creates the private checkout. `on`: writable repository, the first if absent. */
  policy(
    conversation: ConversationId,
    permission: CommandMode,
    on?: string,
  ): Promise<
    | {
        readonly kind: "policy";
        readonly policy: SandboxPolicy;
        readonly home: string;
        /** Host directory for the output of background commands; it might not exist yet. */
        readonly outputs: string;
        readonly extraEnv: Readonly<Record<string, string>>;
        /** Note next to the output of a failed command. */
        readonly hint?: string;
      }
    | { readonly kind: "failed"; readonly message: string }
  >;
}
