/** Functions that read answers of stores. */

import { elementsOf } from "../../../src/features/cluster/objects/elements.ts";
import type { Read } from "../../linear/readers.ts";

export const READERS: Readonly<Record<string, Read>> = {
  "cluster: answers in XML": (text) => [
    elementsOf(text)("Key"),
    elementsOf(`<Key>${text}`)("Key"),
    elementsOf("<a>".repeat(text.length / 8) + text)("Key"),
  ],
};
