// The register: its client, its customers' fields, and its errors, in words for the user.
import { CustomerClient, CustomerNetworkError, CustomerProblem } from './customer-client.js'
import { SignInError } from './sign-in/tokens.js'

const TIMEOUT_MS = 15_000
/** Statuses of a service, or of a proxy in front of it, that does not respond. */
const AWAY = [502, 503, 504]
/** The longest time between two attempts, in seconds, including `Retry-After`. */
const [MAX_BACKOFF, MAX_WAIT] = [60, 300]

/** The session's client. */
export let customers = null

/** Creates the client of a session. `token` returns its current token. */
export function connect (url, token) {
  customers = new CustomerClient({ url, token, timeoutMs: TIMEOUT_MS })
}

/** A customer's fields, in the table's order. */
export const labels = { customerid: 'Number', customername: 'Name', customerage: 'Age', customeraddress: 'Address' }

const names = Object.keys(labels)

/** A customer's fields as form values: text. */
export const valuesOf = customer => Object.fromEntries(names.map(name => [name, String(customer[name])]))

/** A customer's name, or the number if the name is blank. */
export const nameOf = ({ customerid, customername }) => isBlank(customername) ? `Customer ${customerid}` : customername

/** A question for each field that is valid but probably mistyped. */
export const doubtsOf = ({ customername, customerage }) => [
  customername !== undefined && isBlank(customername) && 'The name is blank.',
  (customerage < 0 || customerage > 150) && `The age is ${customerage}.`
].filter(Boolean)

const isBlank = text => !/[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u.test(text)

/** The fields in which two customers differ; a form counts as a customer. */
export const differences = (one, other) => names.filter(name => String(one[name]) !== String(other[name]))

/**
 * Reads an error from the client, and keeps its other fields. `temporary`: the same request can succeed later, after `wait` seconds
 * if the service says so; `isAway`: there is no response; `errors`: a sentence for each invalid field. @throws any other error
 */
export function refusalOf (error) {
  const { title, text = '' } = textOf(error)
  const { errors = [], retryAfter: wait } = error
  // The status from a server in front of the register says nothing about a customer.
  const status = error.type === 'about:blank' ? 0 : error.status ?? 0
  return {
    ...error,
    status,
    title,
    text,
    sentence: text ? `${title}. ${text}` : title,
    isAway: error instanceof CustomerNetworkError || AWAY.includes(error.status),
    temporary: (status === 0 && error.status !== 413) || status === 429 || status >= 500,
    wait,
    errors: Object.fromEntries(errors.map(({ field, detail }) => [field, detail]))
  }
}

/** Why a customer that the user saw cannot be changed, without a period. */
export function reasonOf (error) {
  const { status, title } = refusalOf(error)
  return { 404: 'Removed by someone else', 409: 'The number is already in use', 412: 'Changed by someone else' }[status] ?? title
}

/** How long to wait before the next attempt, in milliseconds: `Retry-After`, or exponential backoff, with jitter. */
export const backOff = (wait, failures) =>
  1000 * (1 + Math.random() / 2) * (wait === undefined ? Math.min(MAX_BACKOFF, 3 * 2 ** failures) : Math.min(MAX_WAIT, Math.max(1, wait)))

/** Resolves after a time, or earlier if the connection returns or the signal aborts. */
export function untilOnline (ms, signal) {
  return new Promise(resolve => {
    const ended = new AbortController()
    const end = () => {
      ended.abort()
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(end, ms)
    addEventListener('online', end, { signal: ended.signal })
    signal.addEventListener('abort', end, { signal: ended.signal })
  })
}

function textOf (error) {
  if (error instanceof SignInError) return { title: error.message }
  if (error.stepUp) {
    return {
      title: 'This needs a recent two-step sign-in',
      text: 'Set up two-step sign-in under "Your account" in the menu, then try again.'
    }
  }
  if (error instanceof CustomerProblem && error.type !== 'about:blank') return { title: error.title, text: error.detail }
  if (!(error instanceof CustomerProblem || error instanceof CustomerNetworkError)) throw error
  if (error.status === 413) {
    return { title: 'This file is too large for a proxy', text: 'Split it into parts, or ask your administrator to raise the limit.' }
  }
  const text = error.status
    ? `A proxy responded with status ${error.status}. Try again in a moment.`
    : 'Check your connection and try again.'
  return { title: 'Can\'t reach the customer service', text }
}
