/** A bot on Slack as one writes it in an afternoon: Bolt, one message that is edited once a second. */

import bolt from "@slack/bolt";
import { answer } from "./model.mjs";
import { show } from "./parts.mjs";

const { apiUrl, botToken, appToken } = JSON.parse(process.env.PLATFORM ?? "{}");
const app = new bolt.App({
  token: botToken,
  appToken,
  socketMode: true,
  logLevel: "error",
  clientOptions: { slackApiUrl: apiUrl, logLevel: "error" },
});

app.event("app_mention", async ({ event, client }) => {
  const { channel, text, ts, thread_ts = ts } = event;
  await show(answer(text), 3_900, async (part) => {
    const posted = await client.chat.postMessage({ channel, thread_ts, text: part });
    return (changed) => client.chat.update({ channel, ts: posted.ts, text: changed });
  });
});

await app.start();
console.log("ready");
