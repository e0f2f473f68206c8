/**
 * An http or https address that an operator gives. A user name or password in it is refused: whatever cannot be reached
 * is named in logs and messages, and fetch takes no such address.
 */

import { z } from "zod";

export const plainUrl = z
  .url({ protocol: /^https?$/, error: "must be an address such as https://host/path" })
  .refine((value) => {
    const url = URL.parse(value);
    return url === null || (url.username === "" && url.password === "");
  }, "must hold no user name or password: addresses are shown where something fails");
