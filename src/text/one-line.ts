/** Returns the text without line breaks and runs of spaces. Pure. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
