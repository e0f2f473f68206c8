/** Lines of doctor in a container: whether the data outlives it, and whether a published port reaches the console. */

import { existsSync, readFileSync } from "node:fs";
import type { Config } from "../../settings/config.ts";
import { type Finding, findingAbout } from "../../../ports/finding.ts";

const CONTAINER = findingAbout("container");

/** `/proc/self/mountinfo` in a container of Docker or Podman; null elsewhere. */
export const containerMounts = (): string | null => {
  const isContainer = ["/.dockerenv", "/run/.containerenv"].some((file) => existsSync(file));
  return isContainer ? readFileSync("/proc/self/mountinfo", "utf8") : null;
};

export function* containerFindings(
  mounts: string | null,
  { PARLEY_DATA: data, PARLEY_HOST: host }: Pick<Config, "PARLEY_DATA" | "PARLEY_HOST">,
): Generator<Finding> {
  if (mounts === null) return;
  yield dataFinding(mounts, data);
  if (/^(?:127\.|::1$|localhost$)/.test(host))
    yield CONTAINER.warning(
      `the console listens on ${host}, which a published port does not reach`,
      "Set PARLEY_HOST=0.0.0.0 and PARLEY_PROXY_HOSTS=localhost, as the image does.",
    );
}

const VOLUME = "Mount a named volume there: docker run -v parley:/data (docs/install.md).";

const dataFinding = (mounts: string, data: string): Finding => {
  const mount = mountOf(mounts, data);
  if (mount === null || mount.at === "/")
    return CONTAINER.warning(`${data} is removed with the container`, VOLUME);
  if (mount.type === "tmpfs") return CONTAINER.warning(`${data} is in memory only`, VOLUME);
  return ANONYMOUS.test(mount.root)
    ? CONTAINER.warning(`${data} is a volume without a name, which docker run --rm removes`, VOLUME)
    : CONTAINER.ok(`${data} outlives the container (mounted at ${mount.at})`);
};

/** Docker names a volume without a name by 64 hexadecimal digits. */
const ANONYMOUS = /\/volumes\/[0-9a-f]{64}\/_data(?:\/|$)/;

interface Mount {
  readonly root: string;
  readonly at: string;
  readonly type: string;
}

/** The mount of a path. The last of several mounts at one place covers the others. */
const mountOf = (mounts: string, path: string): Mount | null => {
  const above = mounts.split("\n").flatMap((line): readonly Mount[] => {
    const [, , , root, at] = line.split(" ").map(unescaped);
    const type = / - (\S+) /.exec(line)?.[1];
    if (root === undefined || at === undefined || type === undefined) return [];
    return at === "/" || path === at || path.startsWith(`${at}/`) ? [{ root, at, type }] : [];
  });
  const longest = Math.max(...above.map(({ at }) => at.length));
  return above.findLast(({ at }) => at.length === longest) ?? null;
};

/** The kernel writes blanks, tabs, line breaks and backslashes in octal. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
