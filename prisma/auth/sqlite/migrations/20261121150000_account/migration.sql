-- CreateIndex
CREATE INDEX "access_grant_user_id_idx" ON "access_grant"("user_id");
