-- An application that may ask for access tokens (RFC 6749 §2).
CREATE TABLE "client" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "registered_by" TEXT NOT NULL,
    "registration_hash" TEXT,
    "previous_registration_hash" TEXT,
    "registrable_grants" TEXT,
    "demo" BOOLEAN NOT NULL,
    "native" BOOLEAN NOT NULL,
    "own" BOOLEAN NOT NULL,
    "profile" TEXT,
    "default_scope" TEXT NOT NULL,
    "allowed_scope" TEXT,
    "sign_in_roles" TEXT NOT NULL,
    "required_acr" TEXT,
    "access_token_ttl" INTEGER,
    "grant_types" TEXT NOT NULL,
    "implicit" TEXT NOT NULL,
    "implicit_deprecated_at" TIMESTAMP(3),
    "implicit_until" TIMESTAMP(3),
    "token_endpoint_auth_method" TEXT NOT NULL,
    "jwks" TEXT,
    "jwks_uri" TEXT,
    "pkce" TEXT NOT NULL,
    "without_pkce_at" TIMESTAMP(3),
    "require_pushed_authorization_requests" BOOLEAN NOT NULL,
    "dpop_bound_access_tokens" BOOLEAN NOT NULL,
    "id_token_signed_response_alg" TEXT NOT NULL,
    "id_token_claims" BOOLEAN NOT NULL,
    "userinfo_signed_response_alg" TEXT,
    "sector_identifier" TEXT,
    "links" TEXT,
    "backchannel_logout_uri" TEXT,
    "backchannel_logout_session_required" BOOLEAN NOT NULL,
    "document_fetched_at" TIMESTAMP(3),
    "document_fresh_until" TIMESTAMP(3),
    "used_at" TIMESTAMP(3),
    "disabled_at" TIMESTAMP(3),
    "created_at" TIMESTAMP(3) NOT NULL,
    "updated_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "client_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "client_created_at_id_idx" ON "client"("created_at", "id");
CREATE INDEX "client_required_acr_idx" ON "client"("required_acr");

-- Clients that get the same pairwise `sub` of a person.
CREATE TABLE "sector" (
    "identifier" TEXT NOT NULL,
    "salt" TEXT NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "sector_pkey" PRIMARY KEY ("identifier")
);

-- How often a client was given a token by the implicit grant, by week.
CREATE TABLE "implicit_use" (
    "client_id" TEXT NOT NULL,
    "week" TEXT NOT NULL,
    "uses" INTEGER NOT NULL,
    "first_at" TIMESTAMP(3) NOT NULL,
    "last_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "implicit_use_pkey" PRIMARY KEY ("client_id", "week")
);
CREATE INDEX "implicit_use_week_idx" ON "implicit_use"("week");

