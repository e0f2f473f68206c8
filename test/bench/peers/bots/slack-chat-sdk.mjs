/** A bot on Slack on Vercel's Chat SDK, as its guide to streaming shows it. */

import { createSlackAdapter } from "@chat-adapter/slack";
import { createMemoryState } from "@chat-adapter/state-memory";
import { Chat, ConsoleLogger } from "chat";
import { answer } from "./model.mjs";

const { apiUrl, botToken, appToken } = JSON.parse(process.env.PLATFORM ?? "{}");
const logger = new ConsoleLogger("silent");
const webClientOptions = { logLevel: "error" };
const slack = createSlackAdapter({ mode: "socket", apiUrl, botToken, appToken, logger, webClientOptions });
const bot = new Chat({
  userName: "parley",
  adapters: { slack },
  state: createMemoryState(),
  logger,
});
bot.onNewMention(async (thread, message) => {
  await thread.post(answer(message.text));
});
process.on("unhandledRejection", () => undefined);
await bot.initialize();
console.log("ready");
