/** What somebody said, as it reads now: for what has waited since. */

import type { webApi } from "@slack/bolt";
import type { ChatPlatform } from "../../../src/ports/chat-platform.ts";
import type { Log } from "../../../src/ports/host.ts";
import type { Identity } from "../receive/identity.ts";
import { saidOf } from "../receive/inbound.ts";
import { withFiles } from "./files.ts";
import { slackMessage } from "./message.ts";
import type { Naming } from "./names.ts";
import { courtesy } from "./people.ts";
import { readSingle } from "./single.ts";

export const createReread =
  (client: webApi.WebClient, self: Identity, naming: Naming, log: Log): ChatPlatform["reread"] =>
  (where, ts) =>
    courtesy(log, "the message that waited for a repository could not be read", async () => {
      const found = await readSingle(client, slackMessage, where, ts);
      if (found === null) return null;
      const channel = where.place;
      const message = await withFiles(client, log, found);
      const isDirect = channel.startsWith("D");
      const heard = { kind: "message" as const, channel, isDirect, isPartial: false, message };
      return naming.named(channel, (names) => saidOf(heard, self, names));
    });
