/** The thread: posts in order, then the answer in progress, then the messages that are not accepted. */

import { byId, h, icon, redraw } from "../../../../../adapters/page/dom.ts";
import { showMarkdown } from "./markdown.ts";
import { postView, type PostScene } from "./posts.ts";
import type { WirePost } from "../../render/api-types.ts";
import { say } from "../../../../../adapters/page/words.ts";

export type ThreadView = ReturnType<typeof createThreadView>;

/** Distance from the end, in pixels, within which new content keeps the end in view. */
const NEAR = 120;

/** Distance from the beginning, in pixels, at which earlier posts are requested. */
const EARLY = 600;

/** `scene`: returns the context that posts depend on (posts.ts). `showEarlier`: requests the posts before the first post. */
export const createThreadView = (scene: () => PostScene, showEarlier: () => void) => {
  const scroll = byId("scroll");
  const root = byId("thread");
  const posts = new Map<string, { readonly post: WirePost; readonly view: HTMLElement }>();
  const live = h("article.post.prose.live", {
    "aria-label": say("Answer, being written"),
    hidden: true,
  });
  const older = h("button.small.older", { hidden: true, onclick: showEarlier }, say("Older"));
  const outbox = h("div.outbox", { hidden: true });
  const jump = h(
    "button.jump",
    { hidden: true, onclick: () => follow("smooth") },
    icon("chevron"),
    say("Latest"),
  );
  /** Whether the view stays at the end when content is added, loaded or resized. */
  let following = true;
  /** Whether posts are shown. Any other view starts at its beginning. */
  let posting = false;
  let liveText = "";
  let drawing = false;

  const near = () => scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < NEAR;

  const settle = (behavior: ScrollBehavior = "instant") => {
    if (following) scroll.scrollTo({ top: scroll.scrollHeight, behavior });
    jump.hidden = following || near();
  };

  const follow = (behavior: ScrollBehavior) => {
    following = true;
    settle(behavior);
  };

  const place = (post: WirePost) => {
    const view = postView(post, scene());
    view.dataset.ordinal = String(post.ordinal);
    const old = posts.get(post.key);
    posts.set(post.key, { post, view });
    if (old !== undefined) {
      old.view.replaceWith(view);
      return;
    }
    let next: Element = live;
    for (let before = live.previousElementSibling; before !== null; before = before.previousElementSibling) {
      if (!(ordinalOf(before) > post.ordinal)) break;
      next = before;
    }
    root.insertBefore(view, next);
  };

  const drawLive = () => {
    drawing = false;
    live.hidden = liveText === "";
    showMarkdown(live, liveText);
    settle();
  };

  scroll.addEventListener("scroll", () => {
    following = posting && near();
    jump.hidden = !posting || following;
    if (posting && !older.hidden && scroll.scrollTop < EARLY) showEarlier();
  });
  const sizes = new ResizeObserver(() => settle());
  sizes.observe(scroll);
  sizes.observe(root);

  return {
    /** `isCut`: whether earlier posts exist. */
    reset: (last: readonly WirePost[], isCut: boolean) => {
      posts.clear();
      posting = true;
      older.hidden = !isCut;
      root.replaceChildren(older, live, outbox, jump);
      for (const post of last) place(post);
      follow("instant");
    },
    /** Inserts earlier posts before the first; the visible part stays in place. */
    prepend: (earlier: readonly WirePost[], isCut: boolean) => {
      const read = older.nextElementSibling;
      const top = read?.getBoundingClientRect().top ?? 0;
      older.hidden = !isCut;
      for (const post of earlier.toReversed()) place(post);
      if (!following) scroll.scrollTop += (read?.getBoundingClientRect().top ?? 0) - top;
      settle();
    },
    put: (post: WirePost) => {
      place(post);
      settle();
    },
    has: (key: string) => posts.has(key),
    /** Draws open question cards again, because they show the pending question. */
    redrawOpen: () => {
      for (const { post } of posts.values()) if (post.kind === "question" && !post.final) place(post);
      settle();
    },
    /** Shows the answer text so far. Drawn once per frame. */
    setLive: (text: string) => {
      liveText = text;
      if (drawing) return;
      drawing = true;
      requestAnimationFrame(drawLive);
    },
    showOutbox: (views: readonly HTMLElement[]) => {
      outbox.hidden = views.length === 0;
      redraw(outbox, views);
      settle();
    },
    follow,
    show: (view: Node) => {
      posts.clear();
      posting = false;
      following = false;
      root.replaceChildren(view);
      scroll.scrollTo({ top: 0 });
    },
  };
};

const ordinalOf = (view: Element): number =>
  view instanceof HTMLElement ? Number(view.dataset.ordinal) : NaN;
