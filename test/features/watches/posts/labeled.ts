/** Posts as people write them, each with the decision that a person gave it. Half of each kind is held out from tuning. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { LOOK_DECISIONS, type LookDecisionKind } from "../../../../src/features/watches/store/first-looks.ts";

const posts = z.array(
  z.strictObject({
    label: z.enum(LOOK_DECISIONS),
    kind: z.string(),
    half: z.enum(["open", "held out"]),
    text: z.string().min(1),
  }),
);
export type LabeledPost = z.output<typeof posts>[number];

export const LABELED: readonly LabeledPost[] = posts.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, "posts.json"), "utf8")),
);

/** What the channel of the labeled posts knows already. */
export const KNOWN = [
  { title: "Uploads above 5 MB fail with 413", link: "https://github.com/acme/api/issues/1" },
  { title: "Safari: endless redirect after the SSO login", link: "https://github.com/acme/api/issues/2" },
  {
    title: "Search finds nothing for words with an apostrophe",
    link: "https://github.com/acme/api/issues/3",
  },
  { title: "Webhooks deliver each event twice", link: "https://github.com/acme/api/issues/4" },
  { title: "Invoices for Austria have a wrong VAT", link: "https://github.com/acme/api/issues/5" },
  { title: "Avatars do not load since the deploy", link: "https://github.com/acme/api/issues/6" },
  { title: "Session timeout: SESSION_TTL in auth.ts", link: "https://github.com/acme/api/issues/7" },
  {
    title: "Integration tests of one package: npm test -w billing",
    link: "https://github.com/acme/api/issues/8",
  },
  { title: "orders_archive is written by the archiver", link: "https://github.com/acme/api/issues/9" },
].map((one) => ({ ...one, kind: "issue or page" as const, excerpt: "" }));

export interface LookScore {
  /** Share of reactions that were right, and of posts with a reaction that got it; 1 if there is none. */
  readonly precision: number;
  readonly recall: number;
  readonly right: number;
  readonly all: number;
}

/** A reaction is right if it is the labeled one. */
export const scoreOf = (
  judged: readonly { readonly label: LookDecisionKind; readonly decided: LookDecisionKind }[],
): LookScore => {
  const reactions = judged.filter(({ decided }) => decided !== "nothing");
  const wanted = judged.filter(({ label }) => label !== "nothing");
  const hits = reactions.filter(({ label, decided }) => label === decided).length;
  return {
    precision: reactions.length === 0 ? 1 : hits / reactions.length,
    recall: wanted.length === 0 ? 1 : hits / wanted.length,
    right: judged.filter(({ label, decided }) => label === decided).length,
    all: judged.length,
  };
};

export const scoreText = ({ precision, recall, right, all }: LookScore): string =>
  `precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, ${right} of ${all} right`;
