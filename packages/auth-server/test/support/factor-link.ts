import type { LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { loadConfig } from '../../src/config.js'
import { createFactorLinks } from '../../src/sign-in/factor-link.js'
import type { Administrator } from '../../src/stores/access/administrators.js'
// What it adds to Fastify's types.
import type {} from '../../src/plugins/clock.js'
import { codeClient } from './code-flow.js'
import { confirmationOf } from './enrolling.js'
import { formTokenOf, type Browser } from './helper.js'
import { prepareSecondStep } from './second-step.js'

/** An app that requires a factor, and links with which users set up one. */
export async function prepareFactorLinks (t: Test, env: Record<string, string> = {}) {
  const prepared = await prepareSecondStep(t, env)
  const { app, stores } = prepared
  await stores.clients.put(codeClient({ requiredAcr: 'urn:frontdesk:acr:mfa' }))
  const links = createFactorLinks(stores, loadConfig({}))

  /** Presses a button of a page of the link. */
  const press = async (browser: Browser, at: string, page: LightMyRequestResponse, fields: Record<string, string>) =>
    await browser.post(at, { transaction: formTokenOf(page), ...fields })
  return {
    ...prepared,
    press,
    /** The page of a user's link. */
    issue: async (username = 'ann', { secondsAgo = 0, shownTo }: { secondsAgo?: number, shownTo?: Administrator } = {}) => {
      const now = new Date(app.clock.now().getTime() - secondsAgo * 1_000)
      return `/set-up-factor?link=${(await links.issue((await stores.users.find(username))!, shownTo, now)).link}`
    },
    /** Opens a link and enters the password. */
    enterPassword: async (browser: Browser, at: string, password = 'correct horse') =>
      await press(browser, at, await browser.get(at), { decision: 'continue', password }),
    /** Confirms the app of a set-up page. */
    confirm: async (browser: Browser, at: string, page: LightMyRequestResponse) =>
      await press(browser, at, page, { decision: 'confirm-app', ...confirmationOf(page) })
  }
}
