-- AlterTable
ALTER TABLE "client" ADD COLUMN "implicit_deprecated_at" DATETIME;
ALTER TABLE "client" ADD COLUMN "implicit_until" DATETIME;

-- CreateTable
CREATE TABLE "implicit_use" (
    "client_id" TEXT NOT NULL,
    "week" TEXT NOT NULL,
    "uses" INTEGER NOT NULL,
    "first_at" DATETIME NOT NULL,
    "last_at" DATETIME NOT NULL,

    PRIMARY KEY ("client_id", "week")
);
