/** The policies under which a conversation's commands run. */

import { join } from "node:path";
import type { Mount, SandboxPolicy } from "../../../sandbox/types.ts";
import type { Permission } from "../../machine/words.ts";
import { configEnvironment } from "../run/git.ts";
import { objectsMount, SANDBOX_PATHS } from "../disk/layout.ts";
import type { ConversationId } from "../../machine/id.ts";

/** Where a command runs: a permission, or the draft of a conversation, which stays Restricted (D42). */
export type CommandMode = Permission | "draft";

export interface PolicyInput {
  readonly permission: CommandMode;
  /** `Probe.mounts`: whether commands see fixed paths or the host's. */
  readonly mounts: boolean;
  /** The conversation's own directory. */
  readonly thread: string;
  /** What `/work` shows: the shared tree, or the private checkout once there is one. */
  readonly work: string;
  /** Of a draft that shares what it leaves alone; else empty (`Mount.under`). */
  readonly under: readonly string[];
  /** The generation of the mirror whose objects the checkout borrows. */
  readonly generation: string;
  readonly slot: number;
  /** What the repository's set-up left; null where there is nothing. */
  readonly prepared: { readonly directory: string; readonly home: string } | null;
}

/**
 * Restricted reads, and its home vanishes with the command, unless a set-up left one: that is read. Unrestricted writes its
 * checkout and its home (D27), a draft its copy and the home beside it. Without mounts, what was installed may name the place where it was: that is read too.
 */
export const policyOf = (holding: PolicyInput): SandboxPolicy => {
  const { permission, mounts } = holding;
  const write = permission !== "restricted";
  const owner = ownerOf(holding);
  const work = {
    /* Without mounts the name of the directory has to stay the same: it may be a link to the shared tree. */
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

/** Whose checkout and home are written. */
const ownerOf = ({ permission, thread }: PolicyInput): string =>
  permission === "draft" ? draftOf(thread) : thread;

const preparedMounts = ({ permission, mounts, prepared }: PolicyInput): readonly Mount[] => {
  if (prepared === null) return [];
  if (!mounts) return [{ source: prepared.directory, target: SANDBOX_PATHS.prepared, write: false }];
  return permission === "restricted"
    ? [{ source: prepared.home, target: SANDBOX_PATHS.home, write: false }]
    : [];
};

/** The working directory as commands see it: the same for the conversation's life (BED-010). */
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
/** The draft has the same two in it. */
export const draftOf = (thread: string): string => join(thread, "draft");

/** Where the home cannot be written, what programs would keep there goes with the command. */
export const homeEnvironment = ({ permission, prepared }: PolicyInput): Readonly<Record<string, string>> =>
  permission === "restricted" && prepared !== null
    ? { XDG_CACHE_HOME: "/tmp/.cache", npm_config_cache: "/tmp/.npm" }
    : {};

/** Of what the host runs of a repository by itself: nobody is there to ask. */
export const PLAIN_ENVIRONMENT = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LANG: "C.UTF-8",
  TERM: "dumb",
  CI: "1",
  NO_COLOR: "1",
};

/** For every command: its checkout belongs to another user, and reading must not write an index. */
export const checkoutEnvironment = (cwd: string): Readonly<Record<string, string>> => ({
  PWD: cwd,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_OPTIONAL_LOCKS: "0",
  ...configEnvironment({ "safe.directory": "*" }),
});

/** Where a conversation's commands run: what the tools ask the workspace for before every launch. */
export interface CommandPlaces {
  /**
   * The policy that holds `permission` for one command of the conversation; a sub-agent's is its parent's. The first `unrestricted` request makes
   * the private checkout, `draft` fails while none is open; `home` and `extraEnv` belong in the command's environment.
   * `on`: the one of several repositories that may be written, by name; absent: the first.
   * Never rejects.
   */
  policy(
    conversation: ConversationId,
    permission: CommandMode,
    on?: string,
  ): Promise<
    | {
        readonly kind: "policy";
        readonly policy: SandboxPolicy;
        readonly home: string;
        /** A directory of the host's for the output of the conversation's background commands; it may not exist. */
        readonly outputs: string;
        readonly extraEnv: Readonly<Record<string, string>>;
        /** What is said beside the output of a command that fails; absent where there is nothing to say. */
        readonly hint?: string;
      }
    | { readonly kind: "failed"; readonly message: string }
  >;
}
