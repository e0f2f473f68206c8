/** What doctor says of posted answers. */

import { expect, it } from "vitest";
import { answersFindings } from "../../../../src/app/cli/doctor/answers-findings.ts";
import { openStore } from "../../../../src/store/sqlite.ts";
import { postAnswer } from "../../../bench/stale/posted.ts";
import { scratch } from "../../../scratch.ts";
import { linesOf } from "./findings.ts";

it("how many are held to their branches and how many of them have changed; nothing where there is no database", async () => {
  const data = scratch("doctor-answers");
  const config = { PARLEY_DATA: data, PARLEY_STALE_DAYS: 90, features: [] };
  expect(await linesOf(answersFindings(config))).toEqual([]);
  const opened = openStore(data);
  if (opened.kind === "failed") throw new Error(opened.message);
  const repo = { kind: "path", location: "/repo" } as const;
  await postAnswer(opened, { no: 1, repo, commit: "c0", at: 5, citations: [] });
  await postAnswer(opened, { no: 2, repo, commit: "c0", at: 9, citations: [] });
  await opened.store.close();
  expect(await linesOf(answersFindings(config, 90 * 86_400_000 + 6))).toEqual([
    "ok answers: 1 of the last 90 days, 0 cite what has changed; looked at every ten minutes",
  ]);
  const pushes = { ...config, features: [{ hearsPushes: true }] };
  expect((await linesOf(answersFindings(pushes)))[0]).toContain("and at once where the forge sends pushes");
  expect(await linesOf(answersFindings({ ...config, PARLEY_STALE_DAYS: 0 }))).toEqual([
    expect.stringContaining("PARLEY_STALE_DAYS is 0"),
  ]);
});
