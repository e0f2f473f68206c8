/** Decisions about posts of people, loaded on request, and the examples of the watch. */

import { requestHost } from "../../../../adapters/page/api.ts";
import { type Child, h, toast } from "../../../../adapters/page/dom.ts";
import { ago, person } from "../../../../adapters/page/format.ts";
import { say } from "../../../../adapters/page/words.ts";
import type { Label } from "../../../i18n/say.ts";
import type { ListedLook, ListedLooks } from "../listed-looks.ts";

type Decision = ListedLook["decision"]["kind"];

const DECIDED: Readonly<Record<Decision, Label>> = {
  nothing: "silent",
  duplicate: "known already",
  look: "worth a look",
};

export const looksOf = (watch: string): HTMLElement => {
  const base = `/api/watches/${encodeURIComponent(watch)}`;
  const told = h("p", { role: "status" });
  const listed = h("div.stack");
  const act = async (
    method: "GET" | "POST" | "DELETE",
    path: string,
    done: string | null,
    body?: object,
  ): Promise<void> => {
    const answer = await requestHost<ListedLooks>(method, `${base}${path}`, body);
    told.textContent = answer.kind === "ok" ? null : answer.message;
    if (answer.kind !== "ok") return;
    if (done !== null) toast(done);
    listed.replaceChildren(...shown(answer.data).filter((one) => one !== null));
  };

  const shown = ({ looks, corrections }: ListedLooks): readonly HTMLElement[] => [
    looks.length === 0 ? h("p.muted", say("No post has been decided yet.")) : h("ul.stack", looks.map(look)),
    h("h3", say("Examples for later posts")),
    corrections.length === 0
      ? h("p.muted", say("Correct a decision, and the watch gets the post as an example."))
      : h("ul.stack", corrections.map(example)),
  ];

  const look = (one: ListedLook): HTMLElement =>
    h(
      "li.line.wrap",
      h("strong", say(DECIDED[one.decision.kind])),
      h("span.soft", `${ago(one.at)} · $${one.costUsd.toFixed(4)}`),
      h("span", one.reason),
      ...threadOf(one),
      ...(one.correction === null ? others(one) : [h("span.soft", say("corrected"))]),
    );

  const others = ({ place, post, decision }: ListedLook): readonly HTMLElement[] =>
    (["nothing", "look"] as const)
      .filter((kind) => kind !== decision.kind)
      .map((correct) =>
        h(
          "button.small",
          {
            onclick: () =>
              act("POST", "/corrections", say("The example is saved."), { place, post, correct }),
          },
          say(correct === "nothing" ? "Should be silent" : "Was worth a look"),
        ),
      );

  const example = ({ id, text, correct, by, at }: ListedLooks["corrections"][number]): HTMLElement =>
    h(
      "li.line.wrap",
      h("strong", say(DECIDED[correct])),
      h("span", text),
      h("span.soft", `${person(by)} · ${ago(at)}`),
      h(
        "button.small.danger",
        {
          onclick: () =>
            act("DELETE", `/corrections/${encodeURIComponent(id)}`, say("The example is removed.")),
        },
        say("Remove"),
      ),
    );

  return h(
    "div.stack",
    h("button.small", { onclick: () => act("GET", "/looks", null) }, say("Show decisions")),
    told,
    listed,
  );
};

const threadOf = ({ conversation }: ListedLook): readonly Child[] =>
  conversation === null ? [] : [h("a", { href: `#/c/${conversation}` }, say("Thread"))];
