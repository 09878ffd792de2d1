-- Requests of devices, with their codes.
CREATE TABLE "device_code" (
    "hash" TEXT NOT NULL,
    "user_code_hash" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "poll_interval" INTEGER NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,
    "polled_at" TIMESTAMP(3),
    "denied_at" TIMESTAMP(3),
    "grant_id" TEXT,
    "user_id" TEXT,
    "auth_time" TIMESTAMP(3),
    "spent_at" TIMESTAMP(3),

    CONSTRAINT "device_code_pkey" PRIMARY KEY ("hash"),
    CONSTRAINT "device_code_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "device_code_user_code_hash_key" ON "device_code"("user_code_hash");
CREATE INDEX "device_code_expires_at_idx" ON "device_code"("expires_at");
