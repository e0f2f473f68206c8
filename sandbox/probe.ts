/** Translates the launcher's findings about the host into the guarantees for people (D26). */

import { z } from "zod";
import type { Probe, Tier } from "./types.ts";

/** D26: the requirement in the words for users. */
export const REQUIREMENT =
  "Restricted needs Landlock: Linux 5.13+ with user namespaces or started as root, else 6.12+";

/** For a tier where commands run as the bot's own user and see its files. */
const OPEN = "Unrestricted commands may change mode and times of any file of the bot's own user.";

const ProbeFacts = z.object({
  abi: z.int().nonnegative(),
  errata: z.int().nonnegative(),
  off: z.boolean(),
  root: z.boolean(),
  namespaces: z.boolean(),
  userns: z.boolean(),
  proc: z.boolean(),
  network: z.boolean(),
  /** Limits that control groups enforce for a command as a whole. */
  memory: z.boolean(),
  processes: z.boolean(),
  processor: z.boolean(),
  why: z.string(),
});

/** Results of the launcher's tests on this host (launcher/probe.c). */
export type ProbeFacts = Readonly<z.infer<typeof ProbeFacts>>;

/** Null if the text does not match this version of the launcher. */
export const parseFacts = (text: string): ProbeFacts | null => {
  try {
    return ProbeFacts.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
};

const tierOf = (facts: ProbeFacts): Tier => {
  if (facts.abi < 1) return "T3";
  if (facts.root) return "T0";
  if (facts.namespaces) return "T1";
  return facts.abi >= 6 ? "T2" : "T3";
};

/** `broken`: names of self-test attacks that succeeded. Restricted is promised only if the list is empty. */
export const describeProbe = (facts: ProbeFacts, broken: readonly string[], acceptShared = false): Probe => {
  const tier = tierOf(facts);
  const refusal = refusalOf(facts, tier, broken);
  return {
    tier,
    abi: facts.abi,
    errata: facts.errata,
    restricted: refusal === null,
    refusal,
    mounts: facts.namespaces,
    whyNoMounts: facts.namespaces ? null : facts.why || "namespaces cannot be made",
    unrestricted: facts.root || facts.namespaces ? { kind: "held" } : { kind: "open", why: OPEN },
    egress: hasProxy(facts) ? "proxy" : acceptShared ? "shared" : "none",
    enforced: enforcedBy(facts),
    residual: residualOf(facts, acceptShared),
  };
};

/** Probe of a host where the launcher itself does not run. */
export const noProbe = (reason: string): Probe => ({
  tier: "T3",
  abi: 0,
  errata: 0,
  restricted: false,
  refusal: `${REQUIREMENT} (${reason})`,
  mounts: false,
  whyNoMounts: reason,
  unrestricted: { kind: "none", why: reason },
  egress: "none",
  enforced: [],
  residual: ["No command can be run at all: the launcher does not start."],
});

const refusalOf = (facts: ProbeFacts, tier: Tier, broken: readonly string[]): string | null => {
  if (facts.off) return `${REQUIREMENT} (switched off by PARLEY_SANDBOX=off)`;
  if (tier === "T3")
    return `${REQUIREMENT} (${facts.abi === 0 ? "this kernel has no Landlock" : `Landlock ABI ${facts.abi}, no namespaces: ${facts.why}`})`;
  return broken.length === 0 ? null : `the self-test of the sandbox failed: ${broken.join(", ")}`;
};

/** Whether each command can get a network namespace with nothing inside but the proxy. */
const hasProxy = (facts: ProbeFacts): boolean => facts.namespaces && facts.network;

const enforcedBy = (facts: ProbeFacts): readonly string[] => [
  ...holding({
    [`landlock abi ${facts.abi}: files`]: facts.abi > 0,
    "landlock: tcp": facts.abi >= 4,
    "landlock: signal and abstract socket scopes": facts.abi >= 6,
    "seccomp filter": true,
    "no new privileges, no capabilities": true,
    "resource limits for each process": true,
  }),
  ...boundsOf(facts),
  ...holding({
    "a uid of its own for each identity": facts.root,
    "mount, pid and ipc namespaces with a fresh root": facts.namespaces,
    "an empty network namespace where the policy has no network": hasProxy(facts),
    "network egress through the host's proxy only, to public addresses": hasProxy(facts),
    "a user namespace": facts.userns,
  }),
];

const boundsOf = ({ memory, processes, processor, root }: ProbeFacts): readonly string[] => {
  const held = holding({ memory, processes, "share of the processor": processor });
  const watched = holding({
    memory: !memory,
    processes: !processes,
    "open files and epoll": !root,
    "what it writes to disk": true,
  });
  return [
    ...(held.length === 0 ? [] : [`a control group for each command: ${held.join(", ")}`]),
    `a watchdog for each command: ${watched.join(", ")}`,
  ];
};

const residualOf = (facts: ProbeFacts, acceptShared: boolean): readonly string[] =>
  holding({
    "Landlock does not run: files are held by their modes and by the mounts only.": facts.abi === 0,
    "Names, sizes and times of files outside the mounts can be looked up (stat), their content not.":
      !facts.namespaces,
    "Commands see the host's paths.": !facts.namespaces,
    "Unrestricted commands can watch (inotify) directories outside the mounts that their user may read, and so learn names in them.":
      !facts.namespaces,
    [OPEN]: !facts.namespaces && !facts.root,
    "No control group bounds memory: a command that exceeds its bound is ended about 0.1 s later, and holds until then what it could touch.":
      !facts.memory,
    "No control group bounds processes: a command that exceeds its bound is ended about 0.1 s later, and until then others of the same user may fail to start theirs.":
      !facts.processes,
    "No control group shares the processor: a command may open 32 sessions and take a share of each from the others.":
      !facts.processor,
    "Commands share with the bot what the kernel gives one user (epoll, inotify, pipes at full size): one that takes more of epoll than a command may is ended about 0.1 s later; the bot needs none of the rest.":
      !facts.root,
    "A command can lock (flock, fcntl) files that it may read, and so hold up programs of the host that ask for the same lock; the bot asks for none there.": true,
    "What a command may write to disk is looked at four times a second: one that exceeds its bound is ended about a second later, and what it wrote stays.": true,
    "A command can signal the supervisor that holds it: what it started is ended by the server then, and stays when both are killed.":
      !facts.namespaces && facts.abi < 6,
    "There is no /proc for commands: the host does not allow a fresh one.": facts.namespaces && !facts.proc,
    "A writable mount must belong to the sandbox's own user: there are no id-mapped mounts here.":
      facts.root && !facts.namespaces,
    "The names of the host directories behind the mounts can be read in /proc/self/mountinfo.":
      facts.namespaces,
    "A command's temporary directory stays in /tmp until the next start when the sandbox server is killed.":
      !facts.namespaces,
    "With network egress a command can send what it can read to any destination that the proxy allows.":
      hasProxy(facts),
    [`${acceptShared ? "With network egress a command" : "Git that fetches a mirror"} shares the host's network: local ports and cloud metadata addresses are reachable.`]:
      !hasProxy(facts),
    "The programs and world-readable configuration of the host (/usr, /etc) are readable.": true,
  });

export const holding = (sentences: Readonly<Record<string, boolean>>): readonly string[] =>
  Object.keys(sentences).filter((sentence) => sentences[sentence]);
