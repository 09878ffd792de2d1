-- Whether the access tokens of a client must be bound to a key.
ALTER TABLE "client" ADD COLUMN "dpop_bound_access_tokens" BOOLEAN NOT NULL DEFAULT false;

-- The keys that codes and refresh tokens are bound to.
ALTER TABLE "authorization_code" ADD COLUMN "dpop_jkt" TEXT;
ALTER TABLE "refresh_token" ADD COLUMN "dpop_jkt" TEXT;
