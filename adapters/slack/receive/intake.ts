/** What Slack sends, on the disk before it is acknowledged: whichever host it came to, the one that leads stores it. */

import type { ChatRoom, Take } from "../../../src/ports/connection.ts";
import type { Done, WriteFailure } from "../../../src/ports/host.ts";
import { readBody } from "../read/read.ts";
import type { SlackIdentity } from "../read/identity.ts";
import { admit, type SlackInboundContext } from "./inbound.ts";

export interface Intake {
  /** It is known who the bot is, and where what arrives is kept. */
  attend(room: ChatRoom, self: SlackIdentity, renamed: Renamed): void;
  readonly take: Take;
}

/** `taking`: the same, done by the host that leads. */
export const createIntake = (taking: (own: Take) => Take): Intake => {
  let ears: Attending | null = null;
  const store = taking(async (body) => {
    if (ears === null) return NOBODY;
    note(body, ears);
    const arrival = admit(body, ears);
    const arrived = arrival === null ? DONE : await ears.arrive(arrival);
    return arrived.kind === "failed" ? arrived : DONE;
  });
  return {
    attend: (room, self, renamed) => {
      ears = { ...room, self, renamed };
    },
    // Most of it is of no use to anybody, such as the edits of the bot's own posts.
    take: async (body) => (readBody(body) === null ? DONE : store(body)),
  };
};

type Renamed = (channel: string) => void;
type Attending = SlackInboundContext & Pick<ChatRoom, "arrive" | "reopened"> & { readonly renamed: Renamed };

/** What is of use at this moment alone. */
const note = (body: unknown, { self, reopened, renamed }: Attending): void => {
  const read = readBody(body);
  if (read?.kind === "renamed") renamed(read.channel);
  if (read?.kind === "reopened" && (read.user === null || read.user === self.user)) reopened(read.channel);
};

const DONE: Done = { kind: "done" };
/** Asked again: it begins to lead. */
const NOBODY: WriteFailure = {
  kind: "failed",
  code: "closing",
  message: "Slack has not said yet who the bot is.",
};
