-- COLLATE "C": callbacks of an origin are a range of it.
CREATE INDEX "client_callback_uri_idx" ON "client_callback"("uri" COLLATE "C");
