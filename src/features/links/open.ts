import { createGet } from "../../../sandbox/egress/get.ts";
import type { Core } from "../../feature.ts";
import { createReadLinks } from "./read-links.ts";

type Parts = Pick<Core, "chat" | "clock" | "reach" | "readForgePage" | "rows" | "store" | "version">;

export const openLinks = (core: Parts) => {
  const get = createGet(core.reach, `parley/${core.version}`);
  return {
    readLinks: createReadLinks({ ...core, get }),
    close: async () => get.close(),
  };
};
