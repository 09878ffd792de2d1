-- CreateTable
CREATE TABLE "customer" (
    "id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "age" INTEGER NOT NULL,
    "address" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMP(3) NOT NULL,
    -- What lists are sorted and searched by. NULL until the service has folded a customer that other programs wrote.
    -- COLLATE "C": in the order of SQLite.
    "name_fold" TEXT COLLATE "C",
    "name_words" TEXT COLLATE "C",
    "address_words" TEXT COLLATE "C",

    CONSTRAINT "customer_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "customer_name_key_idx" ON "customer"("name_key");
CREATE INDEX "customer_name_fold_id_idx" ON "customer"("name_fold", "id");
-- The sort key of addresses: their first words, since an index takes no long texts.
CREATE INDEX "customer_address_key_id_idx" ON "customer"(substr("address_words", 1, 64), "id");
CREATE INDEX "customer_updated_at_id_idx" ON "customer"("updated_at", "id");
CREATE INDEX "customer_age_id_idx" ON "customer"("age", "id");
CREATE INDEX "customer_unfolded_idx" ON "customer"("id") WHERE "name_words" || "address_words" IS NULL;

-- The beginnings of a customer's words, and its age and decade, or §n if the age is negative: so the beginning of a word is one
-- term, which the index finds at once; otherwise it would read each word that begins so. The cost keeps the planner from reading
-- the table instead of the index.
CREATE FUNCTION "customer_words" ("name_words" TEXT, "address_words" TEXT, "age" INTEGER) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE STRICT COST 1000 AS $$
DECLARE
  word TEXT;
  terms TEXT = CASE WHEN age < 0 THEN '§n' ELSE '§' || age || ' §' || (age / 10) || 'x' END;
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

-- Another program changed a customer, or the service changed accents or case alone: the service folds the customer again.
CREATE FUNCTION "customer_unfolded" () RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."name_words" = NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER "customer_unfolded" BEFORE UPDATE ON "customer" FOR EACH ROW
  WHEN ((NEW."name" <> OLD."name" AND NEW."name_words" IS NOT DISTINCT FROM OLD."name_words")
    OR (NEW."address" <> OLD."address" AND NEW."address_words" IS NOT DISTINCT FROM OLD."address_words"))
  EXECUTE FUNCTION "customer_unfolded" ();

-- Each change of a customer, written in the same transaction: the history, and the outbox of the change feed.
CREATE TABLE "customer_change" (
    "seq" BIGSERIAL NOT NULL,
    "position" BIGINT,
    "customer_id" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "sub" TEXT,
    "client_id" TEXT,
    "request_id" TEXT,
    "operation_id" TEXT,
    "successor" INTEGER,
    "fields" TEXT NOT NULL,
    "before" TEXT,
    "after" TEXT,

    CONSTRAINT "customer_change_pkey" PRIMARY KEY ("seq")
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
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "sub" TEXT,
    "client_id" TEXT,
    "request_id" TEXT,
    "customers" INTEGER NOT NULL,
    "undoes" TEXT,
    "undoes_client_id" TEXT,
    "undoes_since" TIMESTAMP(3),
    "undone" TEXT,
    "is_whole" BOOLEAN NOT NULL,

    CONSTRAINT "operation_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "operation_at_id_idx" ON "operation"("at", "id");

-- How far the change feed has come: one row, from the first read or removal on.
CREATE TABLE "feed_position" (
    "id" INTEGER NOT NULL,
    "last" BIGINT NOT NULL,
    "removed" BIGINT NOT NULL,

    CONSTRAINT "feed_position_pkey" PRIMARY KEY ("id")
);

-- The runs that assigned positions, each with a random mark: after a restore, other runs assign the same positions.
CREATE TABLE "feed_run" (
    "last" BIGINT NOT NULL,
    "mark" TEXT NOT NULL,

    CONSTRAINT "feed_run_pkey" PRIMARY KEY ("last")
);

-- CreateTable
CREATE TABLE "webhook" (
    "id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "mark" TEXT NOT NULL,
    "disabled_reason" TEXT,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failure" TEXT,
    "next_attempt" TIMESTAMP(3) NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "webhook_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_dead_letter" (
    "webhook_id" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "reason" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "webhook_dead_letter_pkey" PRIMARY KEY ("webhook_id","position")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "hash" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "customer_id" INTEGER NOT NULL,
    "version" INTEGER,
    "created_at" TIMESTAMP(3) NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("hash")
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
    "expires_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "dismissed_pair_pkey" PRIMARY KEY ("lower_id", "higher_id")
);
-- Erasing a customer finds its pairs.
CREATE INDEX "dismissed_pair_higher_id_idx" ON "dismissed_pair"("higher_id");
CREATE INDEX "dismissed_pair_expires_at_idx" ON "dismissed_pair"("expires_at");

-- CreateTable
CREATE TABLE "import_progress" (
    "hash" TEXT NOT NULL,
    "done" INTEGER NOT NULL,
    "digest" TEXT NOT NULL,
    "operation_id" TEXT NOT NULL,
    "registered" INTEGER NOT NULL,
    "updated" INTEGER NOT NULL,
    "unchanged" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "errors" TEXT NOT NULL,
    "finished_at" TIMESTAMP(3),
    "expires_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "import_progress_pkey" PRIMARY KEY ("hash")
);
CREATE INDEX "import_progress_expires_at_idx" ON "import_progress"("expires_at");

-- CreateTable
CREATE TABLE "dpop_proof" (
    "hash" TEXT NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "dpop_proof_pkey" PRIMARY KEY ("hash")
);
CREATE INDEX "dpop_proof_expires_at_idx" ON "dpop_proof"("expires_at");

-- CreateTable
CREATE TABLE "dpop_nonce_key" (
    "id" INTEGER NOT NULL,
    "secret" TEXT NOT NULL,

    CONSTRAINT "dpop_nonce_key_pkey" PRIMARY KEY ("id")
);

-- Counters of requests. Unlogged: counting waits for no disk, and after a crash it begins again.
CREATE UNLOGGED TABLE "throttle" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "expire" TIMESTAMP(3),

    CONSTRAINT "throttle_pkey" PRIMARY KEY ("key")
);
CREATE INDEX "throttle_expire_idx" ON "throttle"("expire");

-- CreateTable
CREATE TABLE "lease" (
    "name" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "taken_at" TIMESTAMP(3) NOT NULL,
    "ends_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "lease_pkey" PRIMARY KEY ("name")
);
