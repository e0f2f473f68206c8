/**
 * All groups of tables, in the order in which their rows go: those that are found by the rows of another group, or refer to
 * them, stand before it.
 */

import type { Database } from "better-sqlite3";
import type { Tables } from "../ports/tables.ts";
import { answerRows, reviewRows } from "./tables/answers.ts";
import { channelRows, instructionRows } from "./tables/chat.ts";
import { claimRows } from "./tables/claims.ts";
import { conversationRows, prefixRows } from "./tables/conversations.ts";
import { threadRows } from "./tables/deliveries.ts";
import { alertRows, clusterRows, digestRows, watchRows, watchThreadRows } from "./tables/of-features.ts";
import { feedbackRows } from "./tables/feedback.ts";
import { blobRows } from "./tables/blobs.ts";
import { messageRows } from "./tables/messages.ts";
import { noteRows } from "./tables/notes.ts";
import { postRows } from "./tables/posts.ts";
import { questionRows } from "./tables/questions.ts";
import { replyRows } from "./tables/replies.ts";
import { searchRows } from "./tables/search.ts";
import { moneyRows } from "./tables/spending.ts";
import { traceRows } from "./tables/trace.ts";

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
