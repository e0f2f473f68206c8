/** All commands of chat, in the order in which help and platforms list them. */

import { approvers, defaultMode, language } from "../runtime/chat/commands/channel-settings.ts";
import { ask } from "../runtime/chat/commands/ask.ts";
import { budget } from "../runtime/chat/commands/budget.ts";
import { createCommands } from "../runtime/chat/commands/commands.ts";
import { digest } from "../runtime/chat/commands/digest.ts";
import { help } from "../runtime/chat/commands/help.ts";
import { instructions } from "../runtime/chat/commands/instruct.ts";
import { knowledge } from "../runtime/chat/commands/knowledge.ts";
import { archive, deleteConversation, rename } from "../runtime/chat/commands/manage.ts";
import { mode } from "../runtime/chat/commands/mode.ts";
import { model } from "../runtime/chat/commands/model.ts";
import { pending } from "../runtime/chat/commands/pending.ts";
import { repo } from "../runtime/chat/commands/repo.ts";
import { review } from "../runtime/chat/commands/review.ts";
import { status } from "../runtime/chat/commands/status.ts";
import { tools } from "../runtime/chat/commands/tools.ts";
import {
  continueThread,
  restrict,
  retry,
  safeMode,
  stop,
  unrestricted,
} from "../runtime/chat/commands/turn.ts";
import { every, unwatch, watch, watches } from "../runtime/chat/commands/watch.ts";

export const chatCommands = createCommands([
  ask,
  stop,
  status,
  pending,
  restrict,
  retry,
  continueThread,
  repo,
  approvers,
  mode,
  defaultMode,
  model,
  language,
  safeMode,
  budget,
  instructions,
  tools,
  knowledge,
  digest,
  review,
  watches,
  every,
  watch,
  unwatch,
  rename,
  archive,
  deleteConversation,
  unrestricted,
  help,
]);
