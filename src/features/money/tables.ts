import type { Tables } from "../../ports/tables.ts";

const moveScope = (table: string): string => `
  UPDATE OR IGNORE ${table} SET scope = 'channel:' || @surface || ':' || @to
  WHERE scope = 'channel:' || @surface || ':' || @from`;

const sums: Tables = {
  tables: {
    spent: { kept: { "sums by day and payer": ["day", "scope", "host", "micro_usd"] } },
    budgets: { kept: { "amounts, and who set them": ["scope", "micro_usd", "set_by", "at"] } },
    reserved: { kept: { "amounts until their request ends": ["id", "instance", "scopes", "micro_usd"] } },
  },
  moves: ["budgets", "spent"].map(moveScope),
  erase: {
    person: { kind: "kept", why: "sums by id, no words" },
    conversation: { kind: "kept", why: "spent money stays in the sums of its day" },
  },
};

export const tables: readonly Tables[] = [sums];
