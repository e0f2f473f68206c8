/** The forge's client without its distances between writes, which are seconds: what comes out is the same. */

import { createForgeHttp, type ForgeHttp } from "../../../src/features/forge/api/http.ts";

type Task = () => Promise<void>;

const queue = { key: () => ({ schedule: (_: object, task: Task) => task() }) };

export const queues: object = { write: queue, notifications: queue, search: queue };

export const hasty = (changes: Partial<ForgeHttp> = {}): ForgeHttp =>
  createForgeHttp({ throttle: queues, ...changes });
