-- CreateTable
CREATE TABLE "customer" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "age" INTEGER NOT NULL,
    "address" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" DATETIME NOT NULL,
    -- What lists are sorted and searched by. NULL until the service has folded a customer that other programs wrote.
    "name_fold" TEXT,
    "name_words" TEXT,
    "address_words" TEXT,
    -- The sort key of addresses: their first words. A column that is not stored, since SQLite searches no index on an expression
    -- for a position of key and identifier.
    "address_key" TEXT GENERATED ALWAYS AS (substr("address_words", 1, 64)) VIRTUAL
);

-- CreateIndex
CREATE INDEX "customer_name_key_idx" ON "customer"("name_key");
CREATE INDEX "customer_name_fold_id_idx" ON "customer"("name_fold", "id");
CREATE INDEX "customer_address_key_id_idx" ON "customer"("address_key", "id");
CREATE INDEX "customer_updated_at_id_idx" ON "customer"("updated_at", "id");
CREATE INDEX "customer_age_id_idx" ON "customer"("age", "id");
CREATE INDEX "customer_unfolded_idx" ON "customer"("id") WHERE "name_words" || "address_words" IS NULL;

-- The words of each customer, and its age and decade as words; a negative age is §n. The beginnings of words are terms of their
-- own: otherwise a common one would read each word that begins so.
CREATE VIRTUAL TABLE "customer_words" USING fts5 (
    "words", content='', contentless_delete=1, detail=none, prefix='1 2 3 4 5 6 7 8 12', tokenize='ascii'
);
-- Entries of removed words go when the segments that hold them are merged for other reasons. By default a tenth of such entries
-- starts a merge, in which all requests wait for some 300 ms among 50,000 customers, and longer among more.
INSERT INTO "customer_words" ("customer_words", "rank") VALUES ('deletemerge', 0);
CREATE TRIGGER "customer_words_added" AFTER INSERT ON "customer" WHEN NEW."name_words" || NEW."address_words" IS NOT NULL BEGIN
  INSERT INTO "customer_words" ("rowid", "words")
  VALUES (NEW."id", NEW."name_words" || NEW."address_words" || CASE WHEN NEW."age" < 0 THEN ' §n' ELSE ' §' || NEW."age" || ' §' || (NEW."age" / 10) || 'x' END);
END;
CREATE TRIGGER "customer_words_changed" AFTER UPDATE OF "id", "name_words", "address_words", "age" ON "customer"
  WHEN NEW."id" <> OLD."id" OR NEW."name_words" IS NOT OLD."name_words" OR NEW."address_words" IS NOT OLD."address_words" OR NEW."age" <> OLD."age" BEGIN
  DELETE FROM "customer_words" WHERE "rowid" = OLD."id" AND OLD."name_words" || OLD."address_words" IS NOT NULL;
  -- Not NEW: the trigger customer_unfolded may have run before.
  INSERT INTO "customer_words" ("rowid", "words")
  SELECT "id", "name_words" || "address_words" || CASE WHEN "age" < 0 THEN ' §n' ELSE ' §' || "age" || ' §' || ("age" / 10) || 'x' END
  FROM "customer" WHERE "id" = NEW."id" AND "name_words" || "address_words" IS NOT NULL;
END;
CREATE TRIGGER "customer_words_removed" AFTER DELETE ON "customer" WHEN OLD."name_words" || OLD."address_words" IS NOT NULL BEGIN
  DELETE FROM "customer_words" WHERE "rowid" = OLD."id";
END;

-- Another program changed a customer, or the service changed accents or case alone: the service folds the customer again.
CREATE TRIGGER "customer_unfolded" AFTER UPDATE OF "name", "address" ON "customer"
  WHEN (NEW."name" <> OLD."name" AND NEW."name_words" IS OLD."name_words")
    OR (NEW."address" <> OLD."address" AND NEW."address_words" IS OLD."address_words") BEGIN
  UPDATE "customer" SET "name_words" = NULL WHERE "id" = NEW."id";
END;

