-- Counters of requests. Unlogged: counting waits for no disk, and after a crash it begins again.
CREATE UNLOGGED TABLE "throttle" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "expire" TIMESTAMP(3),

    CONSTRAINT "throttle_pkey" PRIMARY KEY ("key")
);
CREATE INDEX "throttle_expire_idx" ON "throttle"("expire");
