-- CreateTable
CREATE TABLE "import_progress" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "done" INTEGER NOT NULL,
    "digest" TEXT NOT NULL,
    "registered" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "errors" TEXT NOT NULL,
    "finished_at" DATETIME,
    "expires_at" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "import_progress_expires_at_idx" ON "import_progress"("expires_at");
