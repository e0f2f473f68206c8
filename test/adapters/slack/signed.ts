/** Slack's requests over HTTP, as its app settings send them. */

import { createHmac } from "node:crypto";

export const SECRET = "s3cret-of-the-app";

/** Answers the status. */
export const sendSigned = async (
  port: number,
  body: string,
  secret = SECRET,
  at = Math.floor(Date.now() / 1_000),
): Promise<number> => {
  const signature = createHmac("sha256", secret).update(`v0:${at}:${body}`).digest("hex");
  const answer = await fetch(`http://127.0.0.1:${port}/slack/events`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-slack-request-timestamp": String(at),
      "x-slack-signature": `v0=${signature}`,
    },
    body,
  });
  await answer.body?.cancel();
  return answer.status;
};
