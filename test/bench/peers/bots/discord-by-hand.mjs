/** A bot on Discord as one writes it in an afternoon: discord.js, messages that are edited once a second. */

import { Client, Events, GatewayIntentBits } from "discord.js";
import { answer } from "./model.mjs";
import { show } from "./parts.mjs";

const { apiUrl, token } = JSON.parse(process.env.PLATFORM ?? "{}");
const { Guilds, GuildMessages, MessageContent } = GatewayIntentBits;
const client = new Client({ intents: [Guilds, GuildMessages, MessageContent], rest: { api: apiUrl } });

client.on(Events.MessageCreate, async (message) => {
  if (message.author.bot || !message.mentions.has(client.user)) return;
  const thread = await message.startThread({ name: message.content.slice(0, 80) });
  await show(answer(message.content), 1_900, async (part) => {
    const sent = await thread.send(part);
    return (changed) => sent.edit(changed);
  });
});
client.once(Events.ClientReady, () => console.log("ready"));
await client.login(token);
