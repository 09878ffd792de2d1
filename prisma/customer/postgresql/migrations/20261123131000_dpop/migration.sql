-- DPoP proofs that were used.
CREATE TABLE "dpop_proof" (
    "hash" TEXT NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "dpop_proof_pkey" PRIMARY KEY ("hash")
);
CREATE INDEX "dpop_proof_expires_at_idx" ON "dpop_proof"("expires_at");

-- What all replicas make the nonces of DPoP proofs with.
CREATE TABLE "dpop_nonce_key" (
    "id" INTEGER NOT NULL,
    "secret" TEXT NOT NULL,

    CONSTRAINT "dpop_nonce_key_pkey" PRIMARY KEY ("id")
);
