-- What lists are sorted and searched by. It is made by the service from "customer", a while after each change.
-- COLLATE "C": in the order of SQLite.
CREATE TABLE "listed_customer" (
    "id" INTEGER NOT NULL,
    "name_fold" TEXT COLLATE "C" NOT NULL,
    "words" TEXT COLLATE "C" NOT NULL,
    "age" INTEGER NOT NULL,
    "updated_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "listed_customer_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "listed_customer_name_fold_id_idx" ON "listed_customer"("name_fold", "id");
CREATE INDEX "listed_customer_updated_at_id_idx" ON "listed_customer"("updated_at", "id");
CREATE INDEX "listed_customer_age_id_idx" ON "listed_customer"("age", "id");

-- CreateTable
CREATE TABLE "listed_word" (
    "word" TEXT COLLATE "C" NOT NULL,
    "customer_id" INTEGER NOT NULL,

    CONSTRAINT "listed_word_pkey" PRIMARY KEY ("word", "customer_id")
);

-- Customers that were changed since lists were told of them, in order.
CREATE TABLE "unlisted" (
    "seq" BIGINT GENERATED ALWAYS AS IDENTITY,
    "customer_id" INTEGER NOT NULL,

    CONSTRAINT "unlisted_pkey" PRIMARY KEY ("seq")
);

-- Whoever changes a customer, also a version of the service that knows no lists.
CREATE FUNCTION "customer_written" () RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "unlisted" ("customer_id") SELECT "id" FROM "written";
  RETURN NULL;
END $$;
CREATE TRIGGER "customer_added" AFTER INSERT ON "customer" REFERENCING NEW TABLE AS "written"
  FOR EACH STATEMENT EXECUTE FUNCTION "customer_written" ();
CREATE TRIGGER "customer_changed" AFTER UPDATE ON "customer" REFERENCING NEW TABLE AS "written"
  FOR EACH STATEMENT EXECUTE FUNCTION "customer_written" ();
CREATE TRIGGER "customer_removed" AFTER DELETE ON "customer" REFERENCING OLD TABLE AS "written"
  FOR EACH STATEMENT EXECUTE FUNCTION "customer_written" ();

INSERT INTO "unlisted" ("customer_id") SELECT "id" FROM "customer" ORDER BY "id";
