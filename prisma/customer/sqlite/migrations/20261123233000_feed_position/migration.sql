-- How far the change feed has come: one row, from the first read on.
CREATE TABLE "feed_position" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "last" INTEGER NOT NULL,
    "removed" INTEGER NOT NULL
);
