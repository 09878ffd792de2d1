-- AlterTable
ALTER TABLE "user_account" ADD COLUMN "name" TEXT;

-- AlterTable
ALTER TABLE "user_account" ADD COLUMN "given_name" TEXT;

-- AlterTable
ALTER TABLE "user_account" ADD COLUMN "family_name" TEXT;

-- AlterTable
ALTER TABLE "user_account" ADD COLUMN "email" TEXT;

-- AlterTable
ALTER TABLE "user_account" ADD COLUMN "email_verified" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "user_account" ADD COLUMN "locale" TEXT;

-- AlterTable
ALTER TABLE "user_account" ADD COLUMN "picture" TEXT;
