/** Slack as the shared manners of chat see it (ports-chat.ts). */

import type { webApi } from "@slack/bolt";
import type { Clock, Log } from "../../src/runtime/ports.ts";
import type { ChatPlatform } from "../../src/runtime/ports-chat.ts";
import { createDownload, type DownloadDeps } from "./download.ts";
import { createEarlier } from "./earlier.ts";
import type { Identity } from "./identity.ts";
import { createNotes } from "./notes.ts";
import { createPeople } from "./people.ts";
import { createPlaces } from "./places.ts";
import { createPut } from "./put.ts";
import { createShown } from "./shown.ts";

export interface PlatformDeps extends DownloadDeps {
  readonly client: webApi.WebClient;
  readonly self: Identity;
  readonly clock: Clock;
  readonly log: Log;
}

export const createSlackPlatform = (deps: PlatformDeps): ChatPlatform => {
  const { client, self, log } = deps;
  const people = createPeople(client, self.team);
  return {
    ...people,
    ...createNotes(client, log),
    server: null,
    isPrivate: () => true,
    ...createPlaces(client, log),
    tags: () => Promise.resolve({ kind: "tags", tags: [] }),
    put: createPut(client),
    earlier: createEarlier({ client, self, people, log }),
    shown: createShown(deps),
    fetch: createDownload(deps),
  };
};
