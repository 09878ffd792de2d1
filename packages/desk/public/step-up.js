// Operations that can need a recent, stronger sign-in (RFC 9470). The sign-in leaves the page, so the operation waits in
// sessionStorage; afterwards, the user confirms it once more before it is sent.
import { t } from './language.js'
import { html } from './lit/lit-html.js'
import { isSure } from './parts/dialog.js'
import { warn } from './parts/messages.js'
import { refusalOf } from './register.js'
import { stepUp } from './session.js'
import { read, state } from './state.js'

const key = 'frontdesk.operation'
const operations = new Map()

/**
 * Defines an operation.
 * @param {string} name identifies it while it waits
 * @param {object} operation
 * @param {(argument: any) => Promise<void>} operation.run sends it, and reports its success; it throws what the register's client does
 * @param {(argument: any) => { title: string, body: unknown, yes: string, kind?: string }} operation.question the dialog that confirms it,
 * such as "Erase Erika Müller?"; see `isSure`
 * @param {string} operation.failed such as "Export failed."; the reason follows
 * @returns {(argument?: any) => Promise<void>} runs it; `argument` must be JSON, and never a token
 */
export function protectedOperation (name, operation) {
  operations.set(name, operation)
  return argument => attempt(name, argument)
}

async function attempt (name, argument, { isRepeated = false } = {}) {
  const { run, failed } = operations.get(name)
  const { signal, sub } = state.session
  try {
    await run(argument)
  } catch (error) {
    if (signal.aborted) return
    // Only once: a user without a second factor would sign in forever.
    if (!error.stepUp || isRepeated) return warn(t('failure', { what: failed, why: refusalOf(error).sentence }))
    sessionStorage.setItem(key, JSON.stringify({ name, argument, sub }))
    await stepUp(error.stepUp)
  }
}

/** After a sign-in: asks whether to run the waiting operation. `isStepUp`: if it was another sign-in, the operation is discarded. */
export async function takeUp ({ isStepUp }) {
  const { name, argument, sub } = read(sessionStorage, key) ?? {}
  sessionStorage.removeItem(key)
  if (!isStepUp || !operations.has(name) || sub !== state.session?.sub) return
  const question = operations.get(name).question(argument)
  const body = html`<p>${t('session.signedInAgain')}</p>${question.body}`
  if (await isSure({ ...question, body })) await attempt(name, argument, { isRepeated: true })
}
