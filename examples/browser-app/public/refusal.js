// Why the register did not do what was asked, in words for the person.
import { CustomerNetworkError, CustomerProblem } from './customer-client.js'

/**
 * Reads an error of the client. `temporary`: the same request may succeed later, after `wait` seconds if the service says so;
 * `errors`: a sentence for each invalid field. @throws any other error
 */
export function refusalOf (error) {
  if (error instanceof CustomerNetworkError) {
    const text = 'It is down, the network is down, or it does not allow requests from this address.'
    return { status: 0, ...withSentence('The customer service does not respond', text), temporary: true, errors: {} }
  }
  if (!(error instanceof CustomerProblem)) throw error
  const { status, title, detail = '', errors, candidates, total, requestId, retryAfter: wait } = error
  const advice = adviceFor(error)
  return {
    status,
    ...withSentence(title, [detail, detail.includes(advice) ? '' : advice].filter(Boolean).join(' ')),
    temporary: status === 429 || status >= 500,
    wait,
    errors: Object.fromEntries(errors.map(({ field, detail }) => [field, detail])),
    candidates,
    total,
    requestId
  }
}

const withSentence = (title, text) => ({ title, text, sentence: `${title}. ${text}` })

function adviceFor ({ status, retryAfter }) {
  switch (status) {
    case 401: return 'Sign in again.'
    case 403: return 'Sign in again and allow it.'
    case 429:
    case 503: return retryAfter ? `Try again in ${retryAfter} seconds.` : 'Try again in a moment.'
    default: return ''
  }
}
