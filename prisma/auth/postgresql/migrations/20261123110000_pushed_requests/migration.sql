-- Whether a client must push its authorization requests.
ALTER TABLE "client" ADD COLUMN "require_pushed_authorization_requests" BOOLEAN NOT NULL DEFAULT false;
