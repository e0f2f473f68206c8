/** The process that reads what is more than a glance (judge.ts): a script in, its verdict out. */
import { createShellParser } from "../shell/shell.ts";
import { verdictOf } from "./refusals.ts";

const shell = await createShellParser();
process.on("message", (script: string) => process.send?.(verdictOf(shell.parse(script))));
process.send?.("ready");
