import type { Tables } from "../../ports/tables.ts";

const IDS = "ids of people remain, as with every choice of a channel";

/** The change that holds the text before the person's first edit. */
const EARLIER = `FROM note_changes WHERE note = channel_notes.id AND person = @person AND what = 'edited'
  AND before IS NOT NULL AND wrote <> @person ORDER BY at, id LIMIT 1`;

const notes: Tables = {
  tables: {
    channel_notes: {
      person: ["text", "wrote", "author", "author_name", "approver", "approver_name"],
      conversation: ["source", "message_link"],
      kept: {
        "place and state of a note": [
          "id",
          "surface",
          "place",
          "number",
          "repo",
          "is_public",
          "server",
          "at",
          "expires",
          "pinned",
          "cited",
          "looked",
          "stale",
          "sure",
          "asked",
        ],
      },
    },
  },
  heard: ["channel_notes"],
  erase: {
    person: {
      kind: "person",
      // A note that the person edited returns to the text before their first edit.
      sql: [
        `UPDATE channel_notes SET text = coalesce((SELECT before ${EARLIER}), ''),
          wrote = coalesce((SELECT wrote ${EARLIER}), author)
        WHERE wrote = @person AND author <> @person`,
        "DELETE FROM channel_notes WHERE author = @person OR text = ''",
        "UPDATE channel_notes SET approver = NULL, approver_name = NULL WHERE approver = @person",
      ],
    },
    conversation: {
      kind: "hidden",
      sql: ["UPDATE channel_notes SET source = NULL, message_link = NULL WHERE source = ?"],
    },
  },
};

const changes: Tables = {
  tables: {
    note_changes: {
      person: ["person", "person_name", "before", "wrote"],
      kept: { [IDS]: ["note", "at", "id", "what", "surface", "place", "number"] },
    },
  },
  erase: {
    person: {
      kind: "person",
      sql: [
        "UPDATE note_changes SET before = NULL, wrote = NULL WHERE wrote = @person",
        "UPDATE note_changes SET person = NULL, person_name = NULL WHERE person = @person",
      ],
    },
    conversation: { kind: "kept", why: "the rows belong to a channel" },
  },
};

const proposals: Tables = {
  tables: {
    note_proposals: {
      both: ["conversation", "turn", "message", "text", "author", "author_name"],
      kept: {
        "what was proposed is not proposed again": [
          "id",
          "surface",
          "place",
          "at",
          "fingerprint",
          "repo",
          "outcome",
          "decided",
        ],
      },
    },
  },
  erase: {
    person: { kind: "person", sql: ["DELETE FROM note_proposals WHERE author = @person"] },
    conversation: { kind: "hidden", sql: ["DELETE FROM note_proposals WHERE conversation = ?"] },
  },
};

export const tables: readonly Tables[] = [notes, changes, proposals];
