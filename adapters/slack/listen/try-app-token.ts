/** Whether an app-level token opens Socket Mode: asks for a socket's address and does not use it. */

import { given } from "../../../src/text/given.ts";
import { createSlackClient } from "../write/surface.ts";
import { refusalOf, type TokenTrouble } from "./token-trouble.ts";

/** Null where it does. */
export const tryAppToken = async (
  token: string,
  apiUrl: string | undefined,
): Promise<TokenTrouble | null> => {
  const client = createSlackClient(token, given({ apiUrl }));
  try {
    await client.apps.connections.open();
    return null;
  } catch (error) {
    return refusalOf(error);
  }
};
