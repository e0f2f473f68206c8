import * as z from "zod";
import type { Done, Log } from "../../ports/host.ts";
import type { Rows } from "../../ports/rows.ts";
import { createRead, json } from "../../store/base/codec.ts";
import { listSchema } from "../../store/schema/id.ts";

const row = z.object({
  /** Wire id of the question. */
  wire: z.string(),
  place: z.string(),
  /** Message ids of the platform, in order; empty if the card has no messages. */
  messages: json(listSchema(z.string())),
});

export type ReviewCard = Readonly<z.output<typeof row>>;

export interface ReviewCards {
  all(surface: string): readonly ReviewCard[];
  put(surface: string, card: ReviewCard): Promise<Done>;
  drop(surface: string, wire: string): Promise<Done>;
}

export const createReviewCards = (rows: Rows, log: Log): ReviewCards => {
  const read = createRead(log);
  const select = rows.select(
    "SELECT wire, place, messages FROM review_cards WHERE surface = @surface ORDER BY wire",
  );
  return {
    all: (surface) => read.all(row, select({ surface }), { table: "review_cards" }),
    put: (surface, { wire, place, messages }) =>
      rows.write([{ sql: PUT, values: { surface, wire, place, messages: JSON.stringify(messages) } }]),
    drop: (surface, wire) => rows.write([{ sql: DROP, values: { surface, wire } }]),
  };
};

const PUT = `
  INSERT INTO review_cards (surface, wire, place, messages) VALUES (@surface, @wire, @place, @messages)
  ON CONFLICT (surface, wire) DO UPDATE SET place = excluded.place, messages = excluded.messages`;
const DROP = "DELETE FROM review_cards WHERE surface = @surface AND wire = @wire";
