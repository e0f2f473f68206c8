import type { Sandbox } from "./types.ts";
export const selfTest = async (
  _sandbox: Pick<Sandbox, "run">,
  _launcher: string,
): Promise<readonly string[]> => [];
