-- What lists are sorted and searched by. NULL if a client wrote the customer that does not know these columns.
ALTER TABLE "customer" ADD COLUMN "name_fold" TEXT;
ALTER TABLE "customer" ADD COLUMN "name_words" TEXT;
ALTER TABLE "customer" ADD COLUMN "address_words" TEXT;

-- CreateIndex
CREATE INDEX "customer_name_fold_id_idx" ON "customer"("name_fold", "id");
CREATE INDEX "customer_updated_at_id_idx" ON "customer"("updated_at", "id");
CREATE INDEX "customer_age_id_idx" ON "customer"("age", "id");
CREATE INDEX "customer_unfolded_idx" ON "customer"("id") WHERE "name_words" || "address_words" IS NULL;

-- The words of each customer, and its age and decade as words. The beginnings of words are terms of their own:
-- otherwise a common one would read each word that begins so.
CREATE VIRTUAL TABLE "customer_words" USING fts5 (
    "words", content='', contentless_delete=1, detail=none, prefix='1 2 3 4 5 6 7 8 12', tokenize='ascii'
);
-- Entries of removed words go when the segments that hold them are merged for other reasons. By default a tenth of such entries
-- starts a merge, in which all requests wait for some 300 ms among 50,000 customers, and longer among more.
INSERT INTO "customer_words" ("customer_words", "rank") VALUES ('deletemerge', 0);
CREATE TRIGGER "customer_words_added" AFTER INSERT ON "customer" WHEN NEW."name_words" || NEW."address_words" IS NOT NULL BEGIN
  INSERT INTO "customer_words" ("rowid", "words")
  VALUES (NEW."id", NEW."name_words" || NEW."address_words" || ' §' || NEW."age" || ' §' || (NEW."age" / 10) || 'x');
END;
CREATE TRIGGER "customer_words_changed" AFTER UPDATE OF "id", "name_words", "address_words", "age" ON "customer"
  WHEN NEW."id" <> OLD."id" OR NEW."name_words" IS NOT OLD."name_words" OR NEW."address_words" IS NOT OLD."address_words" OR NEW."age" <> OLD."age" BEGIN
  DELETE FROM "customer_words" WHERE "rowid" = OLD."id" AND OLD."name_words" || OLD."address_words" IS NOT NULL;
  -- Not NEW: the trigger customer_unfolded may have run before.
  INSERT INTO "customer_words" ("rowid", "words")
  SELECT "id", "name_words" || "address_words" || ' §' || "age" || ' §' || ("age" / 10) || 'x'
  FROM "customer" WHERE "id" = NEW."id" AND "name_words" || "address_words" IS NOT NULL;
END;
CREATE TRIGGER "customer_words_removed" AFTER DELETE ON "customer" WHEN OLD."name_words" || OLD."address_words" IS NOT NULL BEGIN
  DELETE FROM "customer_words" WHERE "rowid" = OLD."id";
END;

-- The writer does not know the columns, or changed accents or case alone: the service folds the customer again.
CREATE TRIGGER "customer_unfolded" AFTER UPDATE OF "name", "address" ON "customer"
  WHEN (NEW."name" <> OLD."name" AND NEW."name_words" IS OLD."name_words")
    OR (NEW."address" <> OLD."address" AND NEW."address_words" IS OLD."address_words") BEGIN
  UPDATE "customer" SET "name_words" = NULL WHERE "id" = NEW."id";
END;

-- The previous release reads its own tables until it is removed, and again after a rollback. Its queue has one entry for
-- each customer at most. A later release drops these tables.
DROP TRIGGER "customer_added";
DROP TRIGGER "customer_changed";
DROP TRIGGER "customer_removed";
CREATE TRIGGER "customer_added" AFTER INSERT ON "customer" BEGIN
  INSERT INTO "unlisted" ("seq", "customer_id") VALUES (-NEW."id", NEW."id") ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER "customer_changed" AFTER UPDATE OF "name", "address", "age", "updated_at" ON "customer" BEGIN
  INSERT INTO "unlisted" ("seq", "customer_id") VALUES (-NEW."id", NEW."id") ON CONFLICT DO NOTHING;
END;
-- Nothing else would remove what these tables have of a deleted customer.
CREATE TRIGGER "customer_removed" AFTER DELETE ON "customer" BEGIN
  DELETE FROM "listed_word" WHERE "customer_id" = OLD."id" AND "word" IN (
    SELECT "value" FROM "listed_customer", json_each('["' || replace(ltrim("words"), ' ', '","') || '"]') WHERE "listed_customer"."id" = OLD."id"
  );
  DELETE FROM "listed_customer" WHERE "id" = OLD."id";
  INSERT INTO "unlisted" ("seq", "customer_id") VALUES (-OLD."id", OLD."id") ON CONFLICT DO NOTHING;
END;
