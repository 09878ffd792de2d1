/** Errors of the administration API, by name. */
export const adminErrors = {
  inputInvalid: {
    statusCode: 400,
    description: 'The request is invalid.',
    advice: 'The errors member lists each invalid field and what is wrong with it.'
  },
  accessTokenInvalid: {
    statusCode: 401,
    description: 'The request needs a valid access token.',
    advice: 'Request a token for the resource of the administration API, with the scope admin:read or admin:write.'
  },
  signInInsufficient: {
    statusCode: 401,
    description: 'This requires a stronger or more recent sign-in.',
    advice: 'Have the user sign in again, with acr_values and max_age of WWW-Authenticate in the authorization request (RFC 9470 §4).'
  },
  notPermitted: {
    statusCode: 403,
    description: 'The caller does not have permission.',
    advice: 'The detail member names the role or scope that the caller needs.'
  },
  unknown: {
    statusCode: 404,
    description: 'There is no such resource.',
    advice: 'Check the identifier in the path against the list of these resources.'
  },
  conflict: {
    statusCode: 409,
    description: 'The current state does not allow this.',
    advice: 'The errors member says what prevents it. Resolve that first.'
  },
  lastAdministrator: {
    statusCode: 409,
    description: 'This would leave no administrator who can sign in.',
    advice: 'Give another user the role administrator first. That user must be enabled and have a password.'
  },
  idempotencyKeyInUse: {
    statusCode: 409,
    description: 'An earlier request has this Idempotency-Key, and its response is not available.',
    advice: 'The earlier request is in progress, or its response was lost after the change. Read the resource before you try again.'
  },
  idempotencyKeyReused: {
    statusCode: 422,
    description: 'This Idempotency-Key was used for another request.',
    advice: 'Use a new key for each request. To retry a request, send the same path and body.'
  },
  changedMeanwhile: {
    statusCode: 412,
    description: 'The resource has changed since you read it.',
    advice: 'Read it again, and send its ETag in If-Match.'
  },
  jsonExpected: { statusCode: 415, description: 'The body must be JSON.', advice: 'Send Content-Type: application/json.' },
  tooManyRequests: {
    statusCode: 429,
    description: 'Too many requests.',
    advice: 'Try again after the time in Retry-After.'
  }
} as const
