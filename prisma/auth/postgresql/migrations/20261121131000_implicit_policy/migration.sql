-- AlterTable
ALTER TABLE "client" ADD COLUMN "implicit_deprecated_at" TIMESTAMP(3),
ADD COLUMN "implicit_until" TIMESTAMP(3);

-- CreateTable
CREATE TABLE "implicit_use" (
    "client_id" TEXT NOT NULL,
    "week" TEXT NOT NULL,
    "uses" INTEGER NOT NULL,
    "first_at" TIMESTAMP(3) NOT NULL,
    "last_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "implicit_use_pkey" PRIMARY KEY ("client_id", "week")
);
