import { leadingText, scriptText, type Word } from "../shell/word.ts";
import { type DangerFinding, finding } from "../danger/danger.ts";
import type { RuleContext } from "../danger/rule-context.ts";
import { type Where, whereIs } from "../danger/where.ts";
import { matchesGlob } from "../shell/glob.ts";

/**
 * `look`: only read, by a program known for reading. `read`: used, also a directory, by any program. `write`: created, or
 * changed in place. `destroy`: its content is deleted or moved. `mark`: its permissions or dates change.
 */
export type PathUse = "look" | "read" | "write" | "destroy" | "mark";

/** Pure except for notes in the scene's memory. No findings if the word is no path. */
export const fileAccessFindings = (
  word: Word,
  access: PathUse,
  { memory }: Omit<RuleContext, "command">,
): readonly DangerFinding[] => {
  const { facts, unsettled } = memory;
  const where = whereIs(word, facts);
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

/** Public information of a system: its programs, headers and documents, its release, its hardware. */
const PUBLIC =
  /^\/(?:usr|bin|sbin|lib\w*)(?:\/|$)|^\/etc\/(?:os-release|[a-z]+[-_](?:release|version)|issue|timezone|localtime|locale\.\w+|nsswitch\.conf|mime\.types|services|protocols|(?:alternatives|ld\.so\.\w+|ssl\/certs|apt\/sources\.\w+)(?:\/.*)?)$|^\/proc\/(?:cpuinfo|meminfo|version|uptime|loadavg|stat|filesystems|mounts|cmdline|swaps|(?:sys|net|pressure)(?:\/.*)?|self\/(?:status|stat|maps|limits|cgroup|mounts|mountinfo|exe))$|^\/sys(?:\/|$)/;

export const touchAll = (
  words: readonly Word[],
  access: PathUse,
  scene: RuleContext,
): readonly DangerFinding[] => words.flatMap((word) => fileAccessFindings(word, access, scene));

/** Finds writes to disks, and to files that configure the kernel. */
const kernelFindings = (path: string): readonly DangerFinding[] =>
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

const outsideFinding = (path: string, access: PathUse): DangerFinding =>
  finding("FS_OUTSIDE_WORKSPACE", `${VERB[access]} ${path}`, RISK_OUTSIDE[access]);

const lossOf = (word: Word, where: Where, access: PathUse): DangerFinding => {
  const name = where.kind === "inside" || where.kind === "outside" ? where.path : scriptText(word);
  const verb = access === "destroy" ? "deletes or replaces" : "overwrites the untracked";
  return finding("FS_DELETE_OVERWRITE", `${verb} ${name}`);
};

/** D30: for a file that git can restore, or a new file, only certain secrets count. */
const secretFindings = (path: string, access: PathUse, settled: boolean): readonly DangerFinding[] => {
  const sensitivity = sensitivityOf(path);
  if (sensitivity === null || (sensitivity === "config" && settled)) return [];
  return [
    finding("FS_CONFIG_SECRETS", `${VERB[access]} ${path}`, sensitivity === "secret" ? "high" : "medium"),
  ];
};

/** Returns the known end of a path with an unknown start, such as `$DIR/.env`, or the path's known start. */
const leadingPath = (word: Word): string => {
  const last = word.pieces.at(-1);
  return last?.kind === "text" ? last.text : leadingText(word);
};

/**
 * `secret`: the content is secret, or decides which programs run unasked (git's own files). `config`: the name suggests
 * configuration or secrets, but may be a source file's name.
 */
type Sensitivity = "secret" | "config" | null;

/** `path`: relative to the checkout or absolute; may contain patterns. */
const sensitivityOf = (path: string): Sensitivity => {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  const last = names.at(-1) ?? "";
  if (names.slice(0, -1).some((name) => SECRET_DIRECTORIES.has(name))) return "secret";
  if (names.includes(".git")) return GIT_FILES.test(path) ? "secret" : null;
  if (SECRET_DIRECTORIES.has(last) || isSecretFile(last)) return "secret";
  return names.some(speaksOfSecrets) && !PROSE.test(last) ? "config" : null;
};

const SECRET_DIRECTORIES: ReadonlySet<string> = new Set(".ssh .aws .gnupg .kube .docker .azure".split(" "));

const GIT_FILES = /(?:^|\/)\.git(?:\/(?:config|hooks|info\/attributes|modules)(?:\/|$)|$)/;

const EXAMPLE = /\.(?:example|sample|template|dist)$/;

const SECRET_FILE =
  /^(?:\.env|\.env\..+|.+\.env|\.envrc|.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk)|id_(?:rsa|dsa|ecdsa|ed25519).*|\.(?:netrc|npmrc|pypirc|pgpass|git-credentials|htpasswd|dockercfg)|credentials(?:\.\w+)?|authorized_keys|known_hosts|shadow|sudoers)$/i;

/** Names to compare with a pattern such as `.e*`. */
const TYPICAL = [".env", ".env.local", "id_rsa", "server.key", "server.pem", "credentials"];

const isSecretFile = (name: string): boolean => {
  if (/[*?[]/.test(name)) return /[^*?.[\]]/.test(name) && TYPICAL.some((each) => matchesGlob(name, each));
  return SECRET_FILE.test(name) && !EXAMPLE.test(name);
};

/** Documents about secrets are no secrets. */
const PROSE = /\.(?:md|mdx|rst|adoc|html?)$/i;

const WORDS: ReadonlySet<string> = new Set(
  "config configs secret secrets token tokens apikey apikeys password passwords passwd credential credentials ssh".split(
    " ",
  ),
);

/** The Russian words of the original list, by their stems. */
const RUSSIAN = /^(?:конфиг|секрет|токен|парол|учетн|учётн|ключ)/u;

/** Compares whole words only, so `tokenizer`, `keyboard` and `configuration` do not match. */
const speaksOfSecrets = (name: string): boolean => {
  const words = name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  return words.some(
    (word, at) =>
      WORDS.has(word) ||
      (word.endsWith("config") && word !== "reconfig") ||
      RUSSIAN.test(word) ||
      (/^keys?$/.test(word) && KEY_KINDS.has(words[at - 1] ?? "")),
  );
};

const KEY_KINDS: ReadonlySet<string> = new Set(
  "api private secret access signing deploy ssh host".split(" "),
);

const isManifest = (path: string): boolean => MANIFEST.test(path.split("/").at(-1) ?? "");

const MANIFEST =
  /^(?:package\.json|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|requirements[\w.-]*\.(?:txt|in)|pyproject\.toml|poetry\.lock|uv\.lock|Pipfile(?:\.lock)?|setup\.(?:py|cfg)|Cargo\.(?:toml|lock)|go\.(?:mod|sum)|Gemfile(?:\.lock)?|composer\.(?:json|lock)|pom\.xml|build\.gradle(?:\.kts)?|environment\.ya?ml|mix\.(?:exs|lock))$/;
