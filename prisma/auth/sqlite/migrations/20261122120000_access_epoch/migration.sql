-- CreateTable
CREATE TABLE "access_epoch" (
    "user_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "not_before" DATETIME NOT NULL,

    PRIMARY KEY ("user_id", "client_id")
);

-- AlterTable
ALTER TABLE "session" ADD COLUMN "epoch" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "consent" ADD COLUMN "epoch" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "access_grant" ADD COLUMN "epoch" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "access_grant" ADD COLUMN "revoked_at" DATETIME;
ALTER TABLE "access_grant" ADD COLUMN "is_silent" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "revocation" ADD COLUMN "not_before" DATETIME;

-- CreateIndex
CREATE INDEX "access_grant_user_id_client_id_idx" ON "access_grant"("user_id", "client_id");

-- What is revoked stays so after its row in "revocation" is removed.
UPDATE "access_grant" SET "revoked_at" = (SELECT "revocation"."revoked_at" FROM "revocation" WHERE "revocation"."id" = "access_grant"."id")
WHERE "id" IN (SELECT "id" FROM "revocation");

-- What people and clients held that are disabled does not come back when they are enabled.
INSERT INTO "access_epoch" ("user_id", "client_id", "epoch", "not_before")
SELECT "id", '', 1, strftime('%Y-%m-%dT%H:%M:%S.000+00:00', 'now') FROM "user_account" WHERE "disabled_at" IS NOT NULL
UNION ALL SELECT '', "id", 1, strftime('%Y-%m-%dT%H:%M:%S.000+00:00', 'now') FROM "client" WHERE "disabled_at" IS NOT NULL;
