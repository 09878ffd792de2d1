import type { FastifyPluginAsync } from 'fastify'
import { Type } from '@sinclair/typebox'
import type { Config } from '../../config.js'
import type { FormKeys } from '../../consent/form-keys.js'
import type { Enrollments } from '../../factors/enrollment.js'
import type { PasskeyEnrollments } from '../../factors/passkey-enrollment.js'
import type { SetUpRule } from '../../factors/set-up-rule.js'
import type { Notify } from '../../mail/notices.js'
import { siteName } from '../../settings/site-name.js'
import { createEmailLinks } from '../../sign-in/email-link.js'
import { createEmailVerification } from '../../sign-in/email-verification.js'
import type { Stores } from '../../stores/stores.js'
import type { MailedCodeSteps } from '../sign-in/mailed-code-steps.js'
import type { SignInSteps } from '../visit.js'
import account from './account.js'
import { createPasskeyUpgrade } from './passkey-upgrade.js'
import passkeys from './passkeys.js'
import signOut from './sign-out.js'
import twoStep from './two-step.js'
import verifyEmail from './verify-email.js'

interface Options {
  config: Config
  stores: Stores
  signInSteps: SignInSteps
  formKeys: FormKeys
  enrollments: Enrollments
  passkeyEnrollments: PasskeyEnrollments
  rule: SetUpRule
  codeSteps: MailedCodeSteps
  notify: Notify
  basePath: string
}

/** The account page, two-step sign-in, sign-out, and redirects to them. */
const accountPages: FastifyPluginAsync<Options> = async function accountPages (
  fastify,
  { config, stores, signInSteps, formKeys, enrollments, passkeyEnrollments, rule, codeSteps, notify, basePath }
) {
  await fastify.register(signOut, { formKeys, prefix: basePath })
  const emailLinks = createEmailLinks(stores.profiles, config)
  const { outbox } = fastify
  const verification = outbox && createEmailVerification({
    stores, emailLinks, outbox, issuer: config.issuer, site: siteName(config), now: () => fastify.clock.now()
  })
  const offerUpgrade = createPasskeyUpgrade({ ...stores.factors, formKeys, passkeyEnrollments })
  const setUpParts = { users: stores.users, rule, codeSteps }
  const accountParts = { offerUpgrade, verification, codeSteps, notify }
  await fastify.register(account, { config, stores, signInSteps, formKeys, ...accountParts, prefix: basePath })
  await fastify.register(passkeys, { stores, ...signInSteps, formKeys, passkeyEnrollments, setUpParts, notify, prefix: basePath })
  await fastify.register(twoStep, { stores, ...signInSteps, formKeys, enrollments, setUpParts, notify, prefix: basePath })
  if (outbox !== undefined) await fastify.register(verifyEmail, { stores, ...signInSteps, emailLinks, rule, prefix: basePath })
  await fastify.register(async function home (scope) {
    scope.get('/', {
      schema: {
        operationId: 'redirectToAccount',
        summary: 'Redirect to the account page',
        tags: ['Account page'],
        response: { 302: Type.Null({ description: 'Redirects to the account page.' }) }
      }
    }, async (request, reply) => reply.redirect(`${basePath}/account`, 302))
  }, { prefix: basePath })
  // For password managers (W3C, A Well-Known URL for Changing Passwords). It is at the origin, so not in the issuer's OpenAPI document.
  fastify.get('/.well-known/change-password', { schema: { hide: true } }, async (request, reply) =>
    reply.redirect(`${basePath}/account#change-password`, 303))
  const { issuer, relatedOrigins: origins } = config
  // For browsers at these origins (WebAuthn Level 3 §5.11.1).
  if (origins.length > 0) fastify.get('/.well-known/webauthn', { schema: { hide: true } }, async () => ({ origins }))
  // For password managers (W3C, A Well-Known URL for Relying Party Passkey Endpoints).
  const passkeysUrl = `${issuer}/account/passkeys`
  fastify.get('/.well-known/passkey-endpoints', { schema: { hide: true } }, async () => ({ enroll: passkeysUrl, manage: passkeysUrl }))
}
export default accountPages
