/** Two hosts of which one takes over from the other. */

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../sandbox/types.ts";
import type { CheckoutRestored } from "../../src/machine/vocabulary.ts";
import type { Base } from "../../src/ports/conversation.ts";
import type { Objects } from "../../src/ports/store.ts";
import { createFolder } from "../../src/store/base/folder.ts";
import { scratch } from "../scratch.ts";
import { type All, commit, conversation, createScene, type Scene } from "./scene.ts";

export const never = new AbortController().signal;

/** Each has a data directory of its own; `takesOver`: as the process that has just become the active one. */
export const twoHosts = async (sandbox: Sandbox, objects?: Objects) => {
  const shared = scratch("shared");
  const [one, two] = [await createScene(sandbox), await createScene(sandbox)];
  const source = await one.repository("source");
  await commit(source, { "a.txt": "one\n", "b.txt": "two\n", ".gitignore": "built/\n" });
  let epoch = 0;
  const takesOver = (scene: Scene): All => {
    epoch += 1;
    return scene.restart({ fleet: { epoch, shared: objects ?? createFolder(shared) } });
  };
  const opens = async (workspaces: All, base: Base | null = null) => {
    const told: CheckoutRestored[] = [];
    const outcome = await workspaces.open(conversation("c-1", { kind: "path", location: source }, base), {
      signal: never,
      onProgress: () => undefined,
      onPutBack: (putBack) => told.push(putBack),
    });
    return { outcome, told };
  };
  const archives = (): Promise<readonly string[]> =>
    readdir(join(shared, "checkouts", "c-1")).catch(() => []);
  const dispose = async (): Promise<void> => {
    await one[Symbol.asyncDispose]();
    await two[Symbol.asyncDispose]();
  };
  return { shared, one, two, source, takesOver, opens, archives, [Symbol.asyncDispose]: dispose };
};

export const baseOf = (outcome: Awaited<ReturnType<All["open"]>>): Base => {
  if (outcome.kind !== "ready") throw new Error(JSON.stringify(outcome));
  return outcome.base;
};
