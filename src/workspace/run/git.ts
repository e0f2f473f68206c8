/** Runs git, only inside the sandbox, and only with Parley's configuration. */

import { DIAL } from "../../../sandbox/outbound.ts";
import type { SandboxPolicy, Sandbox } from "../../../sandbox/types.ts";
import type { Millis } from "../../machine/id.ts";
import type { GitIdentity } from "../../ports/outgoing.ts";
import { omitUndefined } from "../../text/omit-undefined.ts";
import { decodeExactly } from "./exact-text.ts";
import { ended, InTheWay, gitTroubleOf } from "./git-trouble.ts";
import type { WorkspaceContext } from "../disk/workspace-context.ts";

export interface GitRequest {
  readonly policy: SandboxPolicy;
  readonly args: readonly string[];
  /** Git directory as the command sees it; git never searches for one. */
  readonly directory: string;
  readonly config?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  readonly timeout: Millis;
  readonly signal?: AbortSignal;
  readonly onOutput?: (chunk: Buffer) => void;
  /** Bytes after which output is cut. If absent, longer output than the limit fails. */
  readonly most?: number;
  /** See `decodeExactly`. */
  readonly exact?: true;
}

/** Bytes of git's output that are kept from each end. */
const KEEP = 4 * 2 ** 20;

export const runGit = async (
  { sandbox, log }: Pick<WorkspaceContext, "sandbox" | "log">,
  { policy, args, directory, config = {}, env, stdin, timeout, signal, onOutput, most, exact }: GitRequest,
): Promise<string> => {
  const result = await sandbox.run(
    {
      policy,
      argv: ["git", ...args],
      env: { ...gitEnvironment(directory, config), GIT_SSH_COMMAND: sshCommand(sandbox), ...env },
      timeoutMs: timeout,
      keep: most === undefined ? { head: KEEP, tail: KEEP } : { head: most, tail: 0 },
      ...(stdin === undefined ? {} : { stdin: typeof stdin === "string" ? Buffer.from(stdin) : stdin }),
    },
    omitUndefined({ signal, onOutput }),
  );
  const ran = ended(result, timeout, signal);
  const verb = args[0] ?? "";
  if (ran.kind === "signalled") {
    log.warn("git: command ended by a signal", { verb, signal: ran.signal });
    throw new InTheWay({ kind: "unknown", said: "" });
  }
  if (most === undefined && ran.total > 2 * KEEP) throw new InTheWay({ kind: "tooManyRefs" });
  if (ran.code === 0) return exact ? decodeExactly(ran.bytes) : ran.text;
  const found = gitTroubleOf(ran.text);
  log.warn("git: command failed", { verb, code: ran.code, trouble: found.kind });
  throw new InTheWay(found);
};

// `git clone` accepts these irregular objects too. All other fsck findings, such as names that leave a checkout, are refused.
const HARMLESS = (
  "badDate badDateOverflow badEmail badName badTagName badTimezone extraHeaderEntry gitattributesBlob gitattributesLarge " +
  "gitattributesLineLength gitattributesMissing gitmodulesParse missingAuthor missingEmail missingNameBeforeEmail " +
  "missingSpaceBeforeDate missingSpaceBeforeEmail missingTaggerEntry multipleAuthors nulInCommit zeroPaddedDate " +
  "zeroPaddedFilemode"
).split(" ");

const HARDENED: Readonly<Record<string, string>> = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.askPass": "",
  /* Diffs for people show names in their original script (WG4). */
  "core.quotePath": "false",
  "core.protectHFS": "true",
  "core.protectNTFS": "true",
  "credential.helper": "",
  "protocol.allow": "never",
  "submodule.recurse": "false",
  "fetch.recurseSubmodules": "false",
  "fetch.fsckObjects": "true",
  "transfer.fsckObjects": "true",
  /* Objects arrive as whole packs, never as loose files. */
  "fetch.unpackLimit": "1",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "safe.directory": "*",
  "http.lowSpeedLimit": "1000",
  "http.lowSpeedTime": "60",
  ...Object.fromEntries(HARMLESS.map((id) => [`fetch.fsck.${id}`, "ignore"])),
};

/** The complete environment of git, which reads no other configuration. */
export const gitEnvironment = (
  directory: string,
  config: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => ({
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME: "/tmp",
  LC_ALL: "C",
  GIT_DIR: directory,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_LFS_SKIP_SMUDGE: "1",
  GIT_NO_LAZY_FETCH: "1",
  GIT_PROGRESS_DELAY: "0",
  /* All network access of git goes through the proxy. */
  no_proxy: "",
  NO_PROXY: "",
  ...configEnvironment({ ...HARDENED, ...config }),
});

export const committer = (
  identity: GitIdentity,
  date: string,
  author = identity,
): Readonly<Record<string, string>> => ({
  GIT_AUTHOR_NAME: author.name,
  GIT_AUTHOR_EMAIL: author.email,
  GIT_AUTHOR_DATE: date,
  GIT_COMMITTER_NAME: identity.name,
  GIT_COMMITTER_EMAIL: identity.email,
  GIT_COMMITTER_DATE: date,
});

const sshCommand = (sandbox: Sandbox): string => {
  const plain = "ssh -F /dev/null -oBatchMode=yes -oStrictHostKeyChecking=yes -oUserKnownHostsFile=/dev/null";
  return sandbox.probe.egress === "proxy" ? `${plain} -o 'ProxyCommand=${DIAL}'` : plain;
};

/** Configuration in the environment: the only form that no file of a repository can override. */
export const configEnvironment = (config: Readonly<Record<string, string>>): Record<string, string> => {
  const entries = Object.entries(config);
  const env: Record<string, string> = { GIT_CONFIG_COUNT: String(entries.length) };
  for (const [i, [key, value]] of entries.entries()) {
    env[`GIT_CONFIG_KEY_${i}`] = key;
    env[`GIT_CONFIG_VALUE_${i}`] = value;
  }
  return env;
};
