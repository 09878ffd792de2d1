CREATE INDEX "client_callback_uri_idx" ON "client_callback"("uri");
