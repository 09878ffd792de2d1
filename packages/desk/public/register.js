// The register: its client, its customers' fields, and its errors, in words for the user.
import { CustomerClient, CustomerNetworkError, CustomerProblem } from './customer-client.js'
import { SignInError } from './sign-in/tokens.js'
import { known, t } from './language.js'

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
export const labels = {
  customerid: t('field.customerid'), customername: t('field.customername'), customerage: t('field.customerage'), customeraddress: t('field.customeraddress')
}

const names = Object.keys(labels)

/** A customer's fields as form values: text. */
export const valuesOf = customer => Object.fromEntries(names.map(name => [name, String(customer[name])]))

/** A customer's fields alone. */
export const recordOf = customer => Object.fromEntries(names.map(name => [name, customer[name]]))

/** A customer's name, or the number if the name is blank. */
export const nameOf = ({ customerid, customername }) => isBlank(customername) ? t('customer.unnamed', { number: customerid }) : customername

/**
 * A question for each field that is valid but probably mistyped.
 * @param {{ customername?: string, customerage?: number }} fields
 */
export const doubtsOf = ({ customername, customerage }) => [
  customername !== undefined && isBlank(customername) && t('panel.blankName'),
  (customerage < 0 || customerage > 150) && t('panel.unusualAge', { age: customerage })
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
    sentence: text ? t('service.sentence', { title, text }) : title,
    isAway: error instanceof CustomerNetworkError || AWAY.includes(error.status),
    temporary: (status === 0 && error.status !== 413) || status === 429 || status >= 500,
    wait,
    errors: Object.fromEntries(errors.map(error => [error.field, violationOf(error)]))
  }
}

/** What is wrong with a value: the rule that it violates, or else the service's own words. */
export const violationOf = ({ rule, minimum, maximum, detail }) => known(`rule.${rule}`, detail, { minimum, maximum, count: maximum })

/** Why a customer that the user saw cannot be changed, without a period. */
export function reasonOf (error) {
  const { status, title } = refusalOf(error)
  return { 404: t('reason.removed'), 409: t('reason.taken'), 412: t('reason.changed') }[status] ?? title
}

/** How long to wait before the next attempt, in milliseconds: `Retry-After`, or exponential backoff, with jitter. */
export const backOff = (wait, failures) =>
  1000 * (1 + Math.random() / 2) * (wait === undefined ? Math.min(MAX_BACKOFF, 3 * 2 ** failures) : Math.min(MAX_WAIT, Math.max(1, wait)))

/** Resolves after a time, or earlier if the connection returns or the signal aborts. */
export function untilOnline (ms, signal) {
  return /** @type {Promise<void>} */ (new Promise(resolve => {
    const ended = new AbortController()
    const end = () => {
      ended.abort()
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(end, ms)
    addEventListener('online', end, { signal: ended.signal })
    signal.addEventListener('abort', end, { signal: ended.signal })
  }))
}

/** Why the authorization server refused, or cannot be trusted. @param {SignInError} error */
export const signInSentence = ({ reason, message, values }) => known(`signIn.${reason}`, message, values)

/** Why a file cannot be read further, and what was imported before. */
function fileFault ({ reason, ...values }, detail, registered) {
  const text = known(`file.${reason}`, undefined, values)
  if (!text || !registered) return text ?? detail
  return `${text} ${t('import.done', { count: registered })}`
}

/** @returns {{ title: string, text?: string }} */
function textOf (error) {
  if (error instanceof SignInError) return { title: signInSentence(error) }
  if (error.stepUp) {
    return { title: t('service.stepUp'), text: t('service.stepUpHow') }
  }
  if (error instanceof CustomerProblem && error.type !== 'about:blank') {
    const { kind, title, detail, fault, report } = error
    if (fault) return { title: known(`problem.${kind}`, title), text: fileFault(fault, detail, report && report.registered + report.updated) }
    return { title: known(`problem.${kind}`, title), text: known(`problem.${kind}.how`, detail) }
  }
  if (!(error instanceof CustomerProblem || error instanceof CustomerNetworkError)) throw error
  const status = 'status' in error ? error.status : undefined
  if (status === 413) {
    return { title: t('service.tooLarge'), text: t('service.tooLargeHow') }
  }
  const text = status ? t('service.proxy', { status }) : t('service.checkConnection')
  return { title: t('service.away'), text }
}
