/** The host's own sentences in a thread. Pure; none of them holds a model's words. */

import type { Notice } from "../../src/core/transcript.ts";
import type { PostBody } from "../../src/core/view.ts";
import type { Scene } from "./scene.ts";
import { repoName } from "./summary.ts";
import type { UsageFigures, WireBody, WireDecision } from "./wire.ts";

type NoticeBody = Omit<Extract<WireBody, { readonly kind: "notice" }>, "kind">;

/**
 * What the conversation works on and what holds it (BED-014). The commit is not known yet when this is posted; it
 * stands in the summary and in every footer.
 */
export const openingText = (
  { permission, confinement }: PostBody & { readonly kind: "opening" },
  scene: Pick<Scene, "conversation" | "sandboxNotice" | "modelNotice" | "covers">,
): string => {
  const held =
    permission === "restricted"
      ? "**Restricted**: tools can read the checkout and nothing else, without network."
      : `**Unrestricted**: ${plain(scene.covers)}`;
  const missing = plain(scene.sandboxNotice ?? "The sandbox is not available on this host.");
  return [
    `Working on ${code(repoName(scene.conversation.repo))}.`,
    confinement === "enforced" ? held : `${missing} ${held}`,
    ...(scene.modelNotice === null ? [] : [plain(scene.modelNotice)]),
  ].join("\n\n");
};

export const noticeText = (notice: Notice): NoticeBody => {
  switch (notice.kind) {
    case "stopped": {
      const skipped = notice.skipped === 0 ? "" : ` ${calls(notice.skipped)} skipped.`;
      return { topic: "stopped", tone: "plain", markdown: `Stopped by ${code(notice.by)}.${skipped}` };
    }
    case "interrupted":
      return {
        topic: "interrupted",
        tone: "warning",
        markdown: "Interrupted by a restart of the host. Nothing that was running is run again by itself.",
      };
    case "failed": {
      const tried = notice.attempts > 1 ? ` Tried ${notice.attempts} times.` : "";
      return { topic: "failed", tone: "error", markdown: `${plain(notice.failure.message)}${tried}` };
    }
    case "permission":
      return { topic: "permission", tone: "plain", markdown: permissionText(notice) };
    case "empty":
      return { topic: "answer", tone: "warning", markdown: "The model ended its turn without an answer." };
    case "refused":
      return { topic: "answer", tone: "warning", markdown: "The model declined to answer." };
    case "cut":
      return { topic: "answer", tone: "warning", markdown: "The answer ends here: it was cut off." };
  }
};

export const decisionText = (decision: WireDecision | null): string => {
  if (decision === null) return "The agent asks for write access: Unrestricted mode.";
  return `${decision.choice === "approve" ? "Approved" : "Denied"} by ${code(decision.by)}.`;
};

/** One line under the last post of a turn (design.md 5). */
export const footerText = (facts: {
  readonly model: string;
  readonly permission: "restricted" | "unrestricted";
  readonly usage: UsageFigures;
  readonly durationMs: number;
  readonly commit: string | null;
}): string => {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costUsd } = facts.usage;
  const tokens = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
  return [
    facts.permission === "restricted" ? "Restricted" : "Unrestricted",
    plain(facts.model),
    `${tokens.toLocaleString("en-US")} tokens`,
    `$${costUsd.toFixed(costUsd > 0 && costUsd < 0.01 ? 4 : 2)}`,
    `${(facts.durationMs / 1000).toFixed(1)} s`,
    ...(facts.commit === null ? [] : [facts.commit.slice(0, 9)]),
  ].join(" · ");
};

const permissionText = (notice: Notice & { readonly kind: "permission" }): string =>
  notice.to === "unrestricted"
    ? `Now **Unrestricted**, approved by ${code(notice.by)}.`
    : `Now **Restricted**, set by ${code(notice.by)}: tools can read the checkout and nothing else.`;

const calls = (count: number): string => (count === 1 ? "One further call" : `${count} further calls`);

/** A code span that no content can leave. */
const code = (text: string): string => {
  const fence = "`".repeat(Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  const padded = text.startsWith("`") || text.endsWith("`") ? ` ${text} ` : text;
  return `${fence}${padded.replaceAll(/\s+/g, " ")}${fence}`;
};

/** Words of the host or a provider that are not meant as Markdown. */
const plain = (text: string): string => text.replaceAll(/([\\`*_[\]<>#|~!])/g, "\\$1");
