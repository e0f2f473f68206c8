/** The tool for docs/reference.md. */

import { createKnowledgeTool } from "../../../src/features/knowledge/search-knowledge.ts";

export const TOOLS = [createKnowledgeTool({ find: () => ({ kind: "trouble", why: "" }) })];
