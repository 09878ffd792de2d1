-- AlterTable
ALTER TABLE "client" ADD COLUMN "grant_types" TEXT NOT NULL DEFAULT '';
ALTER TABLE "client" ADD COLUMN "jwks" TEXT;
ALTER TABLE "client" ADD COLUMN "native" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "client" ADD COLUMN "token_endpoint_auth_method" TEXT NOT NULL DEFAULT 'none';

-- CreateTable
CREATE TABLE "client_secret" (
    "client_id" TEXT NOT NULL,
    "slot" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,

    PRIMARY KEY ("client_id", "slot"),
    CONSTRAINT "client_secret_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "authorization_code" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "grant_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "callback_named" BOOLEAN NOT NULL,
    "code_challenge" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "auth_time" DATETIME NOT NULL,
    "created_at" DATETIME NOT NULL,
    "expires_at" DATETIME NOT NULL,
    "spent_at" DATETIME,
    CONSTRAINT "authorization_code_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "refresh_token" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "parent_hash" TEXT,
    "grant_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "auth_time" DATETIME NOT NULL,
    "created_at" DATETIME NOT NULL,
    "expires_at" DATETIME NOT NULL,
    "ends_at" DATETIME NOT NULL,
    CONSTRAINT "refresh_token_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "revocation" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "revoked_at" DATETIME NOT NULL,
    "ends_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "client_assertion" (
    "id_hash" TEXT NOT NULL PRIMARY KEY,
    "expires_at" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "authorization_code_expires_at_idx" ON "authorization_code"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "refresh_token_parent_hash_key" ON "refresh_token"("parent_hash");

-- CreateIndex
CREATE INDEX "refresh_token_grant_id_idx" ON "refresh_token"("grant_id");

-- CreateIndex
CREATE INDEX "refresh_token_expires_at_idx" ON "refresh_token"("expires_at");

-- CreateIndex
CREATE INDEX "revocation_revoked_at_idx" ON "revocation"("revoked_at");

-- CreateIndex
CREATE INDEX "revocation_ends_at_idx" ON "revocation"("ends_at");

-- CreateIndex
CREATE INDEX "client_assertion_expires_at_idx" ON "client_assertion"("expires_at");
