/** The commit itself decides: no checkout has influence. Equal scripts and lock files on one branch have the same name. */

import { createHash } from "node:crypto";
import { dirname } from "node:path/posix";
import type { CheckoutDeps } from "../checkout/checkout.ts";
import type { Workspace } from "../checkout/record.ts";
import { bareOf, type TreeEntry } from "../mirror/generation.ts";

const SETUP_FILE = ".parley/setup.sh";
/** The script's path before version 0.1.0; read if `.parley/setup.sh` is absent, for one more version. */
const FORMER_SETUP_FILE = "PARLEY_SETUP";

/** A script that names more files than this has no real list of lock files. */
const MAX_NAMED = 50;
const MAX_SCRIPT = 64 * 1024;
/** Increased when the kept files or their format change. */
const FORMAT = 1;

/** `unusable`: the script is not run; `why` is a sentence. */
export type SetupPlan =
  /** `key`: name of the setup's result, 32 hexadecimal digits. `file`: path of the script. */
  | { readonly kind: "plan"; readonly key: string; readonly file: string }
  | { readonly kind: "none" }
  | { readonly kind: "unusable"; readonly why: string };

export const readPlan = async (
  { generations, layout, sandbox }: CheckoutDeps,
  workspace: Workspace,
): Promise<SetupPlan> => {
  const { commit } = workspace;
  const bare = bareOf(layout, workspace);
  const root = await generations.entries(bare, commit, []);
  const hasFolder = root.some(({ path, type }) => path === dirname(SETUP_FILE) && type === "tree");
  const below = hasFolder ? await generations.entries(bare, commit, [SETUP_FILE]) : [];
  const script = below[0] ?? root.find(({ path }) => path === FORMER_SETUP_FILE);
  if (script === undefined) return { kind: "none" };
  const fault = faultOf(script);
  if (fault !== null) return { kind: "unusable", why: fault };
  const named = lockFilesIn(script.path, await generations.blob(bare, script.id));
  if (named.kind === "unusable") return named;
  const others = named.paths.filter((path) => path.includes("/"));
  const weighed = [
    script,
    ...root.filter((entry) => entry !== script && (isUsual(entry.path) || named.paths.includes(entry.path))),
    ...(others.length === 0 ? [] : await generations.entries(bare, commit, others)),
  ];
  return { kind: "plan", key: keyOf(workspace, sandbox.probe.mounts, weighed), file: script.path };
};

/** Lock files that count at the root even if the script does not name them. */
const USUAL_LOCK_FILES = (
  "package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock uv.lock poetry.lock " +
  "Pipfile.lock Cargo.lock go.sum Gemfile.lock composer.lock"
).split(" ");

const isUsual = (path: string): boolean =>
  USUAL_LOCK_FILES.some((name) => name === path) || /^requirements[^/]*\.txt$/.test(path);

const faultOf = ({ path, mode, type, size }: TreeEntry): string | null => {
  if (type !== "blob" || mode === "120000") return `${path} is not a regular file.`;
  return size === null || size > MAX_SCRIPT ? `${path} is larger than 64 KiB.` : null;
};

/** Lines such as `# lock: web/package-lock.json api/uv.lock`. Pure. */
const lockFilesIn = (
  file: string,
  script: string,
): { readonly kind: "named"; readonly paths: readonly string[] } | { kind: "unusable"; why: string } => {
  const paths = script
    .split("\n")
    .flatMap((line) => /^#\s*lock:(.*)$/.exec(line.trimEnd())?.[1]?.trim().split(/\s+/) ?? [])
    .filter((path) => path !== "");
  if (paths.length > MAX_NAMED) {
    return { kind: "unusable", why: `${file} names more than ${MAX_NAMED} lock files.` };
  }
  const odd = paths.find((path) => !isPlain(path));
  return odd === undefined
    ? { kind: "named", paths }
    : { kind: "unusable", why: `${file} names a lock file that is not a path in the repository.` };
};

const isPlain = (path: string): boolean =>
  /^[A-Za-z0-9._@+/-]{1,300}$/.test(path) &&
  path.split("/").every((name) => name !== "" && name !== "." && name !== "..");

/** Other branches must not see a branch's installed files. Installed files may contain fixed paths, so `mounts` counts. */
const keyOf = (
  { key, ref, isTag = false }: Workspace,
  mounts: boolean,
  weighed: readonly TreeEntry[],
): string => {
  const files = weighed
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path, mode, id }) => [path, mode, id]);
  const named = isTag ? `refs/tags/${ref}` : `refs/heads/${ref}`;
  const all = [FORMAT, key, named, mounts, process.platform, process.arch, files];
  return createHash("sha256").update(JSON.stringify(all)).digest("hex").slice(0, 32);
};
