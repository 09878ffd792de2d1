-- How far the change feed has come: one row, from the first read on.
CREATE TABLE "feed_position" (
    "id" INTEGER NOT NULL,
    "last" BIGINT NOT NULL,
    "removed" BIGINT NOT NULL,

    CONSTRAINT "feed_position_pkey" PRIMARY KEY ("id")
);
