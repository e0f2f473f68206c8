/** Chat commands in the order of help and of the platforms' lists. Commands of features state their own position. */

import { FEATURES } from "./features/list.ts";
import { commandsOf } from "./features/open.ts";
import { approvers, defaultMode, language } from "../runtime/chat/commands/channel-settings.ts";
import { askCommand } from "../runtime/chat/commands/ask.ts";
import { type Commands, createCommands } from "../runtime/chat/commands/commands.ts";
import type { Command } from "../runtime/chat/commands/define-command.ts";
import { help } from "../runtime/chat/commands/help.ts";
import { instructionsCommand } from "../runtime/chat/commands/instruct.ts";
import { archive, deleteConversation, rename } from "../runtime/chat/commands/manage.ts";
import { mode } from "../runtime/chat/commands/mode.ts";
import { model } from "../runtime/chat/commands/model.ts";
import { pending } from "../runtime/chat/commands/pending.ts";
import { listen, quiet } from "../runtime/chat/commands/quiet.ts";
import { repoCommand } from "../runtime/chat/commands/repo.ts";
import { status } from "../runtime/chat/commands/status.ts";
import {
  continueThread,
  restrict,
  retry,
  safeMode,
  stopCommand,
  unrestricted,
} from "../runtime/chat/commands/turn.ts";

const OF_CORE: readonly Command[] = [
  askCommand,
  stopCommand,
  status,
  pending,
  restrict,
  retry,
  continueThread,
  repoCommand,
  approvers,
  mode,
  defaultMode,
  model,
  language,
  safeMode,
  instructionsCommand,
  rename,
  archive,
  deleteConversation,
  unrestricted,
  help,
  quiet,
  listen,
];

export const commandsWith = (ofFeatures: readonly Command[]): Commands =>
  createCommands([...OF_CORE, ...ofFeatures]);

/** Commands without a host, for help, the reference and the command lists of platforms. */
export const chatCommands = commandsWith(await commandsOf(FEATURES));
