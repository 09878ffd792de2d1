import t from 'tap'
import { openKeyRing } from '../../src/keys/key-ring.js'
import { onDatabase } from './frontdesk-auth.js'
import { runLoaded } from './loaded.js'

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
  const made = JSON.parse(cli(['rotate', '--signs-in', '600', '--json']).stdout) as { state: string, signsFrom: string, createdAt: string }
  t.equal(made.state, 'announced')
  t.equal(Date.parse(made.signsFrom) - Date.parse(made.createdAt), 600_000)
  t.match(cli(['rotate', '--signs-in', 'soon']), { code: 2, stderr: /whole number of seconds/ })
  t.match(cli(['rotate', '--signs-in', '44']), {
    code: 2,
    stderr: /Give 45 or more: servers that do not know the key yet would refuse its tokens\./
  })

  const [first = '', second = '', ...announced] = await kids()
  const list = cli(['list']).stdout.trimEnd().split('\n')
  t.match(list.slice(0, 2), [/^KEY ID +ALG +STATE +SIGNS FROM$/, /^ {2}SIGNS UNTIL +RETIRES$/])
  t.notOk(list.find(line => line.length > 80))
  t.match(
    list.filter((_, at) => at > 1 && at % 2 === 0),
    [
      new RegExp(`^${first} +ES256 +published `),
      new RegExp(`^${second} +ES256 +signing `),
      ...announced.map(kid => new RegExp(`^${kid} +ES256 +announced `))
    ]
  )

  t.match(cli(['retire', first]), { code: 1, stderr: 'There is no terminal to ask at. Add --yes if you are sure.\n' })
  t.match(cli(['retire', first, '--yes']), { code: 0, stdout: `Retired the key ${first}. Every server follows within 10 seconds.\n` })
  t.match(cli(['retire', first, '--yes']), { code: 0, stdout: `The key ${first} was already retired.\n` })
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
