/** What Slack sends, on the disk before it is acknowledged: whichever host it came to, the one that leads stores it. */

import type { ChatRoom, Take } from "../../../src/ports/connection.ts";
import type { WriteFailure } from "../../../src/ports/host.ts";
import type { Identity } from "./identity.ts";
import { admit, type Ears } from "./inbound.ts";

export interface Intake {
  /** It is known who the bot is, and where what arrives is kept. */
  attend(room: ChatRoom, self: Identity): void;
  readonly take: Take;
}

export const createIntake = (): Intake => {
  let ears: (Ears & Pick<ChatRoom, "arrive">) | null = null;
  return {
    attend: (room, self) => {
      ears = { ...room, self };
    },
    take: async (body) => {
      if (ears === null) return NOBODY;
      const arrival = admit(body, ears);
      const arrived = arrival === null ? DONE : await ears.arrive(arrival);
      return arrived.kind === "failed" ? arrived : DONE;
    },
  };
};

const DONE = { kind: "done" } as const;
/** Asked again: it begins to lead. */
const NOBODY: WriteFailure = {
  kind: "failed",
  code: "closing",
  message: "Slack has not said yet who the bot is.",
};
