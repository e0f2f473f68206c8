import { quoteUntrusted } from "../../text/quotes.ts";
import type { ResultContext } from "./answer.ts";
import type { Servers } from "./servers.ts";

interface ListingDeps extends Pick<ResultContext, "mask"> {
  readonly servers: Pick<Servers, "tools">;
}

const SHORT = 120;

/** Returns complete text blocks. `isWhole`: with schemas. */
export const describe = async (
  server: string,
  isWhole: boolean,
  { servers, mask }: ListingDeps,
): Promise<readonly string[]> => {
  const listed = await servers.tools(server);
  const author = `MCP server ${server}`;
  const said = (text: string): string => quoteUntrusted({ author, text: mask(text), at: Number.NaN });
  if (listed.kind === "failed") return [`${server} cannot be used now:\n${said(listed.why)}`];
  const usable = listed.tools.filter(({ standing }) => standing === "usable");
  const off = listed.tools.length - usable.length;
  const count = usable.length === 1 ? "one tool" : `${usable.length} tools`;
  return [
    `${server} has ${count}${isWhole ? "" : `; mcp_tools with this server tells their schemas`}.`,
    ...(isWhole
      ? usable.map(
          ({ name, access, description, inputSchema }) =>
            `${name} (${access}):\n${said(`${description}\n\nSchema: ${JSON.stringify(inputSchema)}`)}`,
        )
      : usable.map(({ name, access, description }) => `${name} (${access}):\n${said(brief(description))}`)),
    ...(off > 0
      ? [`[${off} more are off until somebody accepts them: \`/parley tools accept ${server}\`]`]
      : []),
  ];
};

const brief = (description: string): string => {
  const line = description.replaceAll(/\s+/g, " ").trim();
  return line.length <= SHORT ? line : `${line.slice(0, SHORT)}…`;
};
