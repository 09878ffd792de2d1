-- The rules that hold for a client in addition.
ALTER TABLE "client" ADD COLUMN "profile" TEXT;
