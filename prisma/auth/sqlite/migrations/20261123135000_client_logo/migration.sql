-- Logos of apps, apart from what every request reads of a client.
CREATE TABLE "client_logo" (
    "client_id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "content" TEXT NOT NULL,

    CONSTRAINT "client_logo_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "client_logo_name_idx" ON "client_logo"("name");
