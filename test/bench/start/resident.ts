/** What a process and all that it started hold in memory and have used of the processor, and its descriptors. Linux only. */

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

/** Milliseconds that the process and its children that have ended used, in ticks of 10 ms. */
export const processorTime = async (pid: number): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * 10;
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
