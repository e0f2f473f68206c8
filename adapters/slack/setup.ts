/** Connects Slack for `parley setup`. */

import type { PlatformSetup } from "../../src/ports/platform-setup.ts";

export const slackSetup: PlatformSetup = () =>
  Promise.resolve({ kind: "stopped", why: "Slack cannot be set up here yet." });
