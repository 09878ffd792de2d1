import t from 'tap'
import { codeClient, codeQuery, queryOf } from '../../support/code-flow.js'
import { prepareSecondStep } from '../../support/second-step.js'

export const onBothDatabases = true

const CLAIMS = JSON.stringify({ id_token: { acr: { essential: true, values: ['urn:frontdesk:acr:mfa', 'phr'] } } })

t.test('an app that a signed-in user has not allowed does not learn whether the user has a factor', async t => {
  const { stores, open, enroll, enterCode } = await prepareSecondStep(t)
  await stores.clients.put(codeClient({ id: 'other' }))
  const browser = open()
  await browser.allow(codeQuery())
  const search = (id: string, more = {}) => codeQuery({ client_id: id, scope: 'openid', claims: CLAIMS, ...more })
  const silently = async (id: string) => queryOf(await browser.get(`/consent?${search(id, { prompt: 'none' })}`)).error
  const look = async (what: string) => {
    t.equal(await silently('other'), 'consent_required', what)
    t.match(await browser.get(`/consent?${search('other')}`), { statusCode: 200, body: /Sign in to/ }, what)
  }
  await look('no factor')
  t.match(queryOf(await browser.allow(search('other'))), { error: 'unmet_authentication_requirements' }, 'after Allow')
  const { code } = await enroll()
  await look('a factor that was not used')
  await enterCode(browser, await browser.allow(search('app')), code(), { search: search('app') })
  await look('a factor that was used')
  t.equal(await silently('app'), undefined, 'the app that the user allowed')
})
