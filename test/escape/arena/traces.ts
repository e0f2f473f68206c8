/** What the host looks like: taken before an attack and after it, and compared. */

import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { vi, expect } from "vitest";

/** Every name below `folder` with content, mode, owner and the time of the last change of anything about it. */
export const fingerprint = (folder: string): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {};
  const visit = (path: string): void => {
    const st = lstatSync(path, { bigint: true });
    const facts = [st.mode.toString(8), st.uid, st.gid, st.nlink, st.size, st.mtimeNs, st.ctimeNs];
    found[path] = `${facts.join(" ")} ${contentOf(path, st.isFile(), st.isSymbolicLink())}`;
    if (st.isDirectory()) for (const name of readdirSync(path)) visit(join(path, name));
  };
  visit(folder);
  return found;
};

/** Limits, priorities and rights of a process, as the kernel tells them. */
export const standing = (pid: number): string => {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
    .split("\n")
    .filter((line) => /^(Name|Uid|Gid|Cpus_allowed|TracerPid|Seccomp|NoNewPrivs)/.test(line));
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const [state = ""] = stat;
  const io = execFileSync("/usr/bin/ionice", ["-p", String(pid)]).toString();
  return [
    ...status,
    /[TtZX]/.test(state) ? "stopped" : "alive",
    `priority ${stat[15]} nice ${stat[16]} policy ${stat[38]}`,
    readFileSync(`/proc/${pid}/limits`, "utf8"),
    readFileSync(`/proc/${pid}/oom_score_adj`, "utf8"),
    io,
  ].join("\n");
};

/** Settles when everything below this process is a process that was there before: nothing of a command is left. */
export const nothingLeft = async (before: readonly number[]): Promise<void> => {
  await vi.waitFor(() => expect(descendants().filter((pid) => !before.includes(pid))).toEqual([]), {
    interval: 10,
  });
};

/** Processes below this one, or another, that are not dead; without the `ps` that looks and what waits for a command. */
export const descendants = (root = process.pid): readonly number[] => {
  const all = execFileSync("/bin/ps", ["-eo", "pid,ppid,stat,comm", "--no-headers"])
    .toString()
    .split("\n")
    .flatMap((line) => {
      const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
      if (match === null || match[3]?.startsWith("Z") || match[4] === "ps") return [];
      return [{ pid: Number(match[1]), parent: Number(match[2]), name: match[4] }];
    });
  // The one that waits (sandbox/launcher/server/ready.c), and its supervisor.
  const waiting = all
    .filter(({ name }) => name === "parley-warm")
    .flatMap(({ pid, parent }) => [pid, parent]);
  const rows = all.filter(
    ({ pid, name }) => !(/^parley-(warm|hold)$/.test(name ?? "") && waiting.includes(pid)),
  );
  const below = (parent: number): readonly number[] =>
    rows.filter((row) => row.parent === parent).flatMap((row) => [row.pid, ...below(row.pid)]);
  return below(root);
};

const contentOf = (path: string, file: boolean, link: boolean): string => {
  if (link) return readlinkSync(path);
  return file ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
};
