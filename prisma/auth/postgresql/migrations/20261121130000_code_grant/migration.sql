-- AlterTable
ALTER TABLE "client" ADD COLUMN "grant_types" TEXT NOT NULL DEFAULT '',
ADD COLUMN "jwks" TEXT,
ADD COLUMN "native" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "token_endpoint_auth_method" TEXT NOT NULL DEFAULT 'none';

-- CreateTable
CREATE TABLE "client_secret" (
    "client_id" TEXT NOT NULL,
    "slot" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "client_secret_pkey" PRIMARY KEY ("client_id","slot")
);

-- CreateTable
CREATE TABLE "authorization_code" (
    "hash" TEXT NOT NULL,
    "grant_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "callback_named" BOOLEAN NOT NULL,
    "code_challenge" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "auth_time" TIMESTAMP(3) NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,
    "spent_at" TIMESTAMP(3),

    CONSTRAINT "authorization_code_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "refresh_token" (
    "hash" TEXT NOT NULL,
    "parent_hash" TEXT,
    "grant_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "auth_time" TIMESTAMP(3) NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,
    "ends_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "refresh_token_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "revocation" (
    "id" TEXT NOT NULL,
    "revoked_at" TIMESTAMP(3) NOT NULL,
    "ends_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "revocation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "client_assertion" (
    "id_hash" TEXT NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "client_assertion_pkey" PRIMARY KEY ("id_hash")
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

-- AddForeignKey
ALTER TABLE "client_secret" ADD CONSTRAINT "client_secret_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "authorization_code" ADD CONSTRAINT "authorization_code_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "refresh_token" ADD CONSTRAINT "refresh_token_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE;
