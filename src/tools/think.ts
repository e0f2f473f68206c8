import { z } from "zod";
import { defineTool, success, type Tool } from "./tool.ts";

export const createThinkTool = (): Tool =>
  defineTool({
    name: "think",
    description:
      "Write down reasoning, a plan or intermediate findings. Has no effect on anything and fetches nothing; the answer is always `recorded`.",
    origin: "host",
    look: { past: "Thought", now: "thinking", fields: [], icon: "thought", face: "prose" },
    judge: null,
    schema: z.object({ thoughts: z.string().describe("The reasoning to write down.") }),
    tooLarge: "Write less.",
    run: () => Promise.resolve(success("recorded")),
  });
