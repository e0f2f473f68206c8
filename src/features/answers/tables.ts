import type { Tables } from "../../ports/tables.ts";

const reviewCards: Tables = {
  tables: {
    review_cards: {
      kept: {
        "ids of messages; the row goes once they say that nothing is asked": [
          "surface",
          "wire",
          "place",
          "messages",
        ],
      },
    },
  },
  erase: {
    person: { kind: "kept", why: "no words" },
    conversation: { kind: "kept", why: "the card in the other channel has to be corrected first" },
  },
};

export const tables: readonly Tables[] = [reviewCards];
