/** Every table and column of the index says what becomes of it when words are taken back. */

import { join } from "node:path";
import { expect, it } from "vitest";
import { knowledgeRows, openIndexForWriting } from "../../../src/features/knowledge/schema.ts";
import { problemsOf } from "../../store/declared.ts";
import { temporary } from "../../store/kit.ts";

it("the declarations of the index name every table and column once, and lack a new one", () => {
  const db = openIndexForWriting(join(temporary(), "knowledge.sqlite"));
  expect(problemsOf(db, [knowledgeRows])).toEqual([]);
  db.exec("ALTER TABLE pages ADD COLUMN planted TEXT");
  expect(problemsOf(db, [knowledgeRows])).toEqual(["pages.planted is not declared"]);
  db.close();
});
