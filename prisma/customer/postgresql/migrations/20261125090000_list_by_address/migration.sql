-- The sort key of addresses: their first words, since an index takes no long texts. PostgreSQL would write the table again for a
-- generated column.
CREATE INDEX "customer_address_key_id_idx" ON "customer"(substr("address_words", 1, 64), "id");
