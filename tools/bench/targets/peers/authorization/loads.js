import { each } from '../../../loads.js'
import { CALLBACK, CLIENT, SCOPE } from '../../../services/registrations.js'
import { inClone } from '../../../services/place.js'

/** The parameters of a request for a token, each with another state; `differences` where a peer needs others. */
export function query (differences) {
  return new URLSearchParams({
    response_type: 'token',
    client_id: CLIENT,
    redirect_uri: CALLBACK,
    scope: SCOPE,
    state: Math.random().toString(36).slice(2),
    ...differences
  }).toString()
}

/** Requests that must redirect to a page of the peer whose path begins with `page`. */
export function authorizations (page, makePath) {
  return {
    requests: each(() => ({ path: makePath() })),
    expect: (status, head) => (status === 302 || status === 303) && locationOf(head).startsWith(page)
  }
}

/** Whether a response redirects to the callback with a token in the fragment. */
export function isToken (status, head) {
  const location = locationOf(head)
  return (status === 302 || status === 303) && location.startsWith(`${CALLBACK}#`) && location.includes('access_token=')
}

/** A program of `tools/bench/targets/peers/authorization/programs`, and its variables. */
export function program (name, { port, url, issuer }) {
  return {
    args: [inClone(`tools/bench/targets/peers/authorization/programs/${name}.js`)],
    env: { PORT: String(port), URL: url, CLIENT, CALLBACK, SCOPE, AUDIENCE: issuer.audience }
  }
}

function locationOf (head) {
  return /^location: (.*)$/im.exec(head)?.[1] ?? ''
}
