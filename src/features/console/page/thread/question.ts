/** Card on which a person decides: the host's facts above, the model's reason quoted below. */

import type { Proposal } from "../../../../thread/prompt.ts";
import type { PostOf, WireQuestion } from "../../render/api-types.ts";
import { visibleCode, spellInvisible, spellInvisibleInProse } from "../../../../text/invisible.ts";
import { foldLine, h, type Icon, icon, type Pair, pairs } from "../../../../../adapters/page/dom.ts";
import { withCopy } from "./copy.ts";
import { diffView } from "./diff.ts";
import { clock, full, person, shortCommit } from "../../../../../adapters/page/format.ts";
import { say } from "../../../../../adapters/page/words.ts";
import type { Label } from "../../../../i18n/say.ts";

/** Typed comments that are not sent yet, by post. They are stored because a card may be redrawn at any time. */
const comments = new Map<string, string>();

type Question = PostOf<"question">;
type Kind = WireQuestion["kind"];

export type SendDecision = (
  question: WireQuestion,
  choice: Pick<WireQuestion["choices"][number], "id" | "commits" | "option">,
  text: string,
) => Promise<void>;

/** `question`: the pending question; null if the post's question is no longer pending. */
export const questionView = (
  post: Question,
  question: WireQuestion | null,
  { decide, ask }: { readonly decide: SendDecision; readonly ask: (text: string) => void },
) => {
  if (post.decision === null && question !== null) return pending(post, question, decide);
  const { opened: pull } = post;
  if (pull === undefined) return decided(post);
  const merge = () => ask(say("Propose the merge of {pull}.", { pull }));
  return h("div.stack", decided(post), h("div.line", h("button.small", { onclick: merge }, say("Merge"))));
};

const pending = (post: Question, question: WireQuestion, decide: SendDecision) => {
  const { placeholder, spoken } = FIELDS[question.kind] ?? COMMENT;
  const comment: HTMLInputElement = h("input.field", {
    placeholder: say(placeholder),
    "aria-label": say(spoken),
    maxlength: "4000",
    value: comments.get(post.key) ?? "",
    oninput: () => comments.set(post.key, comment.value),
  });
  const click = (choice: WireQuestion["choices"][number]) => async () => {
    for (const button of card.querySelectorAll("button")) button.disabled = true;
    await decide(question, choice, comment.value.trim());
    for (const button of card.querySelectorAll("button")) button.disabled = false;
  };
  const [title, reasonLabel] = TITLES[question.kind];
  const { mark, label } = ABOUT[question.kind];
  const card: HTMLElement = h(
    "div.stack.panel.card",
    { role: "group", "aria-label": say(label) },
    h("h2.line", icon(mark), say(title)),
    pairs(facts(question)),
    question.kind === "answer"
      ? []
      : question.proposal !== undefined
        ? [...drafted(question), ...texts(question)]
        : [
            reasonLabel === null ? null : h("p.fine.reason-label", say(reasonLabel)),
            question.command === undefined
              ? h("blockquote.sunk", reasonText(question))
              : withCopy(
                  "Copy this command",
                  h("pre.sunk", { tabindex: "0" }, spellInvisible(question.command)),
                ),
          ],
    comment,
    h(
      "div.line.wrap.choices",
      question.choices.map((choice, index) =>
        h(index === 0 ? "button.primary" : "button", { onclick: click(choice) }, choice.label),
      ),
      h(
        "span.fine.since",
        { title: full(question.askedAt) },
        say("Asked at {time}. The question waits as long as you need.", { time: clock(question.askedAt) }),
      ),
    ),
  );
  return card;
};

/** A finished draft: the diff, and the last output of the host’s test. */
const drafted = ({ details }: Pick<WireQuestion, "details">) =>
  details === undefined || !("tree" in details)
    ? []
    : [
        diffView(details.diff),
        details.test && h("p.fine.reason-label", say("Last output of the test")),
        details.test &&
          withCopy("Copy this output", h("pre.sunk", { tabindex: "0" }, spellInvisible(details.test.tail))),
      ];

const dangerIn = (details: WireQuestion["details"]) =>
  details !== undefined && "prompt" in details ? details : undefined;

/** The proposed forge texts in full. Titles and texts are the model’s, so they are quoted. */
const texts = ({ proposal }: { readonly proposal?: Proposal }) =>
  (proposal?.texts ?? []).flatMap(({ name, text }) => [
    h("p.fine.reason-label", say.stored(name)),
    h("blockquote.sunk", spellInvisibleInProse(text)),
  ]);

/** Placeholder of a card's input field, and its label for screen readers. */
interface Field {
  readonly placeholder: Label;
  readonly spoken: Label;
}

const COMMENT: Field = {
  placeholder: "Comment for the agent (optional)",
  spoken: "Comment for the agent, optional",
};
const FIELDS: { readonly [K in Kind]?: Field } = {
  result: { placeholder: "What should be changed?", spoken: "What should be changed" },
  answer: {
    placeholder: "To edit, write the new text. To discard, write the reason (optional)",
    spoken: "Text that is posted instead, or the reason for discarding",
  },
  person: { placeholder: "An answer in your own words", spoken: "An answer in your own words" },
};

interface About {
  readonly mark: Icon;
  readonly label: Label;
  readonly asked: Label;
}

