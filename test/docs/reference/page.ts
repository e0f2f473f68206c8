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
    "Made from the code by `npm run reference`: do not edit.",
    titles.map((title) => `[${title}](#${title.toLowerCase().replaceAll(" ", "-")})`).join(" · "),
    "## Settings",
    "Environment variables, or lines of `.env`; the environment wins. An empty value counts as unset. " +
      "`npm run config` shows each value in force and its origin.",
    environment(),
    "## Commands",
    "Type `npx parley …` in the folder of [the package](../README.md#as-a-package), or `npm run NAME -- ARGUMENTS` in a clone.",
    commands(),
    "## Chat commands",
    "In a thread after a mention of Parley, in a Slack channel after `/parley`, on Discord as subcommands of `/parley`. `help` shows the forms.",
    commandsOfChat(),
    ...sections,
    "## Console API",
    "JSON, with the console's token as `Authorization: Bearer …`; `/healthz` needs none. OpenAI clients use the [gateway](gateway.md). " +
      'Types of the responses: `import type { Snapshot, Summary } from "parley/api"`.',
    routes(),
    "## Tools",
    "Descriptions for the model, word for word. The kernel enforces permissions, not this text.",
    await tools(),
  ]
    .join("\n\n")
    .concat("\n");
};
