import { start } from '@frontdesk/auth-server/testing'
import t from 'tap'
import { buildOnce } from '../support/helper.js'
import { standIn } from '../support/cli/frontdesk-customer.js'
import { person } from '../support/cli/person.js'

const server = await start()
t.teardown(() => server.close())
await server.addPerson({ username: 'erika' })
await server.addClient({
  id: 'frontdesk-customer', name: 'Customer register', grantTypes: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token']
})

t.test('an export that needs a stronger sign-in says which, and login requests it', async t => {
  const AUDIENCE = 'http://localhost:3001'
  const { issuer: ISSUER, jwksUrl: JWKS_URL, revocationsUrl: REVOCATIONS_URL } = server
  const { listen } = await buildOnce(t, {
    ISSUER, JWKS_URL, REVOCATIONS_URL, AUDIENCE, STEP_UP_ACR: 'urn:frontdesk:acr:mfa', STEP_UP_MAX_AGE: '300'
  })
  const url = `http://localhost:${await listen()}`
  const { command, login } = await person(t, server)
  await login('allow')
  const options = '--acr urn:frontdesk:acr:mfa --max-age 300'
  t.same(await command('export', '--url', url), {
    code: 1,
    stdout: '',
    stderr: 'This requires a sign-in with the acr urn:frontdesk:acr:mfa or phr, at most 300 seconds ago. Sign in again. ' +
      `Run this, then repeat your command:\n  frontdesk-customer login --issuer ${server.issuer} ${options}\n` +
      `If you have no second factor yet, add one first: ${server.issuer}/account\n`
  })
  t.match(await login('allow', ...options.split(' ')), { code: 0, stdout: /^Signed in as erika/m })
  t.match(await command('login', '--acr', 'mfa'), { code: 2, stderr: /Allowed choices are urn:frontdesk:acr:password, urn:frontdesk:acr:mfa, phr/ })
  t.match(await command('login', '--max-age', 'x'), { code: 2, stderr: /Give a whole number from 0 to 86400\./ })
})

t.test('login requests a level and an age of the sign-in from the server', async t => {
  const asked: URLSearchParams[] = []
  const issuer = await standIn(t, (request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.url === '/device_authorization') {
      let body = ''
      request.on('data', part => { body += String(part) }).on('end', () => {
        asked.push(new URLSearchParams(body))
        response.writeHead(400).end('{"error":"invalid_request"}')
      })
    } else {
      const { host } = request.headers
      response.end(JSON.stringify({ issuer: `http://${host}`, device_authorization_endpoint: `http://${host}/device_authorization` }))
    }
  })
  const { command } = await person(t, server)
  await command('login', '--issuer', issuer, '--acr', 'urn:frontdesk:acr:mfa', '--max-age', '0')
  await command('login', '--issuer', issuer)
  t.same(asked.map(it => [it.get('acr_values'), it.get('max_age')]), [['urn:frontdesk:acr:mfa phr', '0'], [null, null]])
})
