/** A bot on Discord on Vercel's Chat SDK, as its guide to streaming shows it. */

import { createDiscordAdapter } from "@chat-adapter/discord";
import { createMemoryState } from "@chat-adapter/state-memory";
import { Chat, ConsoleLogger } from "chat";
import { DefaultRestOptions } from "discord.js";
import { answer } from "./model.mjs";

const { apiUrl, token, application } = JSON.parse(process.env.PLATFORM ?? "{}");
/* The adapter makes a discord.js client of its own, which takes no address. */
DefaultRestOptions.api = apiUrl;
const logger = new ConsoleLogger("silent");
const discord = createDiscordAdapter({
  apiUrl: `${apiUrl}/v10`,
  botToken: token,
  applicationId: application,
  publicKey: "0".repeat(64),
  logger,
});
const bot = new Chat({ userName: "parley", adapters: { discord }, state: createMemoryState(), logger });
bot.onNewMention(async (thread, message) => {
  await thread.post(answer(message.text));
});
process.on("unhandledRejection", () => undefined);
await bot.initialize();
const hours = 3_600_000;
await discord.startGatewayListener({ waitUntil: (listening) => void listening }, hours);
console.log("ready");