-- Each change of a customer, written in the same transaction: the history, and the outbox of the change feed.
CREATE TABLE "customer_change" (
    -- AUTOINCREMENT: a number that was used is not used again, even after its row was removed.
    "seq" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "position" INTEGER,
    "customer_id" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    "sub" TEXT,
    "client_id" TEXT,
    "request_id" TEXT,
    "operation_id" TEXT,
    "successor" INTEGER,
    "fields" TEXT NOT NULL,
    "before" TEXT,
    "after" TEXT
);
CREATE INDEX "customer_change_customer_id_seq_idx" ON "customer_change"("customer_id", "seq");
-- Partial: a new row is in one index of each pair only.
CREATE UNIQUE INDEX "customer_change_position_key" ON "customer_change"("position") WHERE "position" IS NOT NULL;
CREATE INDEX "customer_change_pending_idx" ON "customer_change"("seq") WHERE "position" IS NULL;
-- Partial: single changes, which have no operation, pay nothing.
CREATE INDEX "customer_change_operation_id_seq_idx" ON "customer_change"("operation_id", "seq") WHERE "operation_id" IS NOT NULL;
-- Partial: only merges have one.
CREATE INDEX "customer_change_successor_idx" ON "customer_change"("successor") WHERE "successor" IS NOT NULL;
CREATE INDEX "customer_change_with_values_idx" ON "customer_change"("at") WHERE COALESCE("before", "after") IS NOT NULL;
CREATE INDEX "customer_change_without_values_idx" ON "customer_change"("at") WHERE COALESCE("before", "after") IS NULL;
-- The removed customers that can be restored.
CREATE INDEX "customer_change_removed_idx" ON "customer_change"("seq") WHERE "kind" = 'removed' AND "before" IS NOT NULL;

-- Many changes by one caller, such as an import, which can be undone together.
CREATE TABLE "operation" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    "sub" TEXT,
    "client_id" TEXT,
    "request_id" TEXT,
    "customers" INTEGER NOT NULL,
    "undoes" TEXT,
    "undoes_client_id" TEXT,
    "undoes_since" DATETIME,
    "undone" TEXT,
    "is_whole" BOOLEAN NOT NULL
);
CREATE INDEX "operation_at_id_idx" ON "operation"("at", "id");

-- How far the change feed has come: one row, from the first read or removal on.
CREATE TABLE "feed_position" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "last" INTEGER NOT NULL,
    "removed" INTEGER NOT NULL
);

-- The runs that assigned positions, each with a random mark: after a restore, other runs assign the same positions.
CREATE TABLE "feed_run" (
    "last" INTEGER NOT NULL PRIMARY KEY,
    "mark" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "webhook" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "url" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "mark" TEXT NOT NULL,
    "disabled_reason" TEXT,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failure" TEXT,
    "next_attempt" DATETIME NOT NULL,
    "created_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "webhook_dead_letter" (
    "webhook_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "at" DATETIME NOT NULL,

    PRIMARY KEY ("webhook_id", "position")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "fingerprint" TEXT NOT NULL,
    "customer_id" INTEGER NOT NULL,
    "version" INTEGER,
    "created_at" DATETIME NOT NULL,
    "expires_at" DATETIME NOT NULL
);
CREATE INDEX "idempotency_key_expires_at_idx" ON "idempotency_key"("expires_at");
-- Erasing a customer finds the stored answers that name it.
CREATE INDEX "idempotency_key_customer_id_idx" ON "idempotency_key"("customer_id");

-- Two customers that someone found to be different people.
CREATE TABLE "dismissed_pair" (
    "lower_id" INTEGER NOT NULL,
    "higher_id" INTEGER NOT NULL,
    "lower_version" INTEGER NOT NULL,
    "higher_version" INTEGER NOT NULL,
    "expires_at" DATETIME NOT NULL,

    PRIMARY KEY ("lower_id", "higher_id")
);
-- Erasing a customer finds its pairs.
CREATE INDEX "dismissed_pair_higher_id_idx" ON "dismissed_pair"("higher_id");
CREATE INDEX "dismissed_pair_expires_at_idx" ON "dismissed_pair"("expires_at");

-- CreateTable
CREATE TABLE "import_progress" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "done" INTEGER NOT NULL,
    "digest" TEXT NOT NULL,
    "operation_id" TEXT NOT NULL,
    "registered" INTEGER NOT NULL,
    "updated" INTEGER NOT NULL,
    "unchanged" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "errors" TEXT NOT NULL,
    "finished_at" DATETIME,
    "expires_at" DATETIME NOT NULL
);
CREATE INDEX "import_progress_expires_at_idx" ON "import_progress"("expires_at");

-- CreateTable
CREATE TABLE "dpop_proof" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "expires_at" DATETIME NOT NULL
);
CREATE INDEX "dpop_proof_expires_at_idx" ON "dpop_proof"("expires_at");

-- CreateTable
CREATE TABLE "dpop_nonce_key" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "secret" TEXT NOT NULL
);

-- Counters of requests. With SQLite, the process counts in its memory, and this stays empty.
CREATE TABLE "throttle" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "points" INTEGER NOT NULL,
    "expire" DATETIME
);
CREATE INDEX "throttle_expire_idx" ON "throttle"("expire");

-- CreateTable
CREATE TABLE "lease" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "holder" TEXT NOT NULL,
    "taken_at" DATETIME NOT NULL,
    "ends_at" DATETIME NOT NULL
);
