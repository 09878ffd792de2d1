import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Finding } from '@frontdesk/service-kit/doctor/finding'
import { checkToken } from '../../src/cli/doctor/token.js'
import { makeKey, startIssuer, type Mint } from '../support/issuer.js'
import { run } from '../support/cli/frontdesk-customer.js'

const now = Math.floor(Date.now() / 1_000)

t.test('why a token is accepted or not, and never the token itself', async t => {
  const { url, audience, mint, state } = await startIssuer(t)
  const other = await makeKey('other')
  const rsa = await makeKey('rsa', 'RS256')
  state.keys.push(rsa.jwk)
  const page = readFileSync(new URL('../../../../../docs/how-to/check-an-installation.md', import.meta.url), 'utf8')
  const rows: Array<[name: string, token: Mint | ((token: string) => string), sentence: string | RegExp]> = [
    [
      'one that is accepted',
      {},
      /^ok: The token is accepted, until \d{4}-\S+Z: desk may act for person-1\.\nok: It allows customer:read, customer:write, customer:delete\.$/
    ],
    ['no scope of ours', { claims: { scope: 'openid' } }, 'warning: It allows nothing here: it has no scope of this service.'],
    ['another issuer', { claims: { iss: `${url}/` } }, `wrong: The token is refused: its iss is "${url}/", and ISSUER is "${url}".`],
    [
      'another audience',
      { claims: { aud: 'https://other.example' } },
      `wrong: The token is refused: its aud is "https://other.example", and AUDIENCE is "${audience}".`
    ],
    ['no audience', { claims: { aud: undefined } }, 'wrong: The token is refused: its aud is missing'],
    [
      'one that has ended',
      { claims: { exp: now - 120 } },
      /^wrong: The token is refused: it expired at \d{4}-\S+Z, and it is \d{4}-\S+Z here\./
    ],
    ['one from the future', { claims: { iat: now + 120 } }, 'wrong: The token is refused: it is not valid before '],
    ['another typ', { header: { typ: 'JWT' } }, 'wrong: The token is refused: its typ is "JWT", but access tokens have "at+jwt"'],
    ['a key that is not published', { key: other }, 'wrong: The token is refused: its key (kid "other") is not at '],
    [
      'an algorithm that SIGNING_ALGS leaves out',
      { key: rsa },
      'wrong: The token is refused: it is signed with "RS256", and SIGNING_ALGS is ES256.'
    ],
    ['one that was changed', token => token.replace(/.{4}$/, 'AAAA'), 'wrong: The token is refused: its signature is wrong.'],
    ['half of one', token => token.slice(0, 40), 'wrong: The token is refused: Invalid Compact JWS.'],
    ['one too long', () => 'x'.repeat(9_000), 'wrong: The token is refused: too long.'],
    ['nothing', () => '', 'wrong: The token is refused: malformed header.']
  ]
  for (const [name, change, sentence] of rows) {
    const token = typeof change === 'function' ? change(await mint()) : await mint(change)
    const found: Finding[] = []
    for await (const finding of checkToken(
      { issuer: url, jwksUrl: url, revocationsUrl: null, revocationsMaxAge: 600, audience, algorithms: ['ES256'] },
      token
    )) { found.push(finding) }
    const told = found.map(({ state, sentence }) => `${state}: ${sentence}`).join('\n')
    t.match(told, sentence, name)
    if (name === 'another audience') {
      t.ok(page.includes(found.map(({ sentence, remedy }) => `✗ ${sentence}\n    ${remedy}\n`).join('')), 'as the documentation shows')
    }
    if (token !== '') t.notOk(JSON.stringify(found).includes(token.trim()), name)
  }
})

t.test('the token is the first line of standard input, with or without the word Bearer', async t => {
  const { url, audience, mint, state } = await startIssuer(t)
  const env = { ISSUER: url, JWKS_URL: url, AUDIENCE: audience, DATABASE_URL: 'file:/nowhere/none.db' }
  const token = await mint()
  for (const input of [token, ` Bearer ${token} \r\nmore\n`]) {
    const { stdout, ...rest } = await run(['doctor', '--token'], env, input)
    t.strictSame(rest, { code: 3, stderr: '' })
    t.match(stdout, '\n✓ The token is accepted, until ')
    t.notOk(stdout.includes(token))
    t.notMatch(stdout, 'Only a token shows whether', 'the token has answered that')
  }
  const long = await run(['doctor', '--token'], env, 'x'.repeat(1_000_000))
  t.equal(long.code, 1)
  t.match(long.stdout, '\n✗ The token is refused: too long.\n')
  state.isAway = true
  t.match((await run(['doctor', '--token'], env, token)).stdout, '? The token was not checked: the keys could not be fetched.')
})
