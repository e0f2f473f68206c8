/** `npm run manifest -- slack|discord`: what an app has to ask of its platform, ready to paste. */

import { applicationOf, discordManifest } from "../../adapters/discord/listen/manifest.ts";
import { HTTP_PATH } from "../../adapters/slack/listen/http-path.ts";
import { slackManifest } from "../../adapters/slack/listen/manifest.ts";
import { writtenSetting } from "../host/settings/config.ts";
import { complain } from "./complain.ts";
import { projectRoot } from "./load-config.ts";

const USAGE = `Usage: npm run manifest -- slack                        for Socket Mode (recommended)
       npm run manifest -- slack --http https://HOST    for HTTP mode, behind your proxy with TLS
       npm run manifest -- discord                      what to switch on, and the invitation`;

/** Answers the exit status. */
export const manifestCommand = (args: readonly string[]): number => {
  if (args.length === 1 && args[0] === "discord") {
    const token = writtenSetting("DISCORD_TOKEN", process.env, projectRoot) ?? "";
    console.log(discordManifest(applicationOf(token)));
    return 0;
  }
  const [platform, option, host, ...more] = args;
  const isSocket = option === undefined;
  const isHttp =
    option === "--http" && host !== undefined && URL.canParse(host) && host.startsWith("https://");
  if (platform !== "slack" || (!isSocket && !isHttp) || more.length > 0) return complain(USAGE);
  const url = isHttp ? new URL(HTTP_PATH, host).href : null;
  console.log(JSON.stringify(slackManifest(url), null, 2));
  return 0;
};
