/** What the operator has to know of, in a channel: the host's own sentences, each put once. */

import type { webApi } from "@slack/bolt";
import type { SendAlert } from "../../../src/ports/alerts.ts";
import { section } from "./blocks.ts";
import { escaped } from "./markup.ts";
import { postOnce } from "./posted-question.ts";

export const createAlert =
  (client: webApi.WebClient): SendAlert =>
  (place, { id, text }) => {
    const shown = escaped(text);
    return postOnce(client, { place, root: null, id }, { text: shown, blocks: [section(shown)] });
  };
