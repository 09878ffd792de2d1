-- CreateTable
CREATE TABLE "idempotency_key" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "fingerprint" TEXT NOT NULL,
    "customer_id" INTEGER NOT NULL,
    "version" INTEGER,
    "created_at" DATETIME NOT NULL,
    "expires_at" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "lease" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "holder" TEXT NOT NULL,
    "taken_at" DATETIME NOT NULL,
    "ends_at" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "idempotency_key_expires_at_idx" ON "idempotency_key"("expires_at");
