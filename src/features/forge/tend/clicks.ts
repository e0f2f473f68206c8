/** Buttons *Look after this pull request* and *Stop looking after it*. Rights are read again at each click. */

import { DAY } from "../../../machine/id.ts";
import type { FeatureClick } from "../../../runtime/chat/people/deps.ts";
import { press } from "../../../runtime/chat/people/press.ts";
import { requiresTwoPeople } from "../../../runtime/chat/people/rights.ts";
import { storageText, unknownThreadText } from "../../../runtime/chat/people/reply-texts.ts";
import { ownerOf } from "../../../ports/conversation.ts";
import type { Label } from "../../../i18n/say.ts";
import { FORGE_TIME, NO_CREDENTIAL, NOT_OPENED, openedPull } from "./opened-pull.ts";
import { TEND_DAYS, type TendedPull } from "./bounds.ts";
import { tendProject } from "./forge-facts.ts";
import type { TendContext } from "./open.ts";
import { begunLine } from "./words.ts";

export const lookAfter =
  (own: TendContext): FeatureClick =>
  (deps, _, click) =>
    press(deps, click, null, async ({ conversation, speaker, say }) => {
      if (!speaker.mayApprove) return say(MAY_NOT);
      const known = own.rows.of(conversation);
      if (known !== null && known.ended === null) return say(ALREADY);
      const detail = await deps.bot.read(conversation);
      const opened = detail === null ? null : openedPull(detail.posts, click.value);
      if (detail === null) return say(unknownThreadText);
      if (opened === null) return say(NOT_OPENED);
      const isOwn = opened.requesters.includes(speaker.id);
      if (isOwn && requiresTwoPeople(deps.policy, click.direct)) return say(OWN_REQUEST);
      const place = tendProject(own.forges, detail.conversation.repo);
      if (place === null) return say(NO_CREDENTIAL);
      const signal = AbortSignal.timeout(FORGE_TIME);
      const [branches, read] = await Promise.all([
        place.desk.branches(signal),
        place.project.pull(opened.number, signal),
      ]);
      if (branches.kind === "trouble") return branches.why;
      if (read.kind === "trouble") return read.why;
      const branch = `parley/${ownerOf(conversation)}`;
      const head = branches.value.get(branch);
      if (read.value.state !== "open" && read.value.state !== "draft") return say(NOT_OPEN);
      if (head === undefined || read.value.head !== branch || read.value.fork !== null) return say(FOREIGN);
      const commit = await place.project.commit(head, signal);
      if (commit.kind === "trouble") return commit.why;
      if (!commit.value.text.includes(`Parley-Conversation: ${ownerOf(conversation)}`)) return say(FOREIGN);
      const standing = await own.names.standing(place.project, speaker.id, signal);
      if (standing.kind === "lacks") return say(NO_ACCESS);
      if (standing.kind === "unread") return say(UNREAD);
      const began = own.clock.now();
      const pull: TendedPull = {
        id: own
          .randomId()
          .replaceAll(/[^0-9a-z]/gi, "")
          .slice(0, 10),
        conversation,
        surface: deps.name,
        place: click.place,
        by: speaker.id,
        byName: speaker.name ?? null,
        account: standing.kind === "able" ? standing.account : null,
        name: opened.name,
        number: opened.number,
        branch,
        began,
        ends: began + TEND_DAYS * DAY,
        pushes: own.settings.pushes,
        budget: own.settings.budget,
        head,
        expected: null,
        seen: [],
        turn: 0,
        tries: 0,
        phase: "watching",
        cause: { checks: false, remarks: [] },
        trouble: null,
        ended: null,
        told: false,
      };
      const done = await own.rows.begin(pull);
      if (done.kind === "failed") return storageText(done.message, say);
      if (own.rows.find(pull.id) === null) return say(ALREADY);
      await own.tell(pull, "begun", begunLine(pull, await deps.platform.label(click.person), say));
      own.wake();
      return null;
    });

export const stopLookingAfter =
  (own: TendContext): FeatureClick =>
  (deps, _, click) =>
    press(deps, click, null, async ({ conversation, speaker, say }) => {
      const pull = own.rows.find(click.value);
      if (pull === null || pull.conversation !== conversation) return say(unknownThreadText);
      if (pull.ended !== null) return say(OVER);
      // Stopping grants nothing, so everybody with write permission may stop.
      if (!speaker.mayDrive && !speaker.mayApprove) return say(MAY_NOT_STOP);
      const done = await own.rows.end(pull.id, "stopped");
      if (done.kind === "failed") return storageText(done.message, say);
      own.wake();
      return null;
    });

const MAY_NOT: Label = "Only approvers can let me look after a pull request. Ask one of them.";
const MAY_NOT_STOP: Label = "Only people with write permission here can stop this. Ask one of them.";
const ALREADY: Label = "I look after the pull request already.";
const OVER: Label = "I no longer look after the pull request.";
const OWN_REQUEST: Label =
  "Two people are required here, and you requested changes of this pull request. Ask another approver to press the button.";
const NO_ACCESS: Label =
  "The forge does not let your account push to the repository. Ask an approver who may push there.";
const UNREAD: Label =
  "The forge did not say whether your account may push. Press the button again in a minute.";
const NOT_OPEN: Label = "The pull request is not open.";
const FOREIGN: Label = "The last push to the branch is not mine, so I cannot look after the pull request.";
