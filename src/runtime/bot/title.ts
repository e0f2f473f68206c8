import { clipCodePoints } from "../../text/clip-text.ts";

const LENGTH = 80;

export const titleOf = (text: string): string =>
  cut(
    text
      .split("\n")
      .find((line) => line.trim() !== "")
      ?.trim() ?? "Picture",
  );

export const cleanTitle = (title: string): string => cut(title.replaceAll(/[\s\p{Cc}]+/gu, " ").trim());

const cut = (line: string): string => clipCodePoints(line, LENGTH);
