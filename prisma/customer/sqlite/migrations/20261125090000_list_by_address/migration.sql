-- The sort key of addresses: their first words. A column that is not stored, since SQLite searches no index on an expression for a
-- position of key and identifier.
ALTER TABLE "customer" ADD COLUMN "address_key" TEXT GENERATED ALWAYS AS (substr("address_words", 1, 64)) VIRTUAL;

-- CreateIndex
CREATE INDEX "customer_address_key_id_idx" ON "customer"("address_key", "id");
