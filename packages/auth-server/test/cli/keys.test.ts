import t from 'tap'
import { openIdTokenSigner } from '../../src/keys/id-token-signer.js'
import { openKeyRing } from '../../src/keys/key-ring.js'
import { onDatabase } from '../support/cli/frontdesk-auth.js'
import { runLoaded } from '../support/cli/loaded.js'

const SECRET_KEY = 'abcdefghijklmnopqrstuvwxyz0123456789'

t.test('the signing keys from the first to an emergency, while a server has the database open', async t => {
  const { env: { DATABASE_URL }, stores } = await onDatabase(t)
  const cli = (args: readonly string[], env: Record<string, string> = {}) =>
    runLoaded(['keys', ...args], { env: { DATABASE_URL, SECRET_KEY, ...env } })
  const kids = async () => (await stores.signingKeys.list()).map(({ kid }) => kid)
  t.match(cli(['list']), { code: 0, stdout: 'There is no signing key yet: the server makes one when it starts.\n' })

  const ring = await openKeyRing(stores.signingKeys, { signingAlg: 'ES256', secretKey: SECRET_KEY })
  await ring.rotate(0)
  t.match(cli(['rotate']), { code: 0, stdout: /^Made the key \S+ \(ES256\)\. It signs from \d{4}-\d\d-\d\d \d\d:\d\dZ on\.\n$/ })
  t.match(cli(['rotate'], { SECRET_KEY: `${SECRET_KEY}x` }), { code: 1, stderr: /SECRET_KEY is not the one they were made with/ })
  const made = JSON.parse(cli(['rotate', '--signs-in', '600', '--json']).stdout) as { state: string, signs: string, signsFrom: string, createdAt: string }
  t.match(made, { state: 'announced', signs: 'access tokens' })
  t.equal(Date.parse(made.signsFrom) - Date.parse(made.createdAt), 600_000)
  for (const wrong of ['soon', '44']) {
    t.match(cli(['rotate', '--signs-in', wrong]), { code: 2, stderr: 'Give a whole number from 45 to 9999999.' })
  }

  const [first = '', second = '', ...announced] = await kids()
  const list = cli(['list']).stdout.trimEnd().split('\n')
  t.match(list.slice(0, 2), [/^KEY ID +ALG +SIGNS +STATE$/, /^ {2}SIGNS FROM +SIGNS UNTIL +RETIRES$/])
  t.notOk(list.find(line => line.length > 80))
  t.match(
    list.filter((_, at) => at > 1 && at % 2 === 0),
    [
      new RegExp(`^${first} +ES256 +access tokens +published`),
      new RegExp(`^${second} +ES256 +access tokens +signing`),
      ...announced.map(kid => new RegExp(`^${kid} +ES256 +access tokens +announced`))
    ]
  )

  t.match(cli(['retire', first]), { code: 1, stderr: 'There is no terminal to confirm at. Add --yes if you are sure.\n' })
  t.match(cli(['retire', first, '--yes']), { code: 0, stdout: `Retired the key ${first}. Every server follows within 10 seconds.\n` })
  t.match(cli(['retire', first, '--yes']), { code: 0, stdout: `The key ${first} was already retired.\n` })
  t.match(JSON.parse(cli(['retire', first, '--yes', '--json']).stdout), { kid: first, state: 'retired', signs: 'access tokens' })
  t.match(
    cli(['retire', second, '--yes']),
    { code: 1, stderr: 'No other key signs yet. Make one and wait until it signs: frontdesk-auth keys rotate --signs-in 45\n' },
    'an announced one does not sign yet'
  )
  t.match(cli(['retire', 'nonesuch', '--yes']), {
    code: 1,
    stderr: 'There is no signing key "nonesuch". To see all: frontdesk-auth keys list\n'
  })
})

t.test('the keys that sign ID tokens are listed, rotated and retired as well', async t => {
  const { env: { DATABASE_URL }, stores } = await onDatabase(t)
  const cli = (...args: string[]) => runLoaded(['keys', ...args], { env: { DATABASE_URL, SECRET_KEY } })
  t.match(cli('rotate', '--id-tokens'), { code: 1, stderr: 'No key signs ID tokens yet: the server makes one when it starts.\n' })
  const signer = await openIdTokenSigner(stores.idTokenKeys, { secretKey: SECRET_KEY })
  for (const alg of ['ES256', 'EdDSA'] as const) await signer.sign({}, alg)
  t.match(cli('rotate', '--id-tokens', '--signs-in', '45').stdout, /^Made the key \S+ \(ES256\).*\nMade the key \S+ \(EdDSA\).*\n$/)
  const [old, next] = await stores.idTokenKeys.of('ES256').list()
  const listed = JSON.parse(cli('list', '--json').stdout) as Array<{ kid: string, alg: string, signs: string, state: string }>
  t.same(listed.map(({ alg, signs, state }) => [alg, signs, state]), [
    ['ES256', 'ID tokens', 'signing'], ['ES256', 'ID tokens', 'announced'],
    ['EdDSA', 'ID tokens', 'signing'], ['EdDSA', 'ID tokens', 'announced']
  ])
  t.match(cli('retire', old!.kid, '--yes'), { code: 1, stderr: /No other key signs yet/ }, 'keys of another algorithm do not count')
  t.equal(await stores.idTokenKeys.of('ES256').retire(old!.kid, new Date(Date.now() + 60_000)), true)
  t.same(listed.filter(({ kid }) => kid === next!.kid).length, 1)
  t.match(JSON.parse(cli('rotate', '--id-tokens', '--json').stdout), [{ alg: 'ES256', signs: 'ID tokens' }, { alg: 'EdDSA', signs: 'ID tokens' }])
})
