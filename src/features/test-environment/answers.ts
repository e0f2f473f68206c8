import type { Label } from "../../i18n/say.ts";

export const MAY_NOT_SECRETS: Label = "Only approvers can list, store and remove secrets.";
export const SECRET_NAME: Label =
  "The name of a secret is a variable of the environment in capital letters, such as `STRIPE_TEST_KEY`.";
