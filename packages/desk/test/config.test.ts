import { brandSettings } from '@frontdesk/service-kit/brand/settings'
import t from 'tap'
import { loadConfig, Settings } from '../src/config.js'

const production = {
  ENVIRONMENT: 'production', ISSUER: 'https://login.example', CUSTOMER_URL: 'https://customers.example/', CLIENT_ID: 'my-desk'
}

t.test('in development, the desk finds the services of npm start', async t => {
  t.match(loadConfig({}), { host: '127.0.0.1', port: 3002, issuer: 'http://localhost:3000', customerUrl: 'http://localhost:3001' })
})

t.test('settings replace the defaults; CUSTOMER_URL loses its trailing slash', async t => {
  t.match(loadConfig({ ...production, BRAND_NAME: 'Müller' }), {
    issuer: 'https://login.example', customerUrl: 'https://customers.example', clientId: 'my-desk', brand: { name: 'Müller' }, production: true
  })
})

t.test('the brand settings are those of auth-server\'s pages', async t => {
  t.match(Settings.properties, brandSettings)
})

t.test('a missing or wrong setting stops the start with a sentence', async t => {
  const rows: Array<[changes: Record<string, string>, sentence: RegExp]> = [
    [{ ISSUER: '' }, /^ISSUER must be set in production: the public address of auth-server, such as https:\/\/login\.example\.$/],
    [{ CUSTOMER_URL: '' }, /^CUSTOMER_URL must be set in production: /],
    [{ CLIENT_ID: '' }, /^CLIENT_ID must be set in production: the client_id that the desk is registered with\.$/],
    [{ ISSUER: 'http://login.example' }, /^ISSUER must begin with https:\/\/ in production, unless it is on this machine\.$/],
    [{ CUSTOMER_URL: 'http://customers.example' }, /^CUSTOMER_URL must begin with https:\/\/ in production/],
    [{ ISSUER: 'ftp://login.example' }, /^ISSUER must be an http or https address without user name, query and fragment\.$/],
    [{ CUSTOMER_URL: 'https://a@customers.example' }, /^CUSTOMER_URL must be an http or https address/],
    [{ CLIENT_ID: 'my desk' }, /^CLIENT_ID must be the client_id of an app/],
    [{ PORT: '70000' }, /^PORT must be a whole number from 0 to 65535\.$/],
    [{ BRAND_COLOR: 'green' }, /^BRAND_COLOR must be a color such as #0b6e4f\.$/]
  ]
  for (const [changes, message] of rows) t.throws(() => loadConfig({ ...production, ...changes }), { message }, JSON.stringify(changes))
  t.throws(() => loadConfig({ ...production, CLIENT_ID: '', CLIENTID: 'x' }), { message: /CLIENTID is not a setting. Did you mean CLIENT_ID\?/ })
})
