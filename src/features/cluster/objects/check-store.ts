import { text } from "node:stream/consumers";
import type { Objects } from "../../../ports/store.ts";

/**
 * Tries the operations that hosts need of the shared storage: write, list, read and remove. Null if all work; otherwise the
 * reason. `host`: part of the object's name, because two hosts may try at the same time.
 */
export const checkStore = async (objects: Objects, host: string): Promise<string | null> => {
  const name = `trial/${host}`;
  let read = "";
  const steps = [
    () => objects.put(name, [Buffer.from(host)]),
    () => objects.list("trial/"),
    () =>
      objects.get(name, async (bytes) => {
        read = await text(bytes);
      }),
    () => objects.remove(name),
  ];
  for (const step of steps) {
    const done = await step();
    if (done.kind === "failed") return done.message;
  }
  return read === host ? null : "the store returns other content than was written: check the store";
};
