-- CreateTable
CREATE TABLE "consent" (
    "user_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "allowed_at" DATETIME NOT NULL,

    PRIMARY KEY ("user_id", "client_id", "audience", "scope"),
    CONSTRAINT "consent_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "consent_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