-- A registered callback, byte for byte (RFC 6749 §3.1.2.2).
CREATE TABLE "client_callback" (
    "client_id" TEXT NOT NULL,
    "uri" TEXT NOT NULL,

    CONSTRAINT "client_callback_pkey" PRIMARY KEY ("client_id", "uri"),
    CONSTRAINT "client_callback_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
-- COLLATE "C": callbacks of an origin are a range of it.
CREATE INDEX "client_callback_uri_idx" ON "client_callback"("uri" COLLATE "C");

-- A resource whose tokens the client may ask for by name (RFC 8707).
CREATE TABLE "client_resource" (
    "client_id" TEXT NOT NULL,
    "uri" TEXT NOT NULL,

    CONSTRAINT "client_resource_pkey" PRIMARY KEY ("client_id", "uri"),
    CONSTRAINT "client_resource_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Where a client may have the browser sent after sign-out (OpenID Connect RP-Initiated Logout §3), byte for byte.
CREATE TABLE "client_post_logout_uri" (
    "client_id" TEXT NOT NULL,
    "uri" TEXT NOT NULL,

    CONSTRAINT "client_post_logout_uri_pkey" PRIMARY KEY ("client_id", "uri"),
    CONSTRAINT "client_post_logout_uri_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- The picture of a client on the consent page, in base64.
CREATE TABLE "client_logo" (
    "client_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "content" TEXT NOT NULL,

    CONSTRAINT "client_logo_pkey" PRIMARY KEY ("client_id"),
    CONSTRAINT "client_logo_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "client_logo_name_idx" ON "client_logo"("name");

-- A secret of a client.
CREATE TABLE "client_secret" (
    "client_id" TEXT NOT NULL,
    "slot" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "client_secret_pkey" PRIMARY KEY ("client_id", "slot"),
    CONSTRAINT "client_secret_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- What a resource owner allowed a client, and the spent nonce that makes it the only one of its consent page.
CREATE TABLE "access_grant" (
    "id" TEXT NOT NULL,
    "nonce_hash" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "response_type" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "is_silent" BOOLEAN NOT NULL,
    "epoch" INTEGER NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,
    "tokens_end_at" TIMESTAMP(3),
    "revoked_at" TIMESTAMP(3),

    CONSTRAINT "access_grant_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "access_grant_nonce_hash_key" ON "access_grant"("nonce_hash");
CREATE INDEX "access_grant_silent_idx" ON "access_grant"("user_id", "client_id", "created_at") WHERE "is_silent";
CREATE INDEX "access_grant_expires_at_idx" ON "access_grant"("expires_at");
-- The list of apps seeks from one app and scope to the next, and reads those grants that end last.
CREATE INDEX "access_grant_user_id_client_id_epoch_scope_created_at_idx" ON "access_grant"("user_id", "client_id", "epoch", "scope", "created_at");
-- The client first: it also finds the users of a client.
CREATE INDEX "access_grant_client_id_user_id_epoch_expires_at_idx" ON "access_grant"("client_id", "user_id", "epoch", "expires_at");

-- A resource owner.
CREATE TABLE "user_account" (
    "id" TEXT NOT NULL,
    "username" TEXT NOT NULL,
    "username_key" TEXT NOT NULL,
    "search_key" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "foreign_cost" INTEGER,
    "password_set_at" TIMESTAMP(3),
    "invitation_due_at" TIMESTAMP(3),
    "first_sign_in_at" TIMESTAMP(3),
    "name" TEXT,
    "given_name" TEXT,
    "family_name" TEXT,
    "email" TEXT,
    "email_verified" BOOLEAN NOT NULL,
    "locale" TEXT,
    "picture" TEXT,
    "terms_version" TEXT,
    "terms_accepted_at" TIMESTAMP(3),
    "demo" BOOLEAN NOT NULL,
    "disabled_at" TIMESTAMP(3),
    "created_at" TIMESTAMP(3) NOT NULL,
    "updated_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "user_account_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "user_account_username_key_key" ON "user_account"("username_key");
CREATE INDEX "user_account_created_at_id_idx" ON "user_account"("created_at", "id");
-- People who forgot their password are found by their verified address. Prisma's models cannot express this index.
CREATE INDEX "user_account_verified_email_idx" ON "user_account"(lower("email" COLLATE "C")) WHERE "email_verified";
-- Few users are for a demo. The same holds for this index.
CREATE INDEX "user_account_demo_idx" ON "user_account"("username") WHERE "demo";
-- Imported hashes are replaced at the next sign-in: the slowest that can be checked decides how long a failed sign-in takes.
CREATE INDEX "user_account_foreign_cost_idx" ON "user_account"("foreign_cost") WHERE "foreign_cost" IS NOT NULL AND "disabled_at" IS NULL;
-- Invitations are emailed one after the other. Disabled users get theirs once they are enabled.
CREATE INDEX "user_account_invitation_due_at_idx" ON "user_account"("invitation_due_at") WHERE "invitation_due_at" IS NOT NULL AND "disabled_at" IS NULL;

-- A browser session of a signed-in person.
CREATE TABLE "session" (
    "id_hash" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "sid" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "user_agent" TEXT,
    "auth_time" TIMESTAMP(3) NOT NULL,
    "amr" TEXT NOT NULL,
    "last_seen_at" TIMESTAMP(3) NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id_hash"),
    CONSTRAINT "session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "session_user_id_idx" ON "session"("user_id");
CREATE INDEX "session_expires_at_idx" ON "session"("expires_at");

-- A session of the administration console.
CREATE TABLE "console_session" (
    "id_hash" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "sid" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "auth_time" TIMESTAMP(3) NOT NULL,
    "amr" TEXT NOT NULL,
    "last_seen_at" TIMESTAMP(3) NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "console_session_pkey" PRIMARY KEY ("id_hash"),
    CONSTRAINT "console_session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "console_session_user_id_idx" ON "console_session"("user_id");
CREATE INDEX "console_session_expires_at_idx" ON "console_session"("expires_at");

-- An authenticator app (TOTP, RFC 6238): one for each person.
CREATE TABLE "authenticator" (
    "user_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "last_step" INTEGER NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL,
    "last_used_at" TIMESTAMP(3),

    CONSTRAINT "authenticator_pkey" PRIMARY KEY ("user_id"),
    CONSTRAINT "authenticator_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- A passkey (WebAuthn Level 3 §4, "discoverable credential").
CREATE TABLE "passkey" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "public_key" TEXT NOT NULL,
    "counter" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL,
    "last_used_at" TIMESTAMP(3),

    CONSTRAINT "passkey_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "passkey_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "passkey_user_id_idx" ON "passkey"("user_id");

-- An unused recovery code, which stands in for a lost factor once.
CREATE TABLE "recovery_code" (
    "user_id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "recovery_code_pkey" PRIMARY KEY ("user_id", "hash"),
    CONSTRAINT "recovery_code_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- A browser in which a person is not asked for a factor.
CREATE TABLE "trusted_browser" (
    "id_hash" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "user_agent" TEXT,
    "created_at" TIMESTAMP(3) NOT NULL,
    "last_used_at" TIMESTAMP(3) NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "trusted_browser_pkey" PRIMARY KEY ("id_hash"),
    CONSTRAINT "trusted_browser_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "trusted_browser_user_id_idx" ON "trusted_browser"("user_id");
CREATE INDEX "trusted_browser_expires_at_idx" ON "trusted_browser"("expires_at");

-- An account at an upstream OpenID Provider, with which a person can sign in.
CREATE TABLE "upstream_identity" (
    "id_hash" TEXT NOT NULL,
    "user_id" TEXT,
    "issuer" TEXT NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL,
    "last_used_at" TIMESTAMP(3),

    CONSTRAINT "upstream_identity_pkey" PRIMARY KEY ("id_hash"),
    CONSTRAINT "upstream_identity_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE SET NULL ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "upstream_identity_user_id_key" ON "upstream_identity"("user_id");

CREATE TABLE "factor_key" (
    "id" INTEGER NOT NULL,
    "jwe" TEXT NOT NULL,

    CONSTRAINT "factor_key_pkey" PRIMARY KEY ("id")
);

-- A scope that a person has allowed an app for a resource, so that it is not asked for again.
CREATE TABLE "consent" (
    "user_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "allowed_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "consent_pkey" PRIMARY KEY ("user_id", "client_id", "audience", "scope"),
    CONSTRAINT "consent_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "consent_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "consent_client_id_user_id_idx" ON "consent"("client_id", "user_id");

-- A person has allowed an app that registered itself. A row stays while tokens expire, until the person removes the app.
CREATE TABLE "app_use" (
    "user_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "used_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "app_use_pkey" PRIMARY KEY ("user_id", "client_id"),
    CONSTRAINT "app_use_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "app_use_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "app_use_client_id_idx" ON "app_use"("client_id");

-- A role of people.
CREATE TABLE "role" (
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL,
    "required_acr" TEXT,

    CONSTRAINT "role_pkey" PRIMARY KEY ("name")
);

-- A scope that only people with such a role may grant.
CREATE TABLE "role_scope" (
    "role" TEXT NOT NULL,
    "scope" TEXT NOT NULL,

    CONSTRAINT "role_scope_pkey" PRIMARY KEY ("role", "scope"),
    CONSTRAINT "role_scope_role_fkey" FOREIGN KEY ("role") REFERENCES "role"("name") ON DELETE CASCADE ON UPDATE CASCADE
);

-- A role that a person has.
CREATE TABLE "user_role" (
    "user_id" TEXT NOT NULL,
    "role" TEXT NOT NULL,

    CONSTRAINT "user_role_pkey" PRIMARY KEY ("user_id", "role"),
    CONSTRAINT "user_role_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "user_role_role_fkey" FOREIGN KEY ("role") REFERENCES "role"("name") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "user_role_role_idx" ON "user_role"("role");

-- A session at an app that gets logout tokens (OpenID Connect Back-Channel Logout): a browser session or a device for which the app was given an ID token.
CREATE TABLE "client_session" (
    "sid" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_sid" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "user_id" TEXT NOT NULL,
    "ends_at" TIMESTAMP(3) NOT NULL,
    "due_at" TIMESTAMP(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "client_session_pkey" PRIMARY KEY ("sid", "client_id", "epoch"),
    CONSTRAINT "client_session_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "client_session_client_sid_idx" ON "client_session"("client_sid");
CREATE INDEX "client_session_user_id_client_id_idx" ON "client_session"("user_id", "client_id");
CREATE INDEX "client_session_client_id_due_at_idx" ON "client_session"("client_id", "due_at");
CREATE INDEX "client_session_ends_at_idx" ON "client_session"("ends_at");
-- Logout tokens that are sent again. Prisma's models cannot express this index.
CREATE INDEX "client_session_failed_idx" ON "client_session"("client_id") WHERE "due_at" IS NOT NULL AND "attempts" > 1;

-- A code that a client exchanges for tokens (RFC 6749 §4.1.2).
CREATE TABLE "authorization_code" (
    "hash" TEXT NOT NULL,
    "grant_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "callback_named" BOOLEAN NOT NULL,
    "code_challenge" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "auth_time" TIMESTAMP(3) NOT NULL,
    "amr" TEXT NOT NULL,
    "nonce" TEXT,
    "dpop_jkt" TEXT,
    "sid" TEXT,
    "created_at" TIMESTAMP(3) NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,
    "spent_at" TIMESTAMP(3),

    CONSTRAINT "authorization_code_pkey" PRIMARY KEY ("hash"),
    CONSTRAINT "authorization_code_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "authorization_code_expires_at_idx" ON "authorization_code"("expires_at");

-- A request of a device, and the code that it exchanges for tokens once a person has allowed it (RFC 8628 §3.2).
CREATE TABLE "device_code" (
    "hash" TEXT NOT NULL,
    "user_code_hash" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "acr_values" TEXT NOT NULL,
    "max_age" INTEGER,
    "poll_interval" INTEGER NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,
    "polled_at" TIMESTAMP(3),
    "denied_at" TIMESTAMP(3),
    "grant_id" TEXT,
    "user_id" TEXT,
    "auth_time" TIMESTAMP(3),
    "amr" TEXT,
    "spent_at" TIMESTAMP(3),

    CONSTRAINT "device_code_pkey" PRIMARY KEY ("hash"),
    CONSTRAINT "device_code_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "device_code_user_code_hash_key" ON "device_code"("user_code_hash");
CREATE INDEX "device_code_expires_at_idx" ON "device_code"("expires_at");

-- A family of refresh tokens (RFC 6749 §6), with its current token and those before it that still work.
CREATE TABLE "refresh_token" (
    "family_hash" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "spent" TEXT NOT NULL,
    "grant_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "auth_time" TIMESTAMP(3) NOT NULL,
    "amr" TEXT NOT NULL,
    "dpop_jkt" TEXT,
    "sid" TEXT,
    "created_at" TIMESTAMP(3) NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,
    "ends_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "refresh_token_pkey" PRIMARY KEY ("family_hash"),
    CONSTRAINT "refresh_token_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "refresh_token_grant_id_idx" ON "refresh_token"("grant_id");
CREATE INDEX "refresh_token_user_id_created_at_idx" ON "refresh_token"("user_id", "created_at");
CREATE INDEX "refresh_token_expires_at_idx" ON "refresh_token"("expires_at");

-- Entry of the revocation feed: one access token, a grant with all of its tokens, or a group of tokens issued before a time.
CREATE TABLE "revocation" (
    "id" TEXT NOT NULL,
    "revoked_at" TIMESTAMP(3) NOT NULL,
    "ends_at" TIMESTAMP(3) NOT NULL,
    "not_before" TIMESTAMP(3),
    "user_id" TEXT,
    "client_id" TEXT,

    CONSTRAINT "revocation_pkey" PRIMARY KEY ("id")
);
-- The order of the revocation feed.
CREATE INDEX "revocation_revoked_at_id_idx" ON "revocation"("revoked_at", "id");
CREATE INDEX "revocation_ends_at_idx" ON "revocation"("ends_at");
CREATE INDEX "revocation_user_id_client_id_ends_at_idx" ON "revocation"("user_id", "client_id", "ends_at");
CREATE INDEX "revocation_client_id_ends_at_idx" ON "revocation"("client_id", "ends_at");

-- How often access ended for a person (`user_id`, empty `client_id`), for a client (empty `user_id`) or for a person at a client; without a row, never.
CREATE TABLE "access_epoch" (
    "user_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "not_before" TIMESTAMP(3) NOT NULL,
    "ended_at" TIMESTAMP(3),

    CONSTRAINT "access_epoch_pkey" PRIMARY KEY ("user_id", "client_id")
);
CREATE INDEX "access_epoch_ended_at_idx" ON "access_epoch"("ended_at");

-- A request that a client has pushed (RFC 9126), if its reference would be too long for an address.
CREATE TABLE "pushed_request" (
    "hash" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "ends_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "pushed_request_pkey" PRIMARY KEY ("hash"),
    CONSTRAINT "pushed_request_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "pushed_request_client_id_ends_at_idx" ON "pushed_request"("client_id", "ends_at");
CREATE INDEX "pushed_request_ends_at_idx" ON "pushed_request"("ends_at");

-- What counts once: an assertion that a client has authenticated with (RFC 7523 §3), a request that it has pushed (RFC 9126 §4), a proof of a key (RFC 9449 §11.1), a challenge that a passkey has signed, an emailed code, a link.
CREATE TABLE "spent_id" (
    "id_hash" TEXT NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "spent_id_pkey" PRIMARY KEY ("id_hash")
);
CREATE INDEX "spent_id_expires_at_idx" ON "spent_id"("expires_at");

-- An initial access token (RFC 7591 §3): lets apps register themselves.
CREATE TABLE "registration_token" (
    "id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "uses_left" INTEGER NOT NULL,
    "grant_types" TEXT NOT NULL,
    "allowed_scope" TEXT,
    "created_at" TIMESTAMP(3) NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "registration_token_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "registration_token_hash_key" ON "registration_token"("hash");
CREATE INDEX "registration_token_expires_at_idx" ON "registration_token"("expires_at");

-- An invitation code, with which people sign up.
CREATE TABLE "sign_up_code" (
    "id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "uses_left" INTEGER NOT NULL,
    "role" TEXT,
    "user_id" TEXT,
    "client_id" TEXT,
    "created_at" TIMESTAMP(3) NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "sign_up_code_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "sign_up_code_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "sign_up_code_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "client"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "sign_up_code_hash_key" ON "sign_up_code"("hash");
CREATE INDEX "sign_up_code_expires_at_idx" ON "sign_up_code"("expires_at");
CREATE INDEX "sign_up_code_user_id_idx" ON "sign_up_code"("user_id");
CREATE INDEX "sign_up_code_client_id_idx" ON "sign_up_code"("client_id");

-- A key that signs access tokens.
CREATE TABLE "signing_key" (
    "kid" TEXT NOT NULL,
    "generation" INTEGER NOT NULL,
    "alg" TEXT NOT NULL,
    "public_jwk" TEXT NOT NULL,
    "private_jwe" TEXT NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL,
    "signs_from" TIMESTAMP(3) NOT NULL,
    "retired_at" TIMESTAMP(3),

    CONSTRAINT "signing_key_pkey" PRIMARY KEY ("kid")
);
CREATE UNIQUE INDEX "signing_key_generation_key" ON "signing_key"("generation");

-- A key that signs ID tokens.
CREATE TABLE "id_token_key" (
    "kid" TEXT NOT NULL,
    "alg" TEXT NOT NULL,
    "generation" INTEGER NOT NULL,
    "public_jwk" TEXT NOT NULL,
    "private_jwe" TEXT NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL,
    "signs_from" TIMESTAMP(3) NOT NULL,
    "retired_at" TIMESTAMP(3),

    CONSTRAINT "id_token_key_pkey" PRIMARY KEY ("kid")
);
CREATE UNIQUE INDEX "id_token_key_alg_generation_key" ON "id_token_key"("alg", "generation");

-- Counters of failed sign-ins.
CREATE TABLE "throttle" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "expire" TIMESTAMP(3),

    CONSTRAINT "throttle_pkey" PRIMARY KEY ("key")
);
CREATE INDEX "throttle_expire_idx" ON "throttle"("expire");

-- A creation by the administration API, so that a retry with its `Idempotency-Key` creates nothing more.
CREATE TABLE "admin_request" (
    "id" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "answer" TEXT,
    "expires_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "admin_request_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "admin_request_expires_at_idx" ON "admin_request"("expires_at");

-- Work that one replica does at a time.
CREATE TABLE "lease" (
    "name" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "ends_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "lease_pkey" PRIMARY KEY ("name")
);

-- What happened, and who did it: only ever added to and, when it is old or there are too many rows, removed.
CREATE TABLE "audit" (
    "id" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "event" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "user_id" TEXT,
    "client_id" TEXT,
    "source" TEXT,
    "request_id" TEXT,
    "details" TEXT NOT NULL,
    "rank" INTEGER NOT NULL,
    "position" BIGINT NOT NULL,

    CONSTRAINT "audit_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "audit_event_id_outcome_idx" ON "audit"("event", "id", "outcome");
CREATE INDEX "audit_user_id_id_idx" ON "audit"("user_id", "id");
CREATE INDEX "audit_client_id_id_idx" ON "audit"("client_id", "id");
CREATE INDEX "audit_request_id_id_idx" ON "audit"("request_id", "id");
CREATE INDEX "audit_rank_id_idx" ON "audit"("rank", "id");
CREATE INDEX "audit_position_idx" ON "audit"("position");

-- How many rows audit has, changed in the transactions that add and remove them: to count them would take seconds.
CREATE TABLE "audit_count" (
    "id" INTEGER NOT NULL,
    "total" INTEGER NOT NULL,
    "last" BIGINT NOT NULL,

    CONSTRAINT "audit_count_pkey" PRIMARY KEY ("id")
);

-- Proof of what rows of audit were.
CREATE TABLE "audit_seal" (
    "number" INTEGER NOT NULL,
    "first" BIGINT NOT NULL,
    "last" BIGINT NOT NULL,
    "rows" INTEGER NOT NULL,
    "sum" TEXT NOT NULL,
    "sealed_at" TIMESTAMP(3) NOT NULL,
    "previous" TEXT NOT NULL,
    "mac" TEXT NOT NULL,
    "removed" INTEGER NOT NULL,
    "removed_sum" TEXT NOT NULL,
    "starts" BOOLEAN NOT NULL,
    "state" TEXT NOT NULL,

    CONSTRAINT "audit_seal_pkey" PRIMARY KEY ("number")
);
CREATE INDEX "audit_seal_last_idx" ON "audit_seal"("last");

CREATE TABLE "audit_key" (
    "id" INTEGER NOT NULL,
    "jwe" TEXT NOT NULL,

    CONSTRAINT "audit_key_pkey" PRIMARY KEY ("id")
);
