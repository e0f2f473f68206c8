import { PLATFORMS } from "../chat/platforms.ts";
import { writtenSetting } from "../settings/config.ts";
import { complain } from "./shared/complain.ts";
import { projectRoot } from "./shared/load-config.ts";

export const manifestCommand = async ([name, ...options]: readonly string[]): Promise<number> => {
  const platform = PLATFORMS.find((one) => one.name === name);
  const text = (await platform?.manifest.text(options, setting)) ?? null;
  if (text === null) return complain(usage());
  console.log(text);
  return 0;
};

const setting = (name: string) => writtenSetting(name, process.env, projectRoot);

const usage = (): string => {
  const all = PLATFORMS.flatMap(({ name, manifest }) =>
    manifest.usage.map(([options, meaning]) => [`${name} ${options}`.trimEnd(), meaning] as const),
  );
  const width = Math.max(...all.map(([call]) => call.length)) + 4;
  const lines = all.map(([call, meaning]) => `npm run manifest -- ${call.padEnd(width)}${meaning}`);
  return `Usage: ${lines.join("\n       ")}`;
};
