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
    "fields" TEXT NOT NULL,
    "before" TEXT,
    "after" TEXT
);

CREATE INDEX "customer_change_customer_id_seq_idx" ON "customer_change"("customer_id", "seq");
-- Partial: a new row is in one index of each pair only.
CREATE UNIQUE INDEX "customer_change_position_key" ON "customer_change"("position") WHERE "position" IS NOT NULL;
CREATE INDEX "customer_change_pending_idx" ON "customer_change"("seq") WHERE "position" IS NULL;
CREATE INDEX "customer_change_with_values_idx" ON "customer_change"("at") WHERE COALESCE("before", "after") IS NOT NULL;
CREATE INDEX "customer_change_without_values_idx" ON "customer_change"("at") WHERE COALESCE("before", "after") IS NULL;

-- Erasing a customer finds the stored answers that name it.
CREATE INDEX "idempotency_key_customer_id_idx" ON "idempotency_key"("customer_id");
