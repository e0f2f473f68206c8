/** What it means to open, write or destroy a file. Pure but for what it notes in the scene's memory. */
import { leadingText, scriptText, type Word } from "../../shell/word.ts";
import { type Finding, finding } from "../danger.ts";
import type { Scene } from "../scene.ts";
import { isManifest, sensitivityOf } from "./sensitive.ts";
import { type Where, whereIs } from "../where.ts";

/**
 * `look`: only read, by a program that is known for it. `read`: used, also a directory, and by whatever program.
 * `write`: made, or changed in place. `destroy`: its content is gone or elsewhere.
 * `mark`: its rights or dates change.
 */
export type Access = "look" | "read" | "write" | "destroy" | "mark";

/** The findings for one file. Words that are no path give none. */
export const touch = (
  word: Word,
  access: Access,
  { directory, memory }: Omit<Scene, "command">,
): readonly Finding[] => {
  const { facts, unsettled } = memory;
  const where = whereIs(word, directory, facts);
  const shared = access === "look" && where.kind === "outside" && PUBLIC.test(where.path);
  const outside = where.kind === "outside" && !shared ? [outsideFinding(where.path, access)] : [];
  if (access === "look" || access === "read" || where.kind === "device" || where.kind === "scratch")
    return outside;
  const name = where.kind === "unknown" ? leadingPath(word) : where.path;
  const standing = where.kind === "inside" ? facts.standing.get(where.path) : undefined;
  if (where.kind === "inside" && where.exact && access === "write" && standing === undefined) {
    unsettled.add(where.path);
  }
  const lost = access === "destroy" || (access === "write" && standing === "untracked");
  const kernel = where.kind === "outside" ? kernelFindings(where.path) : [];
  return [
    ...kernel,
    ...(lost || kernel.length > 0 ? [lossOf(word, where, access)] : []),
    ...outside,
    ...secretFindings(name, access, standing === "tracked" || standing === "new"),
    ...(access === "write" && isManifest(name) ? [finding("DEPS_INSTALL_UPDATE", `changes ${name}`)] : []),
  ];
};

/** What a system tells everybody of itself: its programs, headers and documents, which release it is, its hardware. */
const PUBLIC =
  /^\/(?:usr|bin|sbin|lib\w*)(?:\/|$)|^\/etc\/(?:os-release|[a-z]+[-_](?:release|version)|issue|timezone|localtime|locale\.\w+|nsswitch\.conf|mime\.types|services|protocols|(?:alternatives|ld\.so\.\w+|ssl\/certs|apt\/sources\.\w+)(?:\/.*)?)$|^\/proc\/(?:cpuinfo|meminfo|version|uptime|loadavg|stat|filesystems|mounts|cmdline|swaps|(?:sys|net|pressure)(?:\/.*)?|self\/(?:status|stat|maps|limits|cgroup|mounts|mountinfo|exe))$|^\/sys(?:\/|$)/;

/** The same for several. */
export const touchAll = (words: readonly Word[], access: Access, scene: Scene): readonly Finding[] =>
  words.flatMap((word) => touch(word, access, scene));

/** Disks, and the files through which the kernel is configured. */
const kernelFindings = (path: string): readonly Finding[] =>
  /^\/(?:dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|disk|mapper|loop|mem|kmem)|proc\/(?:sys|sysrq)|sys\/|boot\/)/.test(
    path,
  )
    ? [finding("SYSTEM_IMPACT", `writes to ${path}`, "high")]
    : [];

const RISK_OUTSIDE = { look: "low", read: "low", mark: "medium", write: "medium", destroy: "high" } as const;

const VERB = {
  look: "reads",
  read: "uses",
  mark: "changes the rights of",
  write: "writes",
  destroy: "deletes",
} as const;

const outsideFinding = (path: string, access: Access): Finding =>
  finding("FS_OUTSIDE_WORKSPACE", `${VERB[access]} ${path}`, RISK_OUTSIDE[access]);

const lossOf = (word: Word, where: Where, access: Access): Finding => {
  const name = where.kind === "inside" || where.kind === "outside" ? where.path : scriptText(word);
  const verb = access === "destroy" ? "deletes or replaces" : "overwrites the untracked";
  return finding("FS_DELETE_OVERWRITE", `${verb} ${name}`);
};

/** D30: of a file that git can give back, or that is new, only what is secret for certain counts. */
const secretFindings = (path: string, access: Access, settled: boolean): readonly Finding[] => {
  const sensitivity = sensitivityOf(path);
  if (sensitivity === null || (sensitivity === "config" && settled)) return [];
  return [
    finding("FS_CONFIG_SECRETS", `${VERB[access]} ${path}`, sensitivity === "secret" ? "high" : "medium"),
  ];
};

/** `$DIR/.env`: the known end of a path with an unknown start, or what is known of its beginning. */
const leadingPath = (word: Word): string => {
  const last = word.pieces.at(-1);
  return last?.kind === "text" ? last.text : leadingText(word);
};
