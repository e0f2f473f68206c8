import type { SecretsBody } from "../secrets-body.ts";
import { requestHost } from "../../../../adapters/page/api.ts";
import { each, h, labelled, openForm, toast } from "../../../../adapters/page/dom.ts";
import { full } from "../../../../adapters/page/format.ts";
import { say } from "../../../../adapters/page/words.ts";

/** Empty if the operator may not manage secrets, or if there is no repository and no secret. */
export const board = (): HTMLElement => {
  const root = h("section.stack", { "aria-label": say("Secrets for tests") });
  void fill(root);
  return root;
};

const fill = async (root: HTMLElement): Promise<void> => {
  const read = await requestHost<SecretsBody>("GET", "/api/test-secrets");
  if (read.kind !== "ok" || read.data.repos.length + read.data.secrets.length === 0) return;
  const { secrets, missing, repos } = read.data;
  const again = () => void fill(root);
  root.replaceChildren(
    h("h2", say("Secrets for tests")),
    h(
      "p.muted",
      say(
        "The tests that the host runs for a draft get these values, if `.parley/tests.json` of the repository lists the name and the command. Nobody can read a value again. A secret belongs to its repository, not to a channel.",
      ),
    ),
    each("ul", secrets, (one) => secretView(one, again)),
    each("ul", missing, ({ repo, name }) =>
      h("li", h("code", name), ` · ${repo} · ${say("declared but not stored")}`),
    ),
    repos.length === 0 ? "" : secretForm(repos, again),
  );
};

const secretView = (
  { repo, name, by, at, isUsed }: SecretsBody["secrets"][number],
  again: () => void,
): HTMLElement => {
  const remove = async (): Promise<void> => {
    const answer = await requestHost("POST", "/api/test-secrets", { action: "remove", repo, name });
    toast(answer.kind === "ok" ? say("The secret {name} is removed.", { name }) : answer.message);
    again();
  };
  const facts = [
    repo,
    ...(by === null ? [] : [say("by {author}", { author: by })]),
    full(at),
    ...(isUsed ? [] : [say("no channel works on this repository")]),
  ];
  return h(
    "li",
    h("code", name),
    ` · ${facts.join(" · ")} `,
    h(
      "button.small",
      { onclick: remove, "aria-label": say("Remove secret {name}", { name }) },
      say("Remove"),
    ),
  );
};

const secretForm = (repos: readonly string[], again: () => void): HTMLElement => {
  const repo: HTMLSelectElement = h(
    "select.field",
    { name: "repo" },
    ...repos.map((one) => h("option", { value: one }, one)),
  );
  const name = h("input.field", { name: "name", required: true, placeholder: "STRIPE_TEST_KEY" });
  // A text area keeps the lines of a key. The value leaves the page as soon as the host has the value.
  const value = h("textarea.field", {
    name: "value",
    required: true,
    rows: "2",
    autocomplete: "off",
    spellcheck: "false",
  });
  const set = async (): Promise<string | null> => {
    const wanted = name.value.trim().toUpperCase();
    const secret = { repo: repo.value, name: wanted, value: value.value };
    const answer = await requestHost("POST", "/api/test-secrets", { action: "set", ...secret });
    if (answer.kind !== "ok") return answer.message;
    value.value = "";
    toast(say("The secret {name} is stored.", { name: wanted }));
    again();
    return null;
  };
  return openForm(
    "form.stack",
    { "aria-label": say("Store a secret"), autocomplete: "off" },
    set,
    labelled(say("Repository"), repo),
    labelled(say("Name"), name),
    labelled(say("Value"), value),
    h("button", { type: "submit" }, say("Store")),
  );
};
