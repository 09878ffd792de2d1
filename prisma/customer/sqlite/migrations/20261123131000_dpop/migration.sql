-- DPoP proofs that were used.
CREATE TABLE "dpop_proof" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "expires_at" DATETIME NOT NULL
);
CREATE INDEX "dpop_proof_expires_at_idx" ON "dpop_proof"("expires_at");

-- What all replicas make the nonces of DPoP proofs with.
CREATE TABLE "dpop_nonce_key" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "secret" TEXT NOT NULL
);
