import { z } from "zod";
import { markedSecret, textOfFile } from "../../settings/secrets.ts";
import { jsonIn } from "../../text/json.ts";

export const googleCredentials = markedSecret(z.string(), "file", (path) => {
  const { data } = z.record(z.string(), z.unknown()).safeParse(jsonIn(textOfFile(path)));
  return SECRETS.flatMap((name) => {
    const value = data?.[name];
    // In the file, line breaks of a key are written as backslash and n.
    return typeof value === "string" ? [value, JSON.stringify(value).slice(1, -1)] : [];
  });
});

const SECRETS = ["private_key", "client_secret", "refresh_token"] as const;
