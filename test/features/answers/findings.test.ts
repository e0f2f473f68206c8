/** What doctor says of posted answers. */

import { expect, it } from "vitest";
import { answersFindings } from "../../../src/features/answers/findings.ts";
import { readStored } from "../../../src/app/cli/shared/with-stored.ts";
import type { DoctorCore } from "../../../src/feature.ts";
import { openStore } from "../../store/open-store.ts";
import { postAnswer } from "../../store/posted-answer.ts";
import { scratch } from "../../scratch.ts";
import { linesOf } from "../../app/cli/doctor/findings.ts";

it("how many are held to their branches and how many of them have changed; nothing where there is no database", async () => {
  const data = scratch("doctor-answers");
  const settings = { PARLEY_STALE_DAYS: 90 };
  const examined: Pick<DoctorCore, "stored" | "receivesPushes"> = {
    stored: (read) => readStored(data, read),
    receivesPushes: false,
  };
  expect(await linesOf(answersFindings(settings, examined))).toEqual([]);
  const opened = openStore(data);
  if (opened.kind === "failed") throw new Error(opened.message);
  const repo = { kind: "path", location: "/repo" } as const;
  await postAnswer(opened, { no: 1, repo, commit: "c0", at: 5, citations: [] });
  await postAnswer(opened, { no: 2, repo, commit: "c0", at: 9, citations: [] });
  await opened.store.close();
  expect(await linesOf(answersFindings(settings, examined, 90 * 86_400_000 + 6))).toEqual([
    "ok answers: 1 of the last 90 days, 0 cite changed code; rechecked every ten minutes",
  ]);
  expect(await linesOf(answersFindings({ PARLEY_STALE_DAYS: 0 }, examined))).toEqual([
    expect.stringContaining("PARLEY_STALE_DAYS is 0"),
  ]);
});
