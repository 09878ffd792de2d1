-- Where a client gets logout tokens.
ALTER TABLE "client" ADD COLUMN "backchannel_logout_uri" TEXT;
ALTER TABLE "client" ADD COLUMN "backchannel_logout_session_required" BOOLEAN NOT NULL DEFAULT false;

-- The session of ID tokens.
ALTER TABLE "session" ADD COLUMN "sid" TEXT;
ALTER TABLE "authorization_code" ADD COLUMN "sid" TEXT;
ALTER TABLE "refresh_token" ADD COLUMN "sid" TEXT;

-- Sessions at clients that get logout tokens.
CREATE TABLE "client_session" (
    "sid" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "user_id" TEXT NOT NULL,
    "ends_at" TIMESTAMP(3) NOT NULL,
    "due_at" TIMESTAMP(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "client_session_pkey" PRIMARY KEY ("sid", "client_id", "epoch"),
    CONSTRAINT "client_session_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "client_session_user_id_client_id_idx" ON "client_session"("user_id", "client_id");
CREATE INDEX "client_session_client_id_due_at_idx" ON "client_session"("client_id", "due_at");
CREATE INDEX "client_session_ends_at_idx" ON "client_session"("ends_at");

-- Which ends of access are still to be told to clients.
ALTER TABLE "access_epoch" ADD COLUMN "ended_at" TIMESTAMP(3);
CREATE INDEX "access_epoch_ended_at_idx" ON "access_epoch"("ended_at");
