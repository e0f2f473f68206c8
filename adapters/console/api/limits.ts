/** What a request may hold. */

import { PICTURE_BYTES } from "../../../src/ports/pictures.ts";
import type { About } from "../render/api-types.ts";

export const LIMITS: About["limits"] = { messageBytes: 1_048_576, images: 8, imageBytes: PICTURE_BYTES };

/** Bytes of a whole one. */
export const BODY_BYTES = 32 * 1_048_576;

/** A limit as people read it. */
export const megabytes = (bytes: number): string => `${Math.floor(bytes / 1_048_576)} MB`;
