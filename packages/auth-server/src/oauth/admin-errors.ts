/** Errors of the administration API, by name. */
export const adminErrors = {
  inputInvalid: {
    statusCode: 400,
    description: 'The request is not valid.',
    advice: 'errors names each invalid field, and what is wrong with it.'
  },
  accessTokenInvalid: {
    statusCode: 401,
    description: 'The request needs a valid access token.',
    advice: 'Request a token for the resource of the administration API, with the scope admin:read or admin:write.'
  },
  signInTooOld: {
    statusCode: 401,
    description: 'The sign-in is too old for this.',
    advice: 'Let the user sign in again, with max_age=600 in the authorization request (RFC 9470 §4).'
  },
  notPermitted: {
    statusCode: 403,
    description: 'The caller is not allowed to do this.',
    advice: 'The detail names the role or the scope that it needs.'
  },
  unknown: { statusCode: 404, description: 'There is no such resource.', advice: 'Compare the last part of the path with the list of the resource.' },
  conflict: {
    statusCode: 409,
    description: 'The current state does not allow this.',
    advice: 'errors says what is in the way. Change that first.'
  },
  lastAdministrator: {
    statusCode: 409,
    description: 'No administrator could sign in after this.',
    advice: 'Give another user the role administrator first. That user must be enabled and have a password.'
  },
  idempotencyKeyInUse: {
    statusCode: 409,
    description: 'A request with this Idempotency-Key was made before, and its response is not available.',
    advice: 'It is in progress, or its response was lost after the change. Read the resource before you try again.'
  },
  idempotencyKeyReused: {
    statusCode: 422,
    description: 'This Idempotency-Key was used for another request.',
    advice: 'Send a new key for a new request. To retry, send exactly the body of the first one.'
  },
  changedMeanwhile: {
    statusCode: 412,
    description: 'The resource was changed in the meantime.',
    advice: 'Read it again, and send its ETag in If-Match.'
  },
  jsonExpected: { statusCode: 415, description: 'The body must be JSON.', advice: 'Send Content-Type: application/json.' },
  tooManyRequests: {
    statusCode: 429,
    description: 'Too many requests.',
    advice: 'Try again after the time in Retry-After.'
  }
} as const
