-- Requests of devices, with their codes.
CREATE TABLE "device_code" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "user_code_hash" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "poll_interval" INTEGER NOT NULL,
    "created_at" DATETIME NOT NULL,
    "expires_at" DATETIME NOT NULL,
    "polled_at" DATETIME,
    "denied_at" DATETIME,
    "grant_id" TEXT,
    "user_id" TEXT,
    "auth_time" DATETIME,
    "spent_at" DATETIME,
    CONSTRAINT "device_code_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "device_code_user_code_hash_key" ON "device_code"("user_code_hash");
CREATE INDEX "device_code_expires_at_idx" ON "device_code"("expires_at");
