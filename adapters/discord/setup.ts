/** Connects Discord for `parley setup`. */

import type { PlatformSetup } from "../../src/ports/platform-setup.ts";

export const discordSetup: PlatformSetup = () =>
  Promise.resolve({ kind: "stopped", why: "Discord cannot be set up here yet." });
