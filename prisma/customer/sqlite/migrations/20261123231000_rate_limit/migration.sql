-- Counters of requests. With SQLite, the process counts in its memory, and this stays empty.
CREATE TABLE "throttle" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "points" INTEGER NOT NULL,
    "expire" DATETIME
);
CREATE INDEX "throttle_expire_idx" ON "throttle"("expire");
