/** Colors and measures of Slack and Discord, light and dark. */

export interface Look {
  readonly font: string;
  readonly back: string;
  readonly text: string;
  readonly soft: string;
  readonly link: string;
  readonly mention: string;
  readonly code: string;
  readonly sunk: string;
  readonly border: string;
  readonly plain: { readonly fill: string; readonly stroke: string; readonly text: string };
  readonly primary: string;
  readonly badge: { readonly fill: string; readonly text: string };
  /** Corner radius of avatars: half of their size is a circle. */
  readonly round: number;
  readonly added: string;
  readonly removed: string;
  /** Above the thread. */
  readonly head: string;
}

const SLACK = {
  font: "Lato, 'Helvetica Neue', Helvetica, Arial, sans-serif",
  round: 8,
  primary: "#007a5a",
  head: "Thread  # general",
};
const DISCORD = {
  font: "'gg sans', 'Noto Sans', 'Helvetica Neue', Helvetica, Arial, sans-serif",
  round: 18,
  primary: "#248046",
  head: "# general  ›  thread of @bob",
  badge: { fill: "#5865f2", text: "#ffffff" },
};

export const LOOKS: Readonly<Record<"slack" | "discord", Readonly<Record<"light" | "dark", Look>>>> = {
  slack: {
    light: {
      ...SLACK,
      back: "#ffffff",
      text: "#1d1c1d",
      soft: "#616061",
      link: "#1264a3",
      mention: "#1264a3",
      code: "#c01343",
      sunk: "#f8f8f8",
      border: "#dddddd",
      plain: { fill: "#ffffff", stroke: "#bbbbbb", text: "#1d1c1d" },
      badge: { fill: "#e8e8e8", text: "#616061" },
      added: "#007a5a",
      removed: "#c01343",
    },
    dark: {
      ...SLACK,
      back: "#1a1d21",
      text: "#d1d2d3",
      soft: "#ababad",
      link: "#1d9bd1",
      mention: "#1d9bd1",
      code: "#e8912d",
      sunk: "#222529",
      border: "#35373b",
      plain: { fill: "#1a1d21", stroke: "#565856", text: "#d1d2d3" },
      badge: { fill: "#35373b", text: "#ababad" },
      added: "#2bac76",
      removed: "#f2717f",
    },
  },
  discord: {
    light: {
      ...DISCORD,
      back: "#ffffff",
      text: "#313338",
      soft: "#5c5e66",
      link: "#006ce7",
      mention: "#4752c4",
      code: "#313338",
      sunk: "#f2f3f5",
      border: "#e3e5e8",
      plain: { fill: "#6d6f78", stroke: "#6d6f78", text: "#ffffff" },
      added: "#248046",
      removed: "#c6282d",
    },
    dark: {
      ...DISCORD,
      back: "#313338",
      text: "#dbdee1",
      soft: "#a5a8ae",
      link: "#00a8fc",
      mention: "#c9cdfb",
      code: "#dbdee1",
      sunk: "#2b2d31",
      border: "#3f4147",
      plain: { fill: "#4e5058", stroke: "#4e5058", text: "#ffffff" },
      added: "#57c778",
      removed: "#f2717f",
    },
  },
};
