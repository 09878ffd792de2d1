-- AlterTable
ALTER TABLE "refresh_token" ADD COLUMN "family_hash" TEXT;

-- CreateIndex
CREATE INDEX "refresh_token_family_hash_idx" ON "refresh_token"("family_hash");

-- AlterTable
ALTER TABLE "client" ADD COLUMN "pkce" TEXT NOT NULL DEFAULT 'required';

-- AlterTable
ALTER TABLE "client" ADD COLUMN "without_pkce_at" TIMESTAMP(3);
