/** `agent_list_modes` (TUL-010): lists the work modes, read-only. */

import { hash } from "node:crypto";
import { z } from "zod";
import type { Modes } from "../ports/tools.ts";
import { defineTool, success, type Tool } from "./tool.ts";

const SUMMARY = 300;

export const createListModesTool = ({ all, initial }: Modes): Tool =>
  defineTool({
    name: "agent_list_modes",
    description:
      "Lists the work modes of this host with their keys and when each fits. Read-only. Use it before proposing a change with agent_change_mode.",
    origin: "host",
    look: {
      past: "Listed the work modes",
      now: "listing the work modes",
      fields: [],
      icon: "eye",
      face: "code",
    },
    judge: null,
    schema: z.object({
      includeExamples: z.boolean().optional().describe("Also say when each mode is typically asked for."),
    }),
    tooLarge: "This tool needs no arguments.",
    run: ({ includeExamples }) =>
      Promise.resolve(
        success(
          JSON.stringify({
            modes: all.map(({ key, name, whenToUse, prompt }) => ({
              id: idOf(key),
              key,
              displayName: name,
              description: whenToUse,
              systemPromptSummary: prompt.slice(0, SUMMARY),
              isDefault: key === initial,
              humanRoleHints: [],
              exampleUtterances: includeExamples === true ? [`@parley mode ${key}`] : [],
            })),
          }),
        ),
      ),
  });

/** 32 upper-hex characters (AGN-013), the same in every process. */
const idOf = (key: string): string => hash("sha256", key).slice(0, 32).toUpperCase();
