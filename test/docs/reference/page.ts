/** docs/reference.md as the code gives it now. */

import { join } from "node:path";
import { root } from "../../app/cli/host.ts";
import { commandsOfChat } from "./chat-commands.ts";
import { commands } from "./commands.ts";
import { environment } from "./environment.ts";
import { sectionsOfFeatures } from "./features.ts";
import { routes } from "./routes.ts";
import { tools } from "./tools.ts";

export const file = join(root, "docs/reference.md");

export const page = async (): Promise<string> => {
  const ofFeatures = await sectionsOfFeatures();
  const titles = [
    "Settings",
    "Commands",
    "Chat commands",
    ...ofFeatures.map(({ title }) => title),
    "Console API",
    "Tools",
  ];
  const sections = await Promise.all(
    ofFeatures.map(async ({ title, body }) => `## ${title}\n\n${await body()}`),
  );
  return [
    "# Reference",
    "Made from the code by `npm run reference`; a test fails where the two differ. Do not edit it by hand.",
    titles.map((title) => `[${title}](#${title.toLowerCase().replaceAll(" ", "-")})`).join(" · "),
    "## Settings",
    "Environment variables, or lines of `.env`, which the environment wins over. An empty value counts as unset. " +
      "`npm run config` shows what is in force and where it comes from; every problem is listed at once when Parley starts.",
    environment(),
    "## Commands",
    "`npx parley` runs them in the folder where [the package](../README.md#as-a-package) is installed. In a clone each is an npm script.",
    commands(),
    "## Chat commands",
    "After a mention of Parley in a thread, after `/parley` in a channel on Slack, and as subcommands of `/parley` on Discord. `help` there shows how each is typed.",
    commandsOfChat(),
    ...sections,
    "## Console API",
    "JSON, with the console's token as `Authorization: Bearer …`; `/healthz` needs none. OpenAI clients have [paths of their own](gateway.md). " +
      'The package has the types of what is answered: `import type { Snapshot, Summary } from "parley/api"`.',
    routes(),
    "## Tools",
    "What the model is told, word for word. Which of them a conversation may use, and how far, the kernel decides, not this text.",
    await tools(),
  ]
    .join("\n\n")
    .concat("\n");
};
