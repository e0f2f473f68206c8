import type { Routes } from "../route.ts";
import { commandRoutes } from "./commands.ts";
import { interactionRoutes } from "./interactions.ts";
import { messageRoutes } from "./messages.ts";
import { peopleRoutes } from "./people.ts";
import { threadRoutes } from "./threads.ts";

/** Every route that the fake knows; any other is a violation. */
export const routes: Routes = {
  ...messageRoutes,
  ...threadRoutes,
  ...interactionRoutes,
  ...commandRoutes,
  ...peopleRoutes,
};