const ABOUT: Readonly<Record<Kind, About>> = {
  upgrade: { mark: "unlock", label: "Parley asks for write access", asked: "Asked for write access" },
  danger: { mark: "alert", label: "Safe mode holds a call", asked: "Held by safe mode" },
  mode: {
    mark: "branch",
    label: "Parley proposes another work mode",
    asked: "Proposed another work mode",
  },
  write: {
    mark: "branch",
    label: "Parley asks to write to the forge or another service",
    asked: "Asked to write to the forge or another service",
  },
  result: {
    mark: "branch",
    label: "Parley has finished a change",
    asked: "Showed a finished change",
  },
  answer: {
    mark: "lock",
    label: "An answer waits for a maintainer's review",
    asked: "Asked for an answer review",
  },
  person: { mark: "eye", label: "Parley asks a question", asked: "Asked a question" },
};

const TITLES: Readonly<Record<Kind, readonly [title: Label, reason: Label | null]>> = {
  upgrade: ["Write access for this thread?", "Parley’s reason, in its own words"],
  danger: ["Run this command?", "What it would run"],
  mode: ["Change the work mode?", "Parley’s reason, in its own words"],
  write: ["Write this content to the forge or another service?", null],
  result: ["Apply this change?", null],
  answer: ["Send this answer?", null],
  person: ["Your answer?", "Parley’s question, in its own words"],
};

/** The host's facts; the model’s words are quoted below. */
const facts = ({
  facts: { askedBy, repo, commit, covers, request, untrusted },
  details,
  proposal,
  kind,
  mode,
}: WireQuestion): readonly Pair[] => [
  [say("Requested by"), askedBy === null ? say("the host") : person(askedBy)],
  [say("Repository"), h("code", spellInvisible(repo))],
  commit === null ? null : [say("Commit"), h("code", shortCommit(commit))],
  [say("Untrusted content read so far"), untrusted],
  request === undefined ? null : [say("For a request"), spellInvisibleInProse(request)],
  kind === "upgrade" ? [say("Approving means"), covers] : null,
  mode === undefined ? null : [say("Work mode"), h("code", mode)],
  mode === undefined ? null : [say("Changes"), say("the agent's goal, never its permissions")],
  ...heldFacts(dangerIn(details)),
  ...(proposal === undefined ? [] : proposed(proposal)),
];

const heldFacts = (danger: ReturnType<typeof dangerIn>): readonly Pair[] =>
  danger === undefined
    ? []
    : [
        [say("Category"), h("code", danger.required_categories.join(", "))],
        [say("Why it is held"), spellInvisibleInProse(danger.prompt.why)],
        [say("Risk"), spellInvisibleInProse(danger.prompt.risk)],
        [say("Would change"), spellInvisibleInProse(danger.prompt.changes.join("; "))],
      ];

/** Facts about a proposal that the host has read itself. */
const proposed = ({ project, facts: read, files, unlisted }: Omit<Proposal, "texts">): readonly Pair[] => [
  [say("Where"), h("code", spellInvisible(project))],
  ...read.map(({ name, value }): Pair => [say.stored(name), h("code", spellInvisible(value))]),
  ...files.map(
    ({ path, from, change = "changed", added, removed }): Pair => [
      [
        ...(from === undefined ? [] : [say("renamed")]),
        ...(change === "changed" || (from !== undefined && change === "added") ? [] : [say.stored(change)]),
        added === null ? say("binary") : `+${added} −${removed}`,
      ].join(" "),
      h("code", from === undefined ? visibleCode(path) : `${visibleCode(from)} → ${visibleCode(path)}`),
    ],
  ),
  unlisted === 0 ? null : [say("More files"), String(unlisted)],
];

const reasonText = ({ reason, details }: Pick<WireQuestion, "reason" | "details">) =>
  spellInvisible(dangerIn(details)?.prompt.what ?? "") ||
  (reason === "" ? say("The agent gave no reason.") : spellInvisibleInProse(reason));

const decided = (post: Question) => {
  const { decision } = post;
  const yes = decision !== null && !NO.has(decision.choice);
  const what =
    post.about === "danger" ? ` ${dangerIn(post.details)?.required_categories.join(", ") ?? ""}:` : "";
  const outcome =
    decision === null
      ? say(ABOUT[post.about].asked)
      : say("{verdict} by {by}, {when}", {
          verdict: decision.verdict,
          by: decision.by === "console:operator" ? say("you") : decision.by,
          when: clock(decision.at),
        });
  return h(
    "details",
    { class: `soft call decided ${yes ? "yes" : "no"}` },
    foldLine(
      yes ? "check" : "lock",
      `${outcome}${decision === null ? "" : what}`,
      h(
        "span.cut.title",
        spellInvisibleInProse(
          decision?.comment ?? (post.about === "danger" ? (dangerIn(post.details)?.prompt.what ?? "") : ""),
        ),
      ),
    ),
    h(
      "div.stack.inside",
      post.about === "write" || post.about === "result"
        ? [pairs(proposed(post.proposal ?? NOTHING)), ...drafted(post), ...texts(post)]
        : post.about === "answer"
          ? []
          : [
              h(
                "div.fine.io-label",
                say(
                  post.about === "danger"
                    ? "What it would run"
                    : post.about === "person"
                      ? "Parley’s question"
                      : "Parley’s reason",
                ),
              ),
              h("blockquote.sunk", reasonText(post)),
            ],
      decision?.comment === null || decision === null
        ? null
        : [
            h("div.fine.io-label", say(post.about === "person" ? "Answer" : "Comment")),
            h("p", spellInvisibleInProse(decision.comment)),
          ],
    ),
  );
};

const NO: ReadonlySet<string> = new Set(["deny", "stay", "changes", "discard"]);

const NOTHING: Omit<Proposal, "texts"> = { project: say("[erased]"), facts: [], files: [], unlisted: 0 };
