import { Unable } from "../../../tools/tool.ts";

/** A refusal whose reason contains the forge's texts. People read only the message. */
export class QuotedRefusal extends Unable {
  /** For the model: quotes, and lines of the host between them. */
  readonly quoted: string;
  constructor(message: string, quoted: string) {
    super(message);
    this.quoted = quoted;
  }
}
