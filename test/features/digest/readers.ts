/** Functions of the digest that read the text of others. */

import { cardOf } from "../../../src/features/digest/card.ts";
import { digestCsv } from "../../../src/features/digest/requests.ts";
import { createTally } from "../../../src/features/digest/tally.ts";
import { english } from "../../../src/i18n/say.ts";
import type { Read } from "../../linear/readers.ts";

export const READERS: Readonly<Record<string, Read>> = {
  "digest: counted, told and saved": (text) => {
    const tally = createTally({ from: 0, to: 2 });
    for (const question of [text, text])
      tally.add({ at: 1, asker: "slack:U1", thread: null, repo: REPO, question, answer: null }, null);
    const digest = tally.end();
    return [cardOf(digest, english), digestCsv(digest)];
  },
};

const REPO = { kind: "url", location: "https://github.com/acme/api.git" } as const;
