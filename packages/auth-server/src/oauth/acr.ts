/**
 * `acr` of every ID token (OpenID Connect Core §2): a password over a protected connection, by its name in SAML 2.0 Authentication
 * Context §3.4.9. It describes how users sign in, not how sure their identity is.
 */
export const ACR = 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'
