/** `parley setup`: asks, checks each answer against the real service, and writes `.env` once, at the end. */

import { complain } from "../shared/complain.ts";
import { projectRoot } from "../shared/load-config.ts";
import { createAsker } from "./asker.ts";
import { createPlannedSettings } from "./planned-settings.ts";
import { runSetupSteps } from "./run-setup-steps.ts";
import { takeSetupLock } from "./setup-lock.ts";
import { readSetupOptions, setupUsage } from "./setup-options.ts";
import { asSentence, SetupStopped } from "./setup-stopped.ts";
import { openTerminal } from "./terminal.ts";

/** Exit status 130: interrupted. */
export const setupCommand = async (args: readonly string[]): Promise<number> => {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(setupUsage());
    return 0;
  }
  const options = readSetupOptions(args);
  if (typeof options === "string") return complain(options);
  const release = await takeSetupLock(projectRoot);
  if (release === null)
    return complain("Another parley setup of this folder is running. Finish it first, or stop it.");
  const stopping = new AbortController();
  const interrupt = (): void => stopping.abort();
  for (const signal of SIGNALS) process.on(signal, interrupt);
  const { stdin, stdout } = process;
  const terminal =
    stdin.isTTY && stdout.isTTY && !options.yes ? openTerminal(stdin, stdout, interrupt) : null;
  let isWritten = false;
  const end = (): void => {
    for (const signal of SIGNALS) process.off(signal, interrupt);
    terminal?.close();
    release();
  };
  try {
    const planned = createPlannedSettings(process.env, projectRoot);
    const answers = new Map(options.answers);
    const given = (name: string): string | null => answers.get(name) ?? nonEmpty(process.env[name]);
    const asker = createAsker({ given, stored: planned.stored }, terminal);
    const steps = runSetupSteps({
      asker,
      planned,
      options,
      given,
      give: (name, value) => void answers.set(name, value),
      folder: projectRoot,
      startedIn: process.env["INIT_CWD"] ?? process.cwd(),
      signal: stopping.signal,
      written: () => {
        isWritten = true;
      },
    });
    return await Promise.race([steps, aborted(stopping.signal)]);
  } catch (cause) {
    if (stopping.signal.aborted) {
      terminal?.print("");
      complain(isWritten ? WRITTEN : UNWRITTEN);
      return interruptedStatus();
    }
    if (cause instanceof SetupStopped) return complain(asSentence(cause.message));
    throw cause;
  } finally {
    end();
  }
};

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const UNWRITTEN = "Nothing was written; run setup again to go on.";
const WRITTEN = "The settings are written; check them with parley doctor.";

const nonEmpty = (value: string | undefined): string | null =>
  value === undefined || value === "" ? null : value;

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(new SetupStopped(UNWRITTEN)), { once: true });
  });

/** A request that is still under way would keep the process alive. */
const interruptedStatus = (): number => {
  setTimeout(() => process.exit(INTERRUPTED), LINGER).unref();
  return INTERRUPTED;
};

const INTERRUPTED = 130;
const LINGER = 250;
