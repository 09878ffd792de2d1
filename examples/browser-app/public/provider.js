// The authorization server: where its endpoints are, and the error of a sign-in that fails.

/** The server refused, or its answer is not to be trusted. The message is for the person who signs in. */
export class SignInError extends Error {}

/**
 * Reads where the endpoints are (OpenID Connect Discovery §4). The server lets browsers cache this.
 * @param {string} issuer
 * @returns {Promise<Record<string, string>>} by the names of the specification, such as `token_endpoint`
 * @throws {SignInError}
 */
export async function discover (issuer) {
  const found = await fetch(`${issuer}/.well-known/openid-configuration`, { signal: AbortSignal.timeout(15_000) })
    .then(response => response.ok ? response.json() : null)
    .catch(() => null)
  if (found === null) throw new SignInError('The authorization server does not answer. Try again in a moment.')
  // §4.3: a document for another issuer would send the person and the code there.
  if (found.issuer !== issuer) {
    throw new SignInError(`The authorization server is ${found.issuer}, but this app expects ${issuer}. Ask its operator to set ISSUER.`)
  }
  return found
}
