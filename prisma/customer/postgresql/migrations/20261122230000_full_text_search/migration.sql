-- These indexes come first: until the columns are added, customers can still be read.
CREATE INDEX "customer_updated_at_id_idx" ON "customer"("updated_at", "id");
CREATE INDEX "customer_age_id_idx" ON "customer"("age", "id");

-- What lists are sorted and searched by. NULL if a client wrote the customer that does not know these columns.
-- COLLATE "C": in the order of SQLite.
ALTER TABLE "customer" ADD COLUMN "name_fold" TEXT COLLATE "C",
  ADD COLUMN "name_words" TEXT COLLATE "C",
  ADD COLUMN "address_words" TEXT COLLATE "C";

-- CreateIndex
CREATE INDEX "customer_name_fold_id_idx" ON "customer"("name_fold", "id");
CREATE INDEX "customer_unfolded_idx" ON "customer"("id") WHERE "name_words" || "address_words" IS NULL;

-- The beginnings of a customer's words, and its age and decade: so the beginning of a word is one term, which the index finds
-- at once; otherwise it would read each word that begins so. The cost keeps the planner from reading the table instead of the
-- index.
CREATE FUNCTION "customer_words" ("name_words" TEXT, "address_words" TEXT, "age" INTEGER) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE STRICT COST 1000 AS $$
DECLARE
  word TEXT;
  terms TEXT = '§' || age || ' §' || (age / 10) || 'x';
BEGIN
  FOREACH word IN ARRAY string_to_array(name_words || address_words, ' ') LOOP
    terms = concat_ws(' ', terms, left(word, 1), left(word, 2), left(word, 3), left(word, 4), left(word, 5), left(word, 6),
      left(word, 7), left(word, 8), left(word, 12));
  END LOOP;
  RETURN array_to_tsvector(array_remove(string_to_array(terms, ' '), ''));
END $$;
-- New terms are merged into the index after every 256 kB, for many customers at once: a third of the work of merging them
-- one by one. A writer then waits some 30 ms, and with the default of 4 MB up to 200.
CREATE INDEX "customer_words_idx" ON "customer" USING gin ("customer_words"("name_words", "address_words", "age"))
  WITH (fastupdate = on, gin_pending_list_limit = 256);

-- The writer does not know the columns, or changed accents or case alone: the service folds the customer again.
CREATE FUNCTION "customer_unfolded" () RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."name_words" = NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER "customer_unfolded" BEFORE UPDATE ON "customer" FOR EACH ROW
  WHEN ((NEW."name" <> OLD."name" AND NEW."name_words" IS NOT DISTINCT FROM OLD."name_words")
    OR (NEW."address" <> OLD."address" AND NEW."address_words" IS NOT DISTINCT FROM OLD."address_words"))
  EXECUTE FUNCTION "customer_unfolded" ();

-- The previous release reads its own tables until it is removed, and again after a rollback. Its queue has one entry for
-- each customer at most. A later release drops these tables.
DELETE FROM "unlisted" AS "earlier" USING "unlisted" AS "later"
  WHERE "later"."customer_id" = "earlier"."customer_id" AND "later"."seq" > "earlier"."seq";
CREATE UNIQUE INDEX "unlisted_customer_id_key" ON "unlisted"("customer_id");
CREATE OR REPLACE FUNCTION "customer_written" () RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "unlisted" ("customer_id") SELECT "id" FROM "written" ORDER BY "id" ON CONFLICT ("customer_id") DO UPDATE SET "seq" = DEFAULT;
  RETURN NULL;
END $$;
-- Folding a customer again changes nothing that the previous release knows.
CREATE FUNCTION "customer_rewritten" () RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "unlisted" ("customer_id")
  SELECT "id" FROM "written" JOIN "before" USING ("id")
  WHERE ("written"."name", "written"."address", "written"."age", "written"."updated_at")
    IS DISTINCT FROM ("before"."name", "before"."address", "before"."age", "before"."updated_at")
  ORDER BY "id" ON CONFLICT ("customer_id") DO UPDATE SET "seq" = DEFAULT;
  RETURN NULL;
END $$;
DROP TRIGGER "customer_changed" ON "customer";
CREATE TRIGGER "customer_changed" AFTER UPDATE ON "customer" REFERENCING OLD TABLE AS "before" NEW TABLE AS "written"
  FOR EACH STATEMENT EXECUTE FUNCTION "customer_rewritten" ();
-- Nothing else would remove what these tables have of a deleted customer.
CREATE FUNCTION "customer_removed" () RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "listed_word" USING "written", "listed_customer", unnest(string_to_array("words", ' ')) AS "own" ("text")
  WHERE "listed_customer"."id" = "written"."id" AND "listed_word"."customer_id" = "written"."id" AND "listed_word"."word" = "own"."text";
  DELETE FROM "listed_customer" USING "written" WHERE "listed_customer"."id" = "written"."id";
  INSERT INTO "unlisted" ("customer_id") SELECT "id" FROM "written" ORDER BY "id" ON CONFLICT ("customer_id") DO UPDATE SET "seq" = DEFAULT;
  RETURN NULL;
END $$;
DROP TRIGGER "customer_removed" ON "customer";
CREATE TRIGGER "customer_removed" AFTER DELETE ON "customer" REFERENCING OLD TABLE AS "written"
  FOR EACH STATEMENT EXECUTE FUNCTION "customer_removed" ();
