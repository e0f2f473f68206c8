/**
 * What a policy means for the launcher, decided without touching the machine. The launcher checks all of it again:
 * this side exists to give people a reason in words and to place paths.
 */

import { resolve } from "node:path/posix";
import type { SandboxPolicy } from "./types.ts";

/** The launcher's bounds (spec.c). */
const MAX_MOUNTS = 32;
const MAX_UNDER = 2;
const MAX_IDENTITY = 9_999;

/** Null when the policy keeps the rules of its profile (D25), else why not. */
export const policyFault = (policy: SandboxPolicy): string | null => {
  if (policy.mounts.length > MAX_MOUNTS) return `more than ${MAX_MOUNTS} mounts`;
  if (!Number.isInteger(policy.identity) || policy.identity < 0 || policy.identity > MAX_IDENTITY) {
    return `identity ${policy.identity} is not between 0 and ${MAX_IDENTITY}`;
  }
  if (policy.network === "egress" && policy.profile !== "unrestricted" && policy.profile !== "fetch") {
    return `profile ${policy.profile} has no network`;
  }
  if (policy.egressTo !== undefined && policy.network !== "egress") return "destinations without network";
  if (policy.door !== undefined && (policy.profile !== "fetch" || policy.network !== "egress")) {
    return `profile ${policy.profile} has no door`;
  }
  for (const mount of policy.mounts) {
    if (!isPlain(mount.source)) return `mount source ${mount.source} is not a plain absolute path`;
    if (!isPlain(mount.target)) return `mount target ${mount.target} is not a plain absolute path`;
    if (isWithin(mount.target, "/proc") || isWithin(mount.target, "/dev")) {
      return `mount target ${mount.target} would cover a system directory`;
    }
    const { under = [] } = mount;
    if (under.length > MAX_UNDER || !under.every(isPlain))
      return `the layers of ${mount.source} are not at most ${MAX_UNDER} plain absolute paths`;
    if (mount.write && policy.profile === "restricted") return "restricted has no writable mount";
  }
  if (!isAbsolute(policy.cwd)) return `working directory ${policy.cwd} is not absolute`;
  return null;
};

/** A path placed in one of the policy's mounts: the mount's index and what remains below it. */
type Placed =
  | { readonly kind: "placed"; readonly mount: number; readonly rest: string }
  | { readonly kind: "outside" };

/**
 * Finds the mount that holds `path`, as the command would name it: absolute, or relative to the policy's cwd.
 * `mounts` says whether commands see targets or sources (`Probe.mounts`). Names are not resolved here: the kernel
 * does that below the mount, so a link or `..` that leads out is refused where it is opened.
 */
export const placePath = (policy: SandboxPolicy, path: string, mounts: boolean): Placed => {
  const full = resolve(policy.cwd, path);
  let best: Placed = { kind: "outside" };
  let longest = 0;
  policy.mounts.forEach((mount, index) => {
    const root = mounts ? mount.target : mount.source;
    if (root.length <= longest || !isWithin(full, root) || full === root) return;
    longest = root.length;
    best = { kind: "placed", mount: index, rest: full.slice(root.length + 1) };
  });
  return best;
};

/** Mounts in the order in which they must be made: what contains comes before what it contains. */
export const mountOrder = (policy: SandboxPolicy): SandboxPolicy => ({
  ...policy,
  mounts: policy.mounts.toSorted((a, b) => a.target.length - b.target.length),
});

const isAbsolute = (path: string): boolean => path.startsWith("/") && !path.includes("\0");

const isPlain = (path: string): boolean => isAbsolute(path) && path !== "/" && resolve(path) === path;

const isWithin = (path: string, root: string): boolean => path === root || path.startsWith(`${root}/`);
