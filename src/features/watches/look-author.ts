/** The author of the post below which a look stands. The author takes over the thread by replying (D55). */

import type { Core } from "../../feature.ts";
import type { ConversationId, PersonId } from "../../machine/id.ts";
import type { PeoplePosts } from "../../ports/app-posts.ts";
import type { WatchRows } from "./store/watches.ts";

interface AuthorDeps {
  readonly bot: Pick<Core["bot"], "read">;
  readonly rows: Pick<WatchRows, "thread">;
}

export const createLookAuthors = ({ bot, rows }: AuthorDeps): Pick<PeoplePosts, "authorOf" | "takesOver"> => {
  const authorOf = (conversation: ConversationId): string | null => {
    const author = rows.thread(conversation)?.event.person?.author;
    return author === undefined ? null : personIn(author);
  };
  return {
    authorOf,
    // A passer-by may have asked first. Then the author is a participant without having asked.
    takesOver: async (conversation, person) => {
      const author = rows.thread(conversation)?.event.person?.author;
      if (author === undefined || personIn(author) !== person) return false;
      const read = await bot.read(conversation);
      return (
        read !== null &&
        read.state.turn.speaker?.id !== author &&
        !read.posts.some(({ post: { body } }) => body.kind === "turn" && body.asked?.by === author)
      );
    },
  };
};

/** Id on the platform. */
const personIn = (author: PersonId): string => author.slice(author.indexOf(":") + 1);
