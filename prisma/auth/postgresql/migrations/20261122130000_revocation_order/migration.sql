-- CreateIndex: the order of the revocation feed.
CREATE INDEX "revocation_revoked_at_id_idx" ON "revocation"("revoked_at", "id");

-- DropIndex: it begins like the one above.
DROP INDEX "revocation_revoked_at_idx";
