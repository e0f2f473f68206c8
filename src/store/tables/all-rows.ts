/**
 * All groups of tables, in the order in which their rows go: those that are found by the rows of another group, or refer to
 * them, stand before it.
 */

import type { Database } from "better-sqlite3";
import type { Tables } from "../../ports/tables.ts";
import { answerRows, reviewRows } from "./answers.ts";
import { channelRows, instructionRows } from "./chat.ts";
import { claimRows } from "./claims.ts";
import { conversationRows, prefixRows } from "./conversations.ts";
import { threadRows } from "./deliveries.ts";
import { alertRows, clusterRows, digestRows, searchRows, watchRows, watchThreadRows } from "./of-features.ts";
import { feedbackRows } from "./feedback.ts";
import { blobRows } from "./blobs.ts";
import { messageRows } from "./messages.ts";
import { noteRows } from "./notes.ts";
import { postRows } from "./posts.ts";
import { questionRows } from "./questions.ts";
import { replyRows } from "./replies.ts";
import { moneyRows } from "./spending.ts";
import { traceRows } from "./trace.ts";

export const ALL_ROWS: readonly Tables<Database>[] = [
  alertRows,
  channelRows,
  digestRows,
  instructionRows,
  moneyRows,
  noteRows,
  prefixRows,
  watchRows,
  answerRows,
  feedbackRows,
  clusterRows,
  questionRows,
  replyRows,
  reviewRows,
  searchRows,
  watchThreadRows,
  threadRows,
  messageRows,
  claimRows,
  traceRows,
  postRows,
  blobRows,
  conversationRows,
];
