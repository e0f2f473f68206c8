/** Controls below an answer: thumbs with a reason, solved, and a deeper look. */

import type { WireJudged } from "../../render/api-types.ts";
import type { PageAction } from "../api/requests.ts";
import { h, type Icon, icon, toast } from "../../../../../adapters/page/dom.ts";
import { say } from "../../../../../adapters/page/words.ts";

type Thumb = NonNullable<WireJudged["thumb"]>;

export const judgeView = (
  { id: answer, deeper, ...judged }: WireJudged,
  act: (body: PageAction) => Promise<boolean>,
): HTMLElement => {
  let { thumb } = judged;
  const field = h("input.field", {
    placeholder: say("Reason for your vote (optional)"),
    "aria-label": say("Reason for your vote, optional"),
    maxlength: "1000",
  });
  const why = h(
    "form.line",
    {
      onsubmit: async (event) => {
        event.preventDefault();
        if (field.value.trim() === "" || !(await act({ action: "why", answer, text: field.value }))) return;
        why.hidden = true;
        toast(say("Thank you. Maintainers read your comment, without your name."));
      },
    },
    field,
    h("button.small", { type: "submit" }, say("Send")),
  );
  const button = (which: Thumb, mark: Icon, name: string) =>
    h(
      "button.small",
      {
        title: name,
        "aria-label": name,
        onclick: async () => {
          if (!(await act({ action: which === "up" ? "thumb_up" : "thumb_down", answer }))) return;
          thumb = thumb === which ? null : which;
          show();
        },
      },
      icon(mark),
    );
  const up = button("up", "thumbUp", say("This answer helped"));
  const down = button("down", "thumbDown", say("This answer did not help"));
  const solved = h(
    "button.small",
    {
      title: say("Until a person asks a further question"),
      onclick: async () => {
        if (await act({ action: "solved", answer })) solved.setAttribute("aria-pressed", "true");
      },
    },
    say("Solved"),
  );
  const show = () => {
    up.setAttribute("aria-pressed", String(thumb === "up"));
    down.setAttribute("aria-pressed", String(thumb === "down"));
    why.hidden = thumb !== "down";
  };
  solved.setAttribute("aria-pressed", String(judged.solved));
  show();
  const look = h(
    "button.small",
    { onclick: () => void act({ action: "deeper", answer }) },
    say("Look deeper"),
  );
  return h("div.stack.judge", h("div.line.wrap", deeper ? look : null, up, down, solved), why);
};
