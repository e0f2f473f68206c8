/** A file of credentials as Google's programs write them. */

import { z } from "zod";
import { markedSecret, textOfFile } from "../../settings/secrets.ts";
import { jsonIn } from "../../text/json.ts";

export const googleCredentials = markedSecret(z.string(), "file", (path) => {
  const { data } = z.record(z.string(), z.unknown()).safeParse(jsonIn(textOfFile(path)));
  return SECRETS.flatMap((name) => {
    const value = data?.[name];
    // The file itself has a key's line ends as backslash and n.
    return typeof value === "string" ? [value, JSON.stringify(value).slice(1, -1)] : [];
  });
});

const SECRETS = ["private_key", "client_secret", "refresh_token"] as const;
