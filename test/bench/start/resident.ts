/** What a process and all that it started hold in memory, and how many descriptors are open in it. Linux only. */

import { readFile, readdir } from "node:fs/promises";

/** Megabytes that the process holds for itself and shares (VmRSS). */
export const residentMB = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
};

/** Processes that it and its own have started, and that are still there. */
export const descendantsOf = async (pid: number): Promise<readonly number[]> => {
  const children = await childrenOf(pid);
  const theirs = await Promise.all(children.map(descendantsOf));
  return [...children, ...theirs.flat()];
};

export const openDescriptors = async (pid: number): Promise<number> =>
  (await readdir(`/proc/${pid}/fd`)).length;

const childrenOf = async (pid: number): Promise<readonly number[]> => {
  try {
    const tasks = await readdir(`/proc/${pid}/task`);
    const lists = await Promise.all(
      tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, "utf8")),
    );
    return lists.flatMap((list) => list.split(" ").filter((text) => text.trim() !== "")).map(Number);
  } catch {
    return [];
  }
};
