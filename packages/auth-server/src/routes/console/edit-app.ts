import { findClientDetails, type ClientDetails } from '../../admin/client-details.js'
import { planUpdate, updateClient } from '../../admin/clients.js'
import { changed, invalid, Refusal } from '../../admin/refusal.js'
import { findRoles, missingRoles } from '../../admin/roles.js'
import { reason } from '../../languages/reason.js'
import { message, type Message } from '../../languages/translator.js'
import { LOGO_FORMATS, MAX_LOGO } from '../../oauth/client-logo.js'
import { hasSecret } from '../../registration/credentials.js'
import { etagOf } from '../admin/version.js'
import { pathOfApp, secretView } from './apps.js'
import { changeOf, fieldsOf, showDifferences } from './client-form.js'
import { action, page, textOf, type SentForm, type View, type Visit } from './define.js'

/** File formats and size of logos, as the values of messages. */
export const LOGO_RULE = { formats: LOGO_FORMATS.join('/'), kilobytes: MAX_LOGO }

/** The form with an app's settings. */
export const editApp = page('/apps/:id/edit', { section: 'apps', right: 'manage' }, async ({ stores, params: { id } }) => {
  const details = await findClientDetails(stores, id)
  return {
    view: 'edit-app',
    title: message('console.edit.title', { name: details.name }),
    data: {
      path: pathOfApp(id),
      name: details.name,
      usual: fieldsOf({ ...details }, ({ isUsual }) => isUsual),
      logo: details.logoName,
      logoRule: LOGO_RULE,
      canHaveLogo: details.registeredBy === 'operator',
      others: fieldsOf({ ...details }, ({ isUsual }) => !isUsual)
    }
  }
})

/** Maximum size of the form, in bytes: larger than other forms, because it can contain the app's keys. */
const FORM_LIMIT = 128 * 1_024

type Edit = Visit<'/apps/:id'> & { readonly form: SentForm }

/** First previews the changes. The preview's form is then submitted, with the version of the app that it was compared with. */
export const editAppAction = action('edit-app', '/apps/:id/edit', {
  page: editApp, right: 'manage', isSensitive: true, bodyLimit: FORM_LIMIT
}, async visit => {
  const { stores, params: { id }, config, by } = visit
  const [version, isBack] = [textOf(visit, 'version'), textOf(visit, 'step') === 'back']
  if (isBack) return { ...await editApp.show(visit), form: visit.form }
  if (version === '') return await review(visit)
  const change = changeOf(visit)
  const check = (before: ClientDetails) => { if (etagOf(before) !== version) throw changed('version', reason('reason.changed-meanwhile')) }
  try {
    const { secret } = await updateClient(stores, id, { change: () => change, check, schemes: config.callbackSchemes }, by)
    return secret === undefined ? pathOfApp(id) : secretView(id, secret)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'changed') throw error
    return await review(visit, error.faults)
  }
})

/** Previews the changes of the submitted form, field by field. */
async function review (visit: Edit, faults: SentForm['faults'] = []): Promise<View> {
  const { stores, params: { id }, config, by, form } = visit
  const change = changeOf(visit)
  const { before, differences } = await planUpdate(stores, id, { change: () => change, schemes: config.callbackSchemes }, by)
  if (Object.keys(differences).length === 0) throw invalid('', reason('reason.nothing-to-save'))
  const { transaction: _, version: _version, step: _step, ...fields } = form.fields
  return {
    view: 'review-app',
    title: message('console.review.title', { name: before.name }),
    data: {
      path: pathOfApp(id),
      name: before.name,
      changes: showDifferences(differences),
      notes: [
        ...secretsAfter(differences.tokenEndpointAuthMethod),
        ...await missingRoles(change.signInRoles ?? [], async () => await findRoles(stores))
      ],
      version: etagOf(before),
      fields: Object.entries(fields).flatMap(([name, value]) => [value ?? []].flat().map(value => ({ name, value })))
    },
    form: { ...form, faults }
  }
}

/** How the app's secrets change, as a sentence; empty if they do not. */
function secretsAfter (method: { readonly from: unknown, readonly to: unknown } | undefined): Message[] {
  const [had, has] = [method?.from, method?.to].map(value => value !== undefined && hasSecret({ tokenEndpointAuthMethod: String(value) }))
  if (had === has) return []
  return [message(has ? 'console.review.secret-added' : 'console.review.secrets-removed')]
}
