-- The nonce of an ID token.
ALTER TABLE "authorization_code" ADD COLUMN "nonce" TEXT;

-- What signs the ID tokens of a client.
ALTER TABLE "client" ADD COLUMN "id_token_signed_response_alg" TEXT NOT NULL DEFAULT 'RS256';

-- Keys that sign ID tokens.
CREATE TABLE "id_token_key" (
    "kid" TEXT NOT NULL PRIMARY KEY,
    "alg" TEXT NOT NULL,
    "generation" INTEGER NOT NULL,
    "public_jwk" TEXT NOT NULL,
    "private_jwe" TEXT NOT NULL,
    "created_at" DATETIME NOT NULL,
    "signs_from" DATETIME NOT NULL,
    "retired_at" DATETIME
);
CREATE UNIQUE INDEX "id_token_key_alg_generation_key" ON "id_token_key"("alg", "generation");

-- Where a client may have the browser sent after sign-out.
CREATE TABLE "client_post_logout_uri" (
    "client_id" TEXT NOT NULL,
    "uri" TEXT NOT NULL,

    PRIMARY KEY ("client_id", "uri"),
    CONSTRAINT "client_post_logout_uri_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Before, these scopes had no effect, as the consent page said: nothing was allowed by them.
DELETE FROM "consent" WHERE "scope" IN ('openid', 'profile', 'email', 'offline_access');
UPDATE "refresh_token" SET "scope" =
  REPLACE(TRIM(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(' ' || "scope" || ' ', ' ', '  '), ' openid ', ''), ' profile ', ''), ' email ', ''), ' offline_access ', '')), '  ', ' ')
  WHERE ' ' || "scope" || ' ' LIKE '% openid %' OR ' ' || "scope" || ' ' LIKE '% profile %'
    OR ' ' || "scope" || ' ' LIKE '% email %' OR ' ' || "scope" || ' ' LIKE '% offline_access %';
UPDATE "authorization_code" SET "scope" =
  REPLACE(TRIM(REPLACE(REPLACE(REPLACE(REPLACE(REPLACE(' ' || "scope" || ' ', ' ', '  '), ' openid ', ''), ' profile ', ''), ' email ', ''), ' offline_access ', '')), '  ', ' ')
  WHERE ' ' || "scope" || ' ' LIKE '% openid %' OR ' ' || "scope" || ' ' LIKE '% profile %'
    OR ' ' || "scope" || ' ' LIKE '% email %' OR ' ' || "scope" || ' ' LIKE '% offline_access %';
