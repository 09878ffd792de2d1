-- What signs the answers of /userinfo to a client.
ALTER TABLE "client" ADD COLUMN "userinfo_signed_response_alg" TEXT;

-- Whose clients get the same pairwise sub of a person.
ALTER TABLE "client" ADD COLUMN "sector_identifier" TEXT;

-- The secrets that pairwise subs are made with.
CREATE TABLE "sector" (
    "identifier" TEXT NOT NULL PRIMARY KEY,
    "salt" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL
);

-- Before, these scopes had no effect, as the consent page said: nothing was allowed by them.
DELETE FROM "consent" WHERE "scope" LIKE 'userinfo:%' OR "scope" LIKE 'id!_token:%' ESCAPE '!';
