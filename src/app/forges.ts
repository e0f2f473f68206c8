/** The forges that this host may ask, with the operator's credentials (docs/forges.md). */

import { createArchives } from "../forge/archives.ts";
import type { Choice } from "../forge/choose.ts";
import { readCredentials, secretsIn } from "../forge/credentials.ts";
import { createDoors } from "../forge/doors.ts";
import { createForges } from "../forge/forges.ts";
import { createInspector, type Inspector } from "../forge/inspect/inspector.ts";
import type { Archives } from "../ports/knowledge/archive.ts";
import type { WritableForges } from "../ports/desk.ts";
import type { Doors } from "../ports/forge.ts";
import { createRepos, entryProblem } from "../runtime/chat/commands/repos.ts";
import { createForgeHttp } from "../forge/http.ts";
import { createOutward } from "../../sandbox/egress/outward.ts";
import { proxiesOf } from "./process/outgoing-proxy.ts";
import { anyPublicOf, type Egress } from "./outward.ts";
import { version } from "./settings/version.ts";

export type OpenedForges =
  | {
      readonly kind: "forges";
      readonly forges: WritableForges;
      readonly doors: Doors;
      readonly archives: Archives;
      readonly inspector: Inspector;
      readonly secrets: readonly string[];
    }
  | { readonly kind: "invalid"; readonly problems: readonly string[] };

/** `path`: of the file of credentials; null where there is none, and only what everybody may read is read. */
export const openForges = (path: string | null, egress: Egress = {}): OpenedForges => {
  const read =
    path === null ? ({ kind: "credentials", credentials: [] } as const) : readCredentials(path, entryProblem);
  if (read.kind === "invalid") return read;
  const { credentials } = read;
  const choice: Choice = {
    credentials,
    fits: (patterns, repo) => createRepos(patterns).nameOf(repo) !== null,
    userAgent: `parley/${version}`,
    wire: createForgeHttp({ outward: createOutward(anyPublicOf(egress)), proxies: proxiesOf(egress) }),
  };
  return {
    kind: "forges",
    forges: createForges(choice),
    doors: createDoors(choice),
    archives: createArchives(choice),
    inspector: createInspector(choice),
    secrets: secretsIn(credentials),
  };
};
