import { updateClient } from '../../admin/clients.js'
import { invalid } from '../../admin/refusal.js'
import { reason } from '../../languages/reason.js'
import { whyNotLogo } from '../../oauth/client-logo.js'
import { pathOfApp } from './apps.js'
import { action, textOf } from './define.js'
import { editApp, LOGO_RULE } from './edit-app.js'

/** Maximum size of an uploaded form, in bytes: larger than a logo, so that the page can say that the file is too large. */
const UPLOAD_LIMIT = 1_024 * 1_024

/** Replaces the logo of an app, or removes it. */
export const setLogo = action('logo', '/apps/:id/logo', {
  page: editApp, right: 'manage', isSensitive: true, bodyLimit: UPLOAD_LIMIT
}, async visit => {
  const { stores, params: { id }, config, by } = visit
  const logo = textOf(visit, 'remove') === 'yes' ? null : textOf(visit, 'logo')
  if (logo === '') throw invalid('logo', reason('reason.choose-file'))
  if (logo !== null && whyNotLogo(logo) !== null) throw invalid('logo', reason('reason.logo', LOGO_RULE))
  await updateClient(stores, id, { change: () => ({ logo }), schemes: config.callbackSchemes }, by)
  return `${pathOfApp(id)}/edit`
})
