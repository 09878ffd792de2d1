-- AlterTable
ALTER TABLE "signing_key" ADD COLUMN "signs_from" DATETIME;
ALTER TABLE "signing_key" ADD COLUMN "retired_at" DATETIME;

-- CreateTable
CREATE TABLE "lease" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "holder" TEXT NOT NULL,
    "ends_at" DATETIME NOT NULL
);
