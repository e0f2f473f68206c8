import type { ChatSurface } from "../../ports/connection.ts";
import { english } from "../../i18n/say.ts";

export const offSurface = (name: string, off: string): ChatSurface => ({
  name,
  off,
  standing: () => "off",
  failed: new Promise(() => undefined),
  unseenFor: () => 0,
  late: () => [],
  tell: () => Promise.resolve({ kind: "refused", why: "its platform is off" }),
  answer: () => Promise.resolve({ kind: "refused", why: "its platform is off", permanent: false }),
  say: () => english,
  readName: () => Promise.resolve({ kind: "unread", why: "the channel's platform is off on this host" }),
  readThread: () => Promise.resolve(null),
  link: () => Promise.resolve(null),
  threads: { open: () => Promise.resolve({ kind: "ended" }), joined: () => Promise.resolve() },
  listen: () => undefined,
  heard: () => undefined,
  weigh: () => Promise.resolve(null),
  author: () => Promise.resolve({ kind: "unread" }),
  start: () => Promise.resolve(),
  leave: () => Promise.resolve(),
  close: () => Promise.resolve(),
});
