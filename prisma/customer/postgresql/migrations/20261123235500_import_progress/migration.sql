-- CreateTable
CREATE TABLE "import_progress" (
    "hash" TEXT NOT NULL,
    "done" INTEGER NOT NULL,
    "digest" TEXT NOT NULL,
    "registered" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "errors" TEXT NOT NULL,
    "finished_at" TIMESTAMP(3),
    "expires_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "import_progress_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE INDEX "import_progress_expires_at_idx" ON "import_progress"("expires_at");
