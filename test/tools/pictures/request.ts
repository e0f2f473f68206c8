/** What the sandbox is asked to run for a picture: the real request, without running it. */
import type { Probe, RunRequest, Sandbox } from "../../../sandbox/types.ts";
import { createPictures } from "../../../src/tools/pictures/pictures.ts";

export const requestFor = async (probe: Probe, bytes: Buffer): Promise<RunRequest> => {
  const requests: RunRequest[] = [];
  const watched: Pick<Sandbox, "run" | "probe"> = {
    probe,
    run: (request) => {
      requests.push(request);
      return Promise.resolve({ kind: "failed", reason: "only looked at" });
    },
  };
  await createPictures(watched).decode("c-one", bytes);
  const [request] = requests;
  if (request === undefined) throw new Error("nothing was run");
  return request;
};
