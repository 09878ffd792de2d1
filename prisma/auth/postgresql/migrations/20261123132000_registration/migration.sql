-- Who registered a client, what it manages its registration with, and when it was last used.
ALTER TABLE "client" ADD COLUMN "registered_by" TEXT NOT NULL DEFAULT 'operator';
ALTER TABLE "client" ADD COLUMN "registration_hash" TEXT;
ALTER TABLE "client" ADD COLUMN "used_at" TIMESTAMP(3);

-- Tokens that let apps register themselves.
CREATE TABLE "registration_token" (
    "id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "uses_left" INTEGER NOT NULL,
    "grant_types" TEXT NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "registration_token_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "registration_token_hash_key" ON "registration_token"("hash");
CREATE INDEX "registration_token_expires_at_idx" ON "registration_token"("expires_at");
