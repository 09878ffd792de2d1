-- People who forgot their password are found by their verified address. Prisma's models cannot express this index.
CREATE INDEX "user_account_verified_email_idx" ON "user_account"(lower("email")) WHERE "email_verified";
