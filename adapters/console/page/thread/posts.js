/** A post of the thread as an element, by kind. */

import { activityView } from "./activity.js";
import { h, icon, toast } from "../dom.js";
import { allTokens, bytes, clock, dollars, full, seconds, shortCommit, tokens } from "./format.js";
import { saveFile, showPicture } from "../key.js";
import { showMarkdown } from "./markdown.js";
import { questionView } from "./question.js";

/** `scene`: the conversation's state, its pending question, and `act(body)`, `decide(question, choice, text)`. */
export const postView = (post, scene) => {
  const view = bodyOf(post, scene);
  view.dataset.key = post.key;
  view.classList.add("post", `is-${post.kind}`);
  return view;
};

export const pendingView = (message) =>
  h(
    "article",
    { class: "post is-user pending", "aria-label": "Your message, being sent" },
    h("div", { class: "said" }, message.text, picturesView(message.previews ?? [])),
    h("div", { class: "when" }, "Sending…"),
  );

const bodyOf = (post, scene) => {
  switch (post.kind) {
    case "user":
      return userView(post);
    case "answer":
      return proseView(post.markdown, "Answer");
    case "activity":
      return activityView(post);
    case "file":
      return fileView(post);
    case "question":
      return questionView(post, post.final ? null : scene.question, scene.decide);
    case "notice":
      return noticeView(post, scene);
    case "summary":
      return summaryView(post, scene);
    case "footer":
      return footerView(post);
    default:
      return proseView(post.markdown ?? "", "Post");
  }
};

const userView = (post) =>
  h(
    "article",
    { "aria-label": "Your message" },
    h("div", { class: "said" }, post.markdown, picturesView(post.images.map(({ url }) => url))),
    h("div", { class: "when", title: full(post.at) }, clock(post.at)),
  );

const picturesView = (urls) =>
  urls.length === 0 ? null : h("div", { class: "pictures" }, urls.map(pictureView));

/** `url`: of the API, or of a picture that is still being sent. */
const pictureView = (url) => {
  const image = h("img", { alt: "Attached picture", class: "picture" });
  if (url.startsWith("/api/")) void showPicture(image, url);
  else image.src = url;
  return image;
};

const proseView = (markdown, label) => {
  const prose = h("article", { class: "prose", "aria-label": label });
  showMarkdown(prose, markdown);
  return prose;
};

const fileView = ({ name, size, url, markdown }) =>
  h(
    "aside",
    { class: "notice plain", "aria-label": "File" },
    icon("file"),
    h(
      "div",
      { class: "notice-text" },
      url === null ? "A file that stood here was erased." : fileLink(url, name),
      url === null ? null : ` (${bytes(size)})`,
      markdown === "" || url === null ? null : h("div", {}, markdown),
    ),
  );

const fileLink = (url, name) =>
  h(
    "a",
    {
      href: url,
      download: name,
      onclick: async (event) => {
        event.preventDefault();
        if (!(await saveFile(url, name)))
          toast(`${name} cannot be had any more, or the host cannot be reached.`);
      },
    },
    name,
  );

const noticeView = (post, scene) => {
  const text = markdownView(post.markdown);
  const buttons = buttonsOf(post, scene);
  const mark = post.tone === "plain" ? noticeIcon(post) : "alert";
  return h(
    "aside",
    { class: `notice ${post.tone}`, "aria-label": "Notice of the host" },
    icon(mark),
    h(
      "div",
      { class: "notice-text" },
      text,
      buttons.length === 0 ? null : h("div", { class: "buttons" }, buttons),
      post.thread === undefined ? null : h("a", { href: `#/c/${post.thread}` }, "Open the other thread"),
    ),
  );
};

const buttonsOf = (post, scene) =>
  post.actions.map(({ label, ...body }) =>
    h("button", { type: "button", class: "small", onclick: () => void scene.act(body) }, label),
  );

/** Where the conversation ends: the host's words, the model's summary, and how it goes on. */
const summaryView = (post, scene) => {
  const told = h("div", { class: "prose summary-text" });
  if (post.summary !== null) showMarkdown(told, post.summary);
  const buttons = buttonsOf(post, scene);
  return h(
    "section",
    { class: "summary", "aria-label": "Summary of the conversation" },
    markdownView(post.markdown),
    post.summary === null ? null : told,
    markdownView(post.foot),
    buttons.length === 0 ? null : h("div", { class: "buttons" }, buttons),
    post.thread === undefined ? null : h("a", { href: `#/c/${post.thread}` }, "Open the new thread"),
  );
};

const markdownView = (markdown) => {
  const text = h("div", { class: "prose small" });
  showMarkdown(text, markdown);
  return text;
};

const noticeIcon = ({ topic, markdown }) => {
  if (topic === "permission") return markdown.includes("Unrestricted") ? "unlock" : "lock";
  return { opening: "branch", stopped: "stop", mode: "branch", forge: "branch" }[topic] ?? "check";
};

const footerView = (post) => {
  const facts = factsView(post);
  if (post.sources === null) return facts;
  const sources = h("div", { class: "facts sources" });
  showMarkdown(sources, post.sources);
  return h("div", {}, facts, sources);
};

const factsView = ({ permission, model, usage, durationMs, commit, at }) =>
  h(
    "div",
    { class: "facts", title: `${full(at)} · ${usageText(usage)}` },
    [
      permission === "restricted" ? "Restricted" : "Unrestricted",
      model,
      `${tokens(allTokens(usage))} tokens`,
      dollars(usage.costUsd),
      seconds(durationMs),
      ...(commit === null ? [] : [shortCommit(commit)]),
    ].map((text) => h("span", {}, text)),
  );

const usageText = (usage) =>
  `${usage.inputTokens} in, ${usage.outputTokens} out, ${usage.cacheReadTokens} read from cache, ${usage.cacheWriteTokens} written to it`;
