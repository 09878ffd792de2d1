-- AlterTable
ALTER TABLE "session" ADD COLUMN "user_agent" TEXT;

-- AlterTable
ALTER TABLE "session" ADD COLUMN "last_seen_at" DATETIME;

-- CreateIndex: the list of apps seeks from one app and scope to the next, and reads those grants that end last.
CREATE INDEX "access_grant_user_id_client_id_epoch_scope_created_at_idx" ON "access_grant"("user_id", "client_id", "epoch", "scope", "created_at");

-- CreateIndex
CREATE INDEX "access_grant_user_id_client_id_epoch_expires_at_idx" ON "access_grant"("user_id", "client_id", "epoch", "expires_at");

-- DropIndex: both begin like those above.
DROP INDEX "access_grant_user_id_idx";

-- DropIndex
DROP INDEX "access_grant_user_id_client_id_idx";
