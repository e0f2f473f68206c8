/**
 * Translates a policy for the launcher, without access to the machine. The launcher checks everything again; the checks here
 * give people a reason and resolve paths.
 */

import { resolve } from "node:path/posix";
import type { SandboxPolicy } from "./types.ts";

/** The launcher's limits (spec.c). */
const MAX_MOUNTS = 32;
const MAX_UNDER = 2;
const MAX_IDENTITY = 9_999;

/** Returns null if the policy obeys the rules of its profile (D25), otherwise the reason. */
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

/** A path inside one of the policy's mounts: the mount's index and the rest of the path. */
type Placed =
  | { readonly kind: "placed"; readonly mount: number; readonly rest: string }
  | { readonly kind: "outside" };

/**
 * Finds the mount that contains `path`, in the command's form: absolute, or relative to the policy's cwd. `mounts`: whether
 * commands see targets instead of sources (`Probe.mounts`). The kernel resolves names below the mount, so a link or `..` that
 * leads outside is refused at open.
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

/** An outer mount must be made before the mounts inside it. */
export const mountOrder = (policy: SandboxPolicy): SandboxPolicy => ({
  ...policy,
  mounts: policy.mounts.toSorted((a, b) => a.target.length - b.target.length),
});

const isAbsolute = (path: string): boolean => path.startsWith("/") && !path.includes("\0");

const isPlain = (path: string): boolean => isAbsolute(path) && path !== "/" && resolve(path) === path;

const isWithin = (path: string, root: string): boolean => path === root || path.startsWith(`${root}/`);
