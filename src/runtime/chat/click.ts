/** Rights are read again at each click, and a failed read refuses the click (D2). Every click has a visible result. */

import type { ConversationId } from "../../machine/id.ts";
import { requestersOf } from "../../machine/state.ts";
import { ANSWERS, type Choice, type LaterMessage, type Speaker } from "../../machine/vocabulary.ts";
import { answerNamed } from "../../ports/feedback.ts";
import type { ActRequest, ActResult } from "../../ports/bot.ts";
import type { Claim } from "../../ports/claims.ts";
import { sendLater } from "../../ports/later.ts";
import type { Addressee } from "../../ports/surface.ts";
import { acceptedText, replyButtons } from "./replies.ts";
import { authorName } from "../../thread/waiting-text.ts";
import { sayIn } from "../../i18n/languages.ts";
import type { Click as ClickAnywhere, HandleResult } from "../../ports/chat.ts";
import type { ClickAction } from "../../ports/questions.ts";
import { approverIdsOf, isOwnRequest } from "./people/rights.ts";
import { groupId } from "./people/owner-groups.ts";
import type { ChatDeps } from "./people/deps.ts";
import { continueElsewhere } from "./people/continuation.ts";
import { judge } from "./judge.ts";
import { moveHeard } from "./move-heard.ts";
import { press, type ButtonPress as PressedAnywhere } from "./people/press.ts";
import { paced } from "./people/turn-rate.ts";
import { decidedText, mayNotDecideText, ownRequestText, unknownThreadText } from "./people/reply-texts.ts";
import { outcomeText } from "./people/outcome-text.ts";
import type { Say, Sentence } from "../../i18n/say.ts";

type Click = Omit<ClickAnywhere, "action"> & { readonly action: ChatAction };

type ChatAction = Exclude<Extract<ClickAction, string>, "answer_again">;

interface Pressed extends PressedAnywhere {
  readonly click: Click;
}

