-- AlterTable
ALTER TABLE "signing_key" ADD COLUMN "retired_at" TIMESTAMP(3),
ADD COLUMN "signs_from" TIMESTAMP(3);

-- CreateTable
CREATE TABLE "lease" (
    "name" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "ends_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "lease_pkey" PRIMARY KEY ("name")
);
