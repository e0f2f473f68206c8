import { createGet } from "../../../sandbox/egress/get.ts";
import type { Core } from "../../feature.ts";
import { NO_LINKS, type ReadLinks } from "../../ports/links.ts";

type Parts = Pick<Core, "chat" | "clock" | "reach" | "readForgePage" | "rows" | "store" | "version">;

export const openLinks = (core: Parts) => {
  const get = createGet(core.reach, `parley/${core.version}`);
  let reading: Promise<ReadLinks> | null = null;
  // A host whose channels read no links does not load the parser of pages.
  const readLinks: ReadLinks = async (message) => {
    if (core.chat.channel(message.surface, message.channel)?.links !== true) return NO_LINKS(message);
    reading ??= import("./read-links.ts").then(({ createReadLinks }) => createReadLinks({ ...core, get }));
    return (await reading)(message);
  };
  return {
    readLinks,
    close: async () => get.close(),
  };
};
