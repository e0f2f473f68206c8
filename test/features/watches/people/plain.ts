/** A thread without what differs between runs: ids, names of watches, times and addresses of stand-ins. */
export const plainThread = (text: string): string =>
  text
    .replaceAll(/\bc-[0-9a-z]+\b/g, "c-1")
    .replaceAll(/\b(people|emoji)-[0-9a-z]{4}\b/g, "$1-1")
    .replaceAll(/· [\d.]+ s\b/g, "· N s")
    .replaceAll(/\d{17,20}/g, "ID")
    .replaceAll(/\d{10}\.\d{6}/g, "TS")
    .replaceAll(/https?:\/\/(?:127\.0\.0\.1|localhost):\d+/g, "https://HOST");
