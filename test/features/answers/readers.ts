/** Functions of the feature that read the text of others. */

import { normalizedQuestion } from "../../../src/features/answers/normalized-question.ts";
import type { Read } from "../../linear/readers.ts";

export const READERS: Readonly<Record<string, Read>> = { questions: normalizedQuestion };
