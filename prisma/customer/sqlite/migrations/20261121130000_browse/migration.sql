-- What lists are sorted and searched by. It is made by the service from "customer", a while after each change.
CREATE TABLE "listed_customer" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "name_fold" TEXT NOT NULL,
    "words" TEXT NOT NULL,
    "age" INTEGER NOT NULL,
    "updated_at" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "listed_customer_name_fold_id_idx" ON "listed_customer"("name_fold", "id");
CREATE INDEX "listed_customer_updated_at_id_idx" ON "listed_customer"("updated_at", "id");
CREATE INDEX "listed_customer_age_id_idx" ON "listed_customer"("age", "id");

-- CreateTable
CREATE TABLE "listed_word" (
    "word" TEXT NOT NULL,
    "customer_id" INTEGER NOT NULL,

    PRIMARY KEY ("word", "customer_id")
) WITHOUT ROWID;

-- Customers that were changed since lists were told of them, in order.
CREATE TABLE "unlisted" (
    "seq" INTEGER NOT NULL PRIMARY KEY,
    "customer_id" INTEGER NOT NULL
);

-- Whoever changes a customer, also a version of the service that knows no lists.
CREATE TRIGGER "customer_added" AFTER INSERT ON "customer" BEGIN INSERT INTO "unlisted" ("customer_id") VALUES (NEW."id"); END;
CREATE TRIGGER "customer_changed" AFTER UPDATE ON "customer" BEGIN INSERT INTO "unlisted" ("customer_id") VALUES (NEW."id"); END;
CREATE TRIGGER "customer_removed" AFTER DELETE ON "customer" BEGIN INSERT INTO "unlisted" ("customer_id") VALUES (OLD."id"); END;

INSERT INTO "unlisted" ("customer_id") SELECT "id" FROM "customer" ORDER BY "id";
