/** Names from outside that every object has: a tool of that name is nothing special. */

import { expect, it } from "vitest";
import { render } from "../../../../src/features/console/render/render.ts";
import { english } from "../../../../src/i18n/say.ts";
import type { Post } from "../../../../src/thread/post.ts";
import type { StoredContent } from "../../../../src/thread/prompt.ts";
import { looks } from "../../../looks.ts";
import { conversationOf } from "../../../store/plain.ts";

it.each(Object.getOwnPropertyNames(Object.prototype))("%s as a tool is shown", (name) => {
  const blocks = [{ kind: "toolUse", id: "t1", name, input: { path: "a" } }] as const;
  const words = new Map<`m-${string}`, StoredContent>([["m-a", { kind: "answer", blocks }]]);
  const call = { id: "t1", name, intent: "tool" } as const;
  const body = { kind: "activity", message: "m-a", call, status: "running", outcome: null } as const;
  const post: Post = { key: "call/m-a/t1", at: 1, final: false, actions: [], body };
  const scene = { conversation: conversationOf("c-1"), words, looks, question: null };
  const notices = { say: english, covers: "", sandboxNotice: null, modelNotice: null };
  const shown = render({ post, ordinal: 1, revision: 1 }, { ...scene, ...notices });
  expect(shown).toMatchObject({ tool: name, before: "Using", title: name });
});
