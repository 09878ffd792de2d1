-- Who registered a client, what it manages its registration with, and when it was last used.
ALTER TABLE "client" ADD COLUMN "registered_by" TEXT NOT NULL DEFAULT 'operator';
ALTER TABLE "client" ADD COLUMN "registration_hash" TEXT;
ALTER TABLE "client" ADD COLUMN "used_at" DATETIME;

-- Tokens that let apps register themselves.
CREATE TABLE "registration_token" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "hash" TEXT NOT NULL,
    "uses_left" INTEGER NOT NULL,
    "grant_types" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL,
    "expires_at" DATETIME NOT NULL
);
CREATE UNIQUE INDEX "registration_token_hash_key" ON "registration_token"("hash");
CREATE INDEX "registration_token_expires_at_idx" ON "registration_token"("expires_at");
