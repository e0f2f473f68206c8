/** Removes examples of posts that were deleted while no host was connected. A start reads the posts of all examples. */

import type { ChatSurface } from "../../../ports/connection.ts";
import type { Clock } from "../../../ports/host.ts";
import type { LookRows } from "../store/first-looks.ts";
import type { Watch } from "../store/watches.ts";
import { untilConnected } from "./connected.ts";

interface ExampleCheckDeps {
  readonly looks: Pick<LookRows, "corrections" | "forgetPost">;
  readonly watches: () => readonly Watch[];
  readonly surfaces: () => readonly Pick<ChatSurface, "name" | "off" | "standing" | "readPost">[];
  readonly clock: Clock;
}

export const createExampleChecks = ({ looks, watches, surfaces, clock }: ExampleCheckDeps) => {
  const ending = new AbortController();
  const { signal } = ending;
  let running: Promise<void> = Promise.resolve();

  const check = async (): Promise<void> => {
    const examples = watches().flatMap(({ id }) => looks.corrections(id));
    for (const { surface: name, place, post } of examples) {
      const surface = surfaces().find((one) => one.name === name && one.off === null);
      if (surface?.readPost === undefined) continue;
      await untilConnected(surface, clock, signal);
      if (signal.aborted) return;
      const read = await surface.readPost(place, post);
      if (read.kind === "deleted") await looks.forgetPost(name, place, post);
    }
  };

  return {
    start: (): void => {
      running = check();
    },
    close: async (): Promise<void> => {
      ending.abort();
      await running;
    },
  };
};
