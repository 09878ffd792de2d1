-- The scopes that a client may ask for; null: any.
ALTER TABLE "client" ADD COLUMN "allowed_scope" TEXT;

-- Roles of people, and the scopes that only people with such a role may grant.
CREATE TABLE "role" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "created_at" DATETIME NOT NULL
);
CREATE TABLE "role_scope" (
    "role" TEXT NOT NULL,
    "scope" TEXT NOT NULL,

    PRIMARY KEY ("role", "scope"),
    CONSTRAINT "role_scope_role_fkey" FOREIGN KEY ("role") REFERENCES "role" ("name") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE TABLE "user_role" (
    "user_id" TEXT NOT NULL,
    "role" TEXT NOT NULL,

    PRIMARY KEY ("user_id", "role"),
    CONSTRAINT "user_role_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "user_role_role_fkey" FOREIGN KEY ("role") REFERENCES "role" ("name") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "user_role_role_idx" ON "user_role"("role");
