import { type StartWriter, writeInThread } from "../write/writer.ts";
import type { Push } from "./fleet-database.ts";
export const writeFenced = (_push: Push): StartWriter => writeInThread;
