import { activityView } from "./activity.ts";
import type { PostOf, UsageFigures, WirePost, WireQuestion } from "../../render/api-types.ts";
import type { PageAction } from "../api/requests.ts";
import { each, foldLine, h, type Icon, icon, toast } from "../../../../../adapters/page/dom.ts";
import {
  bytes,
  clock,
  dollarText,
  full,
  seconds,
  shortCommit,
  tokens,
} from "../../../../../adapters/page/format.ts";
import { saveFile } from "../../../../../adapters/page/key.ts";
import { judgeView } from "./judge.ts";
import { showMarkdown } from "./markdown.ts";
import { pictureView } from "./pictures.ts";
import { type SendDecision, questionView } from "./question.ts";
import { say } from "../../../../../adapters/page/words.ts";

export interface PostScene {
  readonly question: WireQuestion | null;
  act(body: PageAction): Promise<boolean>;
  readonly decide: SendDecision;
  /** Sends a message of the person. */
  readonly ask: (text: string) => void;
}

export const postView = (post: WirePost, scene: PostScene): HTMLElement => {
  const view = bodyOf(post, scene);
  view.dataset.key = post.key;
  view.classList.add("post", `is-${post.kind}`);
  return view;
};

const bodyOf = (post: WirePost, scene: PostScene): HTMLElement => {
  switch (post.kind) {
    case "user":
      return userView(post);
    case "answer":
      return answerView(post);
    case "activity":
      return activityView(post);
    case "file":
      return fileView(post);
    case "question":
      return questionView(post, post.final ? null : scene.question, scene);
    case "notice":
      return noticeView(post, scene);
    case "summary":
      return summaryView(post, scene);
    case "footer":
      return footerView(post, scene);
  }
};

const userView = (post: PostOf<"user">) =>
  h(
    "article",
    { "aria-label": say("Your message") },
    h("div.said", { dir: "auto" }, post.markdown, picturesView(post.images.map(({ url }) => url))),
    h("div.fine", { title: full(post.at) }, clock(post.at)),
  );

export const picturesView = (urls: readonly string[]) =>
  urls.length === 0 ? null : each("div.line.wrap", urls, (url) => pictureView(url, say("Attached picture")));

/** The answer, with the model's thoughts folded above. */
const answerView = ({ markdown, thought }: PostOf<"answer">) => {
  const prose = proseView(markdown, say("Answer"));
  if (thought === undefined) return prose;
  const folded = h(
    "details.soft.call",
    foldLine("thought", say("Thought")),
    h("div.stack.inside", h("pre.sunk", { tabindex: "0" }, thought)),
  );
  return h("div.stack", folded, prose);
};

const proseView = (markdown: string, label: string) => {
  const prose = h("article.prose", { "aria-label": label });
  showMarkdown(prose, markdown);
  return prose;
};

const fileView = ({ name, size, url, markdown }: PostOf<"file">) =>
  h(
    "aside.soft.notice",
    { "aria-label": say("File") },
    icon("file"),
    h(
      "div.stack",
      url === null ? say("A file in this place was erased.") : fileLink(url, name),
      url === null ? null : ` (${bytes(size)})`,
      markdown === "" || url === null ? null : h("div", markdown),
    ),
  );

const fileLink = (url: string, name: string) =>
  h(
    "a",
    {
      href: url,
      download: name,
      onclick: async (event) => {
        event.preventDefault();
        if (!(await saveFile(url, name)))
          toast(say("{name} is no longer available, or the host cannot be reached.", { name }));
      },
    },
    name,
  );

const noticeView = (post: PostOf<"notice">, scene: PostScene) => {
  const mark = post.tone === "plain" ? noticeIcon(post) : "alert";
  return h(
    "aside",
    {
      class: `soft notice ${post.tone === "plain" ? "" : `panel ${post.tone}`}`,
      "aria-label": say("Notice of the host"),
    },
    icon(mark),
    h("div.stack", markdownView(post.markdown), onward(post, scene, say("Open the other thread"))),
  );
};

/** Buttons of a notice, and a link to the thread that the post names. */
const onward = ({ actions, thread }: PostOf<"notice" | "summary">, { act }: PostScene, other: string) => {
  const buttons = actions.map(({ label, ...body }) =>
    h("button.small", { onclick: () => void act(body) }, label),
  );
  return [
    buttons.length === 0 ? null : h("div.line", buttons),
    thread === undefined ? null : h("a", { href: `#/c/${thread}` }, other),
  ];
};

/** End of a conversation: the host's text, the model's summary, and buttons to continue. */
const summaryView = (post: PostOf<"summary">, scene: PostScene) => {
  const told = h("div.prose.summary-text");
  if (post.summary !== null) showMarkdown(told, post.summary);
  return h(
    "section.stack.panel.warning",
    { "aria-label": say("Summary of the conversation") },
    markdownView(post.markdown),
    post.summary === null ? null : told,
    markdownView(post.foot),
    onward(post, scene, say("Open the new thread")),
  );
};

const markdownView = (markdown: string) => {
  const text = h("div.prose.small");
  showMarkdown(text, markdown);
  return text;
};

const noticeIcon = ({ topic, unlocks }: PostOf<"notice">): Icon => {
  if (topic === "permission") return unlocks === true ? "unlock" : "lock";
  if (topic === "stopped") return "stop";
  return topic === "opening" || topic === "mode" || topic === "forge" ? "branch" : "check";
};

const footerView = (post: PostOf<"footer">, { act }: PostScene) => {
  const lines = [post.sources, post.earlier].map((text) => {
    if (text === null) return null;
    const line = h("div.line.wrap.fine.facts");
    showMarkdown(line, text);
    return line;
  });
  const judged = post.answer === null ? null : judgeView(post.answer, act);
  return h("div", factsView(post), ...lines, judged);
};

const factsView = ({ permission, model, usage, durationMs, commit, notes, at }: PostOf<"footer">) =>
  h(
    "div.line.wrap.fine.facts",
    { title: `${full(at)} · ${usageText(usage)}` },
    [
      say(permission === "restricted" ? "Restricted" : "Unrestricted"),
      model,
      say("{count} tokens", { count: tokens(allTokens(usage)) }),
      dollarText(usage.costUsd),
      seconds(durationMs),
      ...(notes === 0
        ? []
        : [notes === 1 ? say("1 note used") : say("{count} notes used", { count: notes })]),
      ...(commit === null ? [] : [shortCommit(commit)]),
    ].map((text) => h("span", text)),
  );

const usageText = (usage: UsageFigures) =>
  say("{in} in, {out} out, {read} read from cache, {written} written to cache", {
    in: usage.inputTokens,
    out: usage.outputTokens,
    read: usage.cacheReadTokens,
    written: usage.cacheWriteTokens,
  });

export const allTokens = (usage: UsageFigures): number =>
  usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