export const createClickHandler = (deps: ChatDeps): ((click: Click) => Promise<HandleResult>) => {
  const { name, bot, platform, policy } = deps;

  const clicked = (click: Click): Promise<HandleResult> =>
    press(deps, click, reviewChannelOf(deps, click), (pressed) =>
      perform(click.action, { ...pressed, click }),
    );

  const perform = async (action: Click["action"], pressed: Pressed): Promise<string | null> => {
    const { click, conversation, person, speaker, say } = pressed;
    const own = { ...deps, say };
    if (action === "changes") return pacedText(pressed, () => act(action, pressed));
    if (isChoice(action)) return decide(action, pressed);
    switch (action) {
      case "stop":
        return outcomeText(await bot.act(conversation, { kind: "stop", by: speaker.id }), say);
      case "retry":
        return pacedText(pressed, () => bot.act(conversation, { kind: "retry", speaker }));
      case "retry_other":
        return pacedText(pressed, () => bot.act(conversation, { kind: "retry", speaker, other: true }));
      case "ask_again":
        return speaker.mayApprove
          ? outcomeText(await bot.act(conversation, { kind: "askAgain", by: speaker }), say)
          : mayNot(say);
      case "continue":
        return continueElsewhere(own, conversation, "continue", { speaker, person });
      case "with_summary":
        return continueElsewhere(own, conversation, "summary", { speaker, person });
      case "new_empty":
        return continueElsewhere(own, conversation, "empty", { speaker, person });
      case "thumb_up":
      case "thumb_down":
      case "why":
      case "solved":
        return judge(own, click, action, speaker);
      case "deeper":
        return pacedText(pressed, () => {
          const answer = answerNamed(click.value);
          return answer?.conversation === conversation
            ? bot.act(conversation, { kind: "deeper", answer: answer.message, speaker })
            : Promise.resolve({ kind: "unknown" });
        });
      case "stop_and_send":
      case "send_when_done":
      case "add_to_turn":
        return sendRefused(pressed, action);
      case "remove_waiting":
        return removeWaiting(pressed);
    }
  };

  const decide = async (choice: Choice, pressed: Pressed): Promise<string | null> => {
    const { click, conversation, speaker, say } = pressed;
    const detail = await bot.read(conversation);
    if (detail === null) return say(unknownThreadText);
    // A work mode is no permission, and neither is an answer to the agent, so the core decides who may choose.
    const isOpen =
      detail.question?.wire === questionOf(click).question &&
      detail.question.type !== "mode" &&
      detail.question.type !== "person";
    if (isOpen && !speaker.mayApprove) return mayNot(say);
    // A reviewed answer is no permission either.
    const isAnswer = detail.question?.type === "answer";
    if (isOpen && !isAnswer && isOwnRequest(policy, speaker.id, requestersOf(detail.state), click.direct)) {
      return say(ownRequestText(click.direct));
    }
    return decisionText(await act(choice, pressed), say);
  };

  const act = (choice: Choice, { click, conversation, speaker, person }: Pressed): Promise<ActResult> =>
    bot.act(conversation, {
      kind: "decide",
      ...questionOf(click, choice),
      choice,
      by: speaker,
      groups: person.groups.map((id) => groupId(deps, id)),
      comment: click.comment,
    });

  const mayNot = async (say: Say): Promise<string> => {
    const named = [...policy.approvers, ...(policy.also ?? [])];
    return mayNotDecideText({ ...deps, say }, await Promise.all(approverIdsOf(named).map(platform.label)));
  };

  const decisionText = async (result: ActResult, say: Say): Promise<string | null> => {
    if (result.kind !== "refused" || (result.why !== "already_decided" && result.why !== "stale")) {
      return outcomeText(result, say);
    }
    const { says, choice, at } = result;
    if (says !== undefined) return says(say);
    const [, by] = result.by?.split(":") ?? [];
    const isDecided = result.why === "already_decided" && by !== undefined;
    return decidedText(isDecided ? { choice, by: await platform.label(by), at } : null, say);
  };

  /** D7, D51: Sends a message that was refused during a turn, on behalf of the same person. */
  const sendRefused = async (pressed: Pressed, action: SendAction): Promise<string | null> => {
    const { click, conversation, speaker, say } = pressed;
    const key = { surface: name, id: click.value };
    const claim = bot.refusedClaim(key);
    if (claim === null || claim.conversation !== conversation)
      return say("That message has already been sent, or is no longer stored.");
    if (claim.speaker.id !== speaker.id) return say("Only the person who wrote the message can send it.");
    const request = { ...claim, speaker, claim: key };
    if (action === "stop_and_send") {
      const told = await pacedText(pressed, () => bot.act(conversation, { ...request, kind: "stopAndSend" }));
      if (told !== null) return told;
      received(claim);
      await click.replace?.(null);
      return null;
    }
    const how = action === "add_to_turn" ? "add" : "queue";
    const sent = await paced({ ...deps, say }, speaker, pressed.person, () =>
      sendLater(bot, conversation, how, request),
    );
    if (typeof sent === "string") return sent;
    if (sent.kind !== "done") return decisionText(sent, say);
    received(claim);
    return reportSent(pressed, sent.as);
  };

  /** The next message of the thread must not quote this one as earlier text. */
  const received = ({ conversation, source }: Claim): void => {
    if (source !== undefined) moveHeard(deps.store, conversation, source);
  };

  /** The reply that contained the button shows the result, if the platform can change it. */
  const reportSent = async (
    { click, conversation, speaker, say }: Pressed,
    as: "added" | "waiting" | "started",
  ): Promise<string | null> => {
    if (as === "started") {
      await click.replace?.(null);
      return say("I had just finished, so I started on your message.");
    }
    const why = {
      kind: "accepted",
      conversation,
      claim: click.value,
      as,
      restricts: !speaker.mayDrive,
    } as const;
    const note = { text: acceptedText(why, say), buttons: replyButtons(why, say) };
    if ((await click.replace?.(note)) === true) return null;
    await deps.replies.owe(addresseeOf(click), `${as}/${click.value}`, why);
    return null;
  };

  const removeWaiting = async ({ click, conversation, speaker, say }: Pressed): Promise<string | null> => {
    const waiting = (await bot.read(conversation))?.state.waiting ?? [];
    // Buttons of a status name the message, the author's own reply names the claim.
    const named = waiting.find(({ message }) => message === click.value);
    const message = named?.message ?? { surface: name, id: click.value };
    const replace = named === undefined ? click.replace : undefined;
    const result = await bot.act(conversation, { kind: "unqueue", message, by: speaker });
    if (result.kind === "refused" && result.why === "not_allowed")
      return say("Only its author and approvers can remove a waiting message.");
    if (result.kind === "refused") await replace?.(null);
    if (result.kind !== "done") return outcomeText(result, say);
    await notifyAuthor(click, waiting, speaker, conversation);
    const text = say("Removed: the message no longer waits.");
    return (await replace?.({ text, buttons: [] })) === true ? null : text;
  };

  /** An approver's click removes a message of another person. */
  const notifyAuthor = async (
    click: Click,
    before: readonly LaterMessage[],
    speaker: Speaker,
    conversation: ConversationId,
  ): Promise<void> => {
    const left = (await bot.read(conversation))?.state.waiting ?? [];
    const removed = before.find((one) => !left.some(({ message }) => message === one.message));
    const [surface, person = ""] = removed?.speaker.id.split(":") ?? [];
    if (removed === undefined || removed.speaker.id === speaker.id || surface !== name) return;
    const text = sayIn(deps.languageAt(click.place))(REMOVED, { name: authorName(speaker) });
    await deps.replies.owe({ ...addresseeOf(click), person }, `removed/${removed.message}`, text);
  };

  const pacedText = async (
    { speaker, person, say }: Pressed,
    begin: () => Promise<ActResult>,
  ): Promise<string | null> => {
    const result = await paced({ ...deps, say }, speaker, person, begin);
    return typeof result === "string" ? result : decisionText(result, say);
  };

  return clicked;
};

type SendAction = "stop_and_send" | "send_when_done" | "add_to_turn";

const addresseeOf = ({ place, root, person }: Click): Addressee => ({ place, root, person });

const REMOVED =
  "@{name} removed your waiting message, so I will not start on it. Send it again if you still need an answer." satisfies Sentence;

const isChoice = (action: ClickAction): action is Choice => ANSWERS.some((one) => one === action);

/** The click's own channel may be the review channel. */
export const reviewChannelOf = (
  { question }: Pick<ChatDeps, "question">,
  click: Pick<Click, "action" | "value">,
): ConversationId | null =>
  isChoice(click.action) ? (question(questionOf(click).question)?.conversation ?? null) : null;

/** Some buttons have a number after the question's id: of commits, a choice of the agent, or a comment. */
const questionOf = (
  { value }: Pick<Click, "value">,
  choice?: Choice,
): Pick<ActRequest & { readonly kind: "decide" }, "question" | "commits" | "option"> => {
  const [question = "", number] = value.split("/");
  if (number === undefined) return { question };
  const isOption = choice === "choose" || choice === "leave_out";
  return { question, [isOption ? "option" : "commits"]: Number(number) };
};
