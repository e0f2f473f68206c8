/** A real Bolt app on the fake (hazard S5), stopped when the test is over. */

import { App, SocketModeReceiver, type webApi } from "@slack/bolt";
import { onTestFinished } from "vitest";
import type { FakeSlack } from "./fake.ts";
import { silent } from "./harness.ts";

/** `clientPingTimeout` (milliseconds) is also how long the client waits before it connects again. */
export const boltOn = (
  fake: Pick<FakeSlack, "apiUrl" | "appToken" | "botToken">,
  clientPingTimeout = 5000,
): App => {
  const receiver = new SocketModeReceiver({
    appToken: fake.appToken,
    logger: silent,
    clientPingTimeout,
    installerOptions: { clientOptions: { slackApiUrl: fake.apiUrl } },
  });
  const clientOptions: webApi.WebClientOptions = {
    slackApiUrl: fake.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
  };
  const app = new App({ token: fake.botToken, receiver, logger: silent, clientOptions });
  let isStopped = false;
  let isComingBack = false;
  receiver.client.on("disconnecting", () => {
    isStopped = true;
  });
  receiver.client.on("connected", () => {
    isComingBack = false;
  });
  receiver.client.on("close", () => {
    isComingBack = !isStopped;
  });
  onTestFinished(async () => {
    if (isComingBack) {
      // A client that is stopped while it comes back leaves a rejection that nobody handles.
      await new Promise<void>((resolve) => {
        receiver.client.once("connected", () => resolve());
      });
    }
    await app.stop();
  });
  return app;
};
