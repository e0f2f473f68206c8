/** What the operator has to know of, in a channel: the host's own sentences, each put once. */

import type { SendAlert } from "../../../src/ports/alerts.ts";
import { unreadOf } from "../read/people.ts";
import type { Calls } from "./api.ts";
import { findLine, putLine } from "./host-line.ts";

export const createAlert =
  (calls: Calls): SendAlert =>
  async (place, { id, text }) => {
    try {
      const before = await findLine(calls, place, id);
      return { kind: "put", message: before ?? (await putLine(calls, place, id, text)) };
    } catch (error) {
      return { kind: "refused", why: `Discord did not take it: ${unreadOf(error).why}` };
    }
  };
