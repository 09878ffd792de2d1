import t from 'tap'
import { createRegisteredSecrets } from '../../src/registration/credentials.js'
import { hashOpaqueToken } from '../../src/sign-in/opaque-token.js'

const [one, two, three] = ['a', 'b', 'c'].map(it => it.repeat(32)) as [string, string, string]
const createdAt = new Date('2030-01-01T00:00:00.123Z')

t.test('a secret is found again from its hash, while SECRET_KEY or the one before is that it was made with', t => {
  const secret = createRegisteredSecrets({ secretKey: one }).make('app-1', createdAt)
  t.match(secret, /^[\w-]{43}$/)
  const stored = [{ clientId: 'app-1', slot: 1, hash: 'of an operator', createdAt }, { clientId: 'app-1', slot: 2, hash: hashOpaqueToken(secret), createdAt }]
  t.equal(createRegisteredSecrets({ secretKey: one }).find(stored), secret)
  t.equal(createRegisteredSecrets({ secretKey: two, previousSecretKey: one }).find(stored), secret)
  t.equal(createRegisteredSecrets({ secretKey: three, previousSecretKey: two }).find(stored), undefined)
  t.equal(createRegisteredSecrets({ secretKey: one }).find(stored.slice(0, 1)), undefined)
  t.equal(createRegisteredSecrets({ secretKey: one }).find([]), undefined)
  t.end()
})

t.test('each secret is another one: of another app, time or key', t => {
  const { make } = createRegisteredSecrets({ secretKey: one })
  const later = new Date(createdAt.getTime() + 1)
  t.equal(new Set([
    make('app-1', createdAt), make('app-2', createdAt), make('app-1', later), createRegisteredSecrets({ secretKey: two }).make('app-1', createdAt)
  ]).size, 4)
  t.end()
})
