import { errors } from '../oauth/errors.js'
import { single, type Parameters } from '../oauth/parameters.js'

/** Reads a form with a decision, its button. @throws OAuthError `invalidForm` if it has none, or a field twice */
export function readDecision<D extends string> (form: Parameters, decisions: readonly D[]) {
  try {
    const pressed = single(form, 'decision')
    const decision = decisions.find(it => it === pressed)
    const fields = { transaction: single(form, 'transaction'), username: single(form, 'username'), password: single(form, 'password') }
    if (decision === undefined) throw errors.invalidForm('no decision')
    return { ...fields, transaction: fields.transaction ?? '', decision }
  } catch (cause) {
    throw errors.invalidForm(String(cause))
  }
}
