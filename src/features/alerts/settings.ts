import { z } from "zod";

export const alertSettings = z.object({ PARLEY_OPERATOR_CHANNEL: z.string().optional() });

export interface OperatorChannel {
  readonly surface: string;
  readonly place: string;
}

/** Null if unset. The configuration checks platform and id, as for each channel that `tellsIn` names. */
export const operatorChannelOf = ({
  PARLEY_OPERATOR_CHANNEL: channel,
}: z.infer<typeof alertSettings>): OperatorChannel | null => {
  const [surface, ...place] = channel?.split(":") ?? [];
  return surface === undefined ? null : { surface, place: place.join(":") };
};
