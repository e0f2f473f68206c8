/**
 * Returns one key for all forms in which people and platforms write an emoji: `:mag:`, `mag::skin-tone-3`, the character
 * itself, `<:ship:123>`. Skin tones and variation selectors do not count. Null if the text is no emoji.
 */
export const emojiKey = (typed: string): string | null => {
  const custom = /^<a?:\w{1,64}:(\d{5,25})>$/.exec(typed)?.[1];
  if (custom !== undefined || /^\d{5,25}$/.test(typed)) return custom ?? typed;
  const named = NAMED.exec(typed)?.[1];
  if (named !== undefined) return ALIASES.get(named) ?? named;
  const plain = typed.replaceAll(TONE, "").replaceAll(VARIATION, "");
  return EMOJI.test(plain) ? (NAMES.get(plain) ?? plain) : null;
};

/** Whether the key is a name; some platforms name all emoji. */
export const isEmojiName = (key: string): boolean => NAMED.test(key) && !/^\d+$/.test(key);

/** Returns the form for people. Custom emoji may have only an id. */
export const emojiText = (key: string): string => (isEmojiName(key) ? `:${key}:` : key);

/** Whether platforms that send characters and ids can send the emoji. */
export const hasCharacter = (key: string): boolean => !isEmojiName(key) || Object.hasOwn(CHARACTERS, key);

const NAMED = /^:?([a-z0-9_+'-]{1,100}?)(?:::?skin-tone-[2-6])?:?$/u;
const TONE = /[\u{1F3FB}-\u{1F3FF}]/gu;
const VARIATION = /[\uFE0E\uFE0F]/g;
const EMOJI =
  /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|[#*\d]|\u200D|\u20E3|[\u{E0020}-\u{E007F}]){1,16}$/u;

/** Second names of emoji, and the names that reactions use. */
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    thumbsup: "+1",
    thumbsdown: "-1",
    robot: "robot_face",
    thinking: "thinking_face",
    ladybug: "beetle",
    lady_beetle: "beetle",
    heavy_exclamation_mark: "exclamation",
    collision: "boom",
    poop: "hankey",
    telephone: "phone",
    pencil: "memo",
  }),
);

/** Emoji that have the same name on all platforms. */
const CHARACTERS: Readonly<Record<string, string>> = {
  "+1": "👍",
  "-1": "👎",
  ambulance: "🚑",
  beetle: "🐞",
  bell: "🔔",
  boom: "💥",
  bug: "🐛",
  bulb: "💡",
  clipboard: "📋",
  construction: "🚧",
  detective: "🕵",
  ear: "👂",
  exclamation: "❗",
  eyes: "👀",
  fire: "🔥",
  fire_engine: "🚒",
  gear: "⚙",
  hammer: "🔨",
  hammer_and_wrench: "🛠",
  heavy_check_mark: "✔",
  hourglass: "⌛",
  inbox_tray: "📥",
  label: "🏷",
  lock: "🔒",
  mag: "🔍",
  mag_right: "🔎",
  mega: "📣",
  memo: "📝",
  microscope: "🔬",
  package: "📦",
  pray: "🙏",
  pushpin: "📌",
  question: "❓",
  raised_hand: "✋",
  robot_face: "🤖",
  rocket: "🚀",
  rotating_light: "🚨",
  scroll: "📜",
  shield: "🛡",
  sos: "🆘",
  speech_balloon: "💬",
  thinking_face: "🤔",
  ticket: "🎫",
  warning: "⚠",
  wave: "👋",
  white_check_mark: "✅",
  wrench: "🔧",
  x: "❌",
  zap: "⚡",
};

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(CHARACTERS).map(([name, character]) => [character, name]),
);
