/**
 * Whether a command may reach the network. With safe mode on the kernel gives none until a person has granted a
 * category that needs it, whatever the parser thought of the command's text.
 */

import type { Category } from "../../machine/words.ts";
import type { ToolCall } from "../tool.ts";

const NETWORKED: ReadonlySet<Category> = new Set(["NETWORK_RISK", "DEPS_INSTALL_UPDATE"]);

export const mayReachNetwork = ({
  permission,
  safeMode,
  grants,
}: Pick<ToolCall, "permission" | "safeMode" | "grants">): boolean =>
  permission === "unrestricted" && (!safeMode || grants.some((category) => NETWORKED.has(category)));
