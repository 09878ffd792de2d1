import t from 'tap'
import { loadConfig } from '../src/config.js'

const WHOLE = {
  UPSTREAM_ISSUER: 'https://login.example',
  UPSTREAM_NAME: 'Example',
  UPSTREAM_CLIENT_ID: 'frontdesk',
  UPSTREAM_CLIENT_SECRET: 'a secret'
}

t.test('without the settings there is no upstream provider; with all of them, there is one', async t => {
  t.equal(loadConfig({}).upstream, undefined)
  t.same(loadConfig({ ...WHOLE, UPSTREAM_DOMAINS: 'example.com, xn--bcher-kva.example' }).upstream, {
    issuer: 'https://login.example', name: 'Example', clientId: 'frontdesk', clientSecret: 'a secret', domains: ['example.com', 'xn--bcher-kva.example']
  })
  t.same(loadConfig({ ...WHOLE, UPSTREAM_ISSUER: 'http://localhost:4000/realm' }).upstream?.domains, [])
  const shown = loadConfig(WHOLE).settings.find(it => it.name === 'UPSTREAM_CLIENT_SECRET')
  t.notMatch(JSON.stringify(shown), 'a secret')
})

t.test('a missing or invalid setting stops the start with a sentence', async t => {
  for (const name of Object.keys(WHOLE)) {
    const { [name as keyof typeof WHOLE]: _missing, ...rest } = WHOLE
    t.throws(() => loadConfig(rest), { message: `${name} is missing. ` }, name)
  }
  const rows: Array<[env: Record<string, string>, sentence: RegExp]> = [
    [{ UPSTREAM_DOMAINS: 'example.com' }, /UPSTREAM_ISSUER is missing\. .*; UPSTREAM_DOMAINS is\./],
    [{ ...WHOLE, UPSTREAM_ISSUER: 'http://login.example' }, /UPSTREAM_ISSUER must be the https issuer/],
    [{ ...WHOLE, UPSTREAM_ISSUER: 'https://login.example/?a=b' }, /UPSTREAM_ISSUER must be/],
    [{ ...WHOLE, ISSUER: WHOLE.UPSTREAM_ISSUER }, /UPSTREAM_ISSUER must be another server than ISSUER\./],
    [{ ...WHOLE, UPSTREAM_NAME: 'x'.repeat(41) }, /UPSTREAM_NAME must have 1 to 40 characters/],
    [{ ...WHOLE, UPSTREAM_NAME: ' ' }, /UPSTREAM_NAME must have/],
    ...['*', '*.example.com', 'Example.com', 'example', '@example.com', 'example.com.', 'bücher.example'].map((domains): [Record<string, string>, RegExp] =>
      [{ ...WHOLE, UPSTREAM_DOMAINS: domains }, /UPSTREAM_DOMAINS must be a comma-separated list of domains/])
  ]
  for (const [env, sentence] of rows) t.throws(() => loadConfig(env), { message: sentence }, JSON.stringify(env))
})
