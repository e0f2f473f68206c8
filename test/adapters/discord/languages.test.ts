/** In which language the host speaks: a channel's for all, a person's own for what they alone are told. */

import { expect, it } from "vitest";
import { textAnswer, toolAnswer } from "../../runtime/world.ts";
import { createRig } from "./rig.ts";

const upgrade = toolAnswer({ id: "t1", name: "request_mode_upgrade", input: { reason: "to write" } });

it("a channel is set to German by who may: its threads, forms and buttons are from then on; bob alone reads Japanese", async () => {
  const rig = await createRig({
    answer: (_messages, no) => (no === 1 ? upgrade : textAnswer("Written.")),
  });
  const { fake } = rig;
  await expect.poll(() => fake.calls.some(({ route }) => route.startsWith("PUT /applications"))).toBe(true);
  fake.world.userNamed("bob").locale = "ja";
  fake.as("bob").command("general", "parley language", { code: "de" });
  await rig.reads("general", /変更できるのは PARLEY_APPROVERS の人だけです/);
  fake.world.userNamed("maria").locale = "pt-BR";
  fake.as("maria").command("general", "parley language", { code: "xx" });
  await rig.reads("general", /Your choice is not one of `language en`/);
  fake.as("maria").command("general", "parley language", { code: "de" });
  await rig.reads("general", /Hier spreche ich Deutsch\./);
  fake.as("maria").command("general", "parley review");
  await rig.reads("general", /Antworten dieses Kanals werden gepostet, wie sie kommen\./);

  const asked = fake.as("maria").say("general", "@parley change it");
  await rig.reads(
    asked.id,
    /Schreibzugriff für diesen Thread\?[^]*\[Genehmigen\] \[Ablehnen\] \[Ablehnen und sagen, warum\]/,
  );
  const question = fake.world
    .messages(asked.id)
    .find(({ components }) => JSON.stringify(components).includes("Genehmigen"));
  const at = { channel: asked.id, id: question?.id ?? "" };
  fake.as("bob").click(at, "Genehmigen");
  await rig.reads(asked.id, /この質問に答える権限がありません/);
  const form = fake.as("maria").click(at, "Ablehnen und sagen, warum");
  expect(JSON.stringify(await form.ended)).toContain("Was sollte Parley wissen?");
  fake.as("maria").click(at, "Genehmigen");
  await rig.reads(asked.id, /genehmigt\*\* von @maria[^]*Written\.[^]*Uneingeschränkt/);

  fake.as("maria").command("general", "parley language", { code: "auto" });
  await rig.reads("general", /Here I speak English\. No choice was made for this channel\./);
  expect(fake.violations).toEqual([]);
});
