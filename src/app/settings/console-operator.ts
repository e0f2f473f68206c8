/** The person behind the console's token (D4). */

import type { Config } from "./config.ts";
import type { Speaker } from "../../machine/vocabulary.ts";

const CONSOLE_OPERATOR = "console:operator";

/** D1, D2: the operator has both rights by default. A list of approvers without the operator removes the right to approve. */
export const consoleOperator = ({ PARLEY_APPROVERS: approvers }: Config): Speaker => ({
  id: CONSOLE_OPERATOR,
  name: "operator",
  mayDrive: true,
  mayApprove: approvers?.includes(CONSOLE_OPERATOR) ?? true,
});
