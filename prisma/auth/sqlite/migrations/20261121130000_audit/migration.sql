-- CreateTable
CREATE TABLE "audit" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "at" DATETIME NOT NULL,
    "event" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "user_id" TEXT,
    "client_id" TEXT,
    "source" TEXT,
    "request_id" TEXT,
    "details" TEXT NOT NULL
);

-- CreateIndex
CREATE INDEX "audit_event_id_idx" ON "audit"("event", "id");

-- CreateIndex
CREATE INDEX "audit_user_id_id_idx" ON "audit"("user_id", "id");

-- CreateIndex
CREATE INDEX "audit_client_id_id_idx" ON "audit"("client_id", "id");

-- CreateIndex
CREATE INDEX "audit_request_id_idx" ON "audit"("request_id");
