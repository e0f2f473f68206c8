/** Open modals, and the Home tab of each person. */

import { app, type Json, team } from "../world.ts";

export interface View {
  readonly id: string;
  /** Who sees it. */
  readonly user: string;
  /** As the app gave it, ids filled in. */
  readonly view: Json;
  readonly hash: string;
}

export interface Views {
  readonly open: ReadonlyMap<string, View>;
  /** By person. */
  readonly homes: ReadonlyMap<string, View>;
  publish(view: View): void;
  put(view: View): void;
  close(id: string): void;
}

export const createViews = (): Views => {
  const open = new Map<string, View>();
  const homes = new Map<string, View>();
  return {
    open,
    homes,
    publish: (view) => {
      homes.set(view.user, view);
    },
    put: (view) => {
      open.set(view.id, view);
    },
    close: (id) => {
      open.delete(id);
    },
  };
};

/** A view as answers and payloads show it. `values`: what the person has filled in, by block and action. */
export const viewWire = ({ id, view, hash }: View, values: Json = {}): Json => ({
  callback_id: "",
  private_metadata: "",
  clear_on_close: false,
  notify_on_close: false,
  external_id: "",
  close: null,
  submit: null,
  ...view,
  id,
  hash,
  team_id: team.id,
  app_id: app.id,
  bot_id: app.bot,
  app_installed_team_id: team.id,
  root_view_id: id,
  previous_view_id: null,
  state: { values },
});
