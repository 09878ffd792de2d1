import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { readForeignHash } from '../../src/sign-in/foreign-hash.js'
import { createLimitSignIn } from '../../src/sign-in/limit-sign-in.js'
import { verifyPassword } from '../../src/sign-in/password.js'
import { createSignIn } from '../../src/sign-in/sign-in.js'
import { openStores } from '../../src/stores/stores.js'
import type { ImportedUser } from '../../src/stores/users/user-import.js'
import { longTimeouts, temporaryDatabase } from '../support/database.js'
import { CHEAP_HASH, FOREIGN_HASHES } from '../support/foreign-hashes.js'

export const onBothDatabases = true

const NONE = { name: null, givenName: null, familyName: null, email: null, emailVerified: false, locale: null, picture: null }

/** What checks passwords of a replica. */
async function openReplica (t: Test, url: string) {
  const stores = await openStores(url, longTimeouts)
  t.teardown(() => stores.close())
  const signIn = createSignIn(stores.users, createLimitSignIn(stores.throttles))
  let address = 0
  return {
    stores,
    // Each from an address of its own: no limit counts.
    attempt: async (username: string, password: string) =>
      await signIn({ username, password }, { address: `192.0.2.${++address}`, isGone: () => false })
  }
}

/** A user with an imported hash. */
function imported (username: string, hash: string): ImportedUser {
  const read = readForeignHash(hash)
  if (!('passwordHash' in read)) throw new Error(read.sentence)
  return { id: randomUUID(), username, ...read, passwordSetAt: new Date(), disabledAt: null, invitationDueAt: null, ...NONE, roles: [] }
}

t.test('hashes of other programs are checked', async t => {
  for (const [by, password, hash] of FOREIGN_HASHES) {
    t.match(readForeignHash(hash), { passwordHash: hash, foreignCost: Number }, by)
    t.equal(await verifyPassword(hash, password), true, by)
    t.equal(await verifyPassword(hash, `${password}x`), false, by)
  }
})

const bytes = (count: number) => Buffer.alloc(count, 1).toString('base64').replace(/=+$/, '')
const [SALT, HASH] = [bytes(16), bytes(32)]

t.test('hashes that cost too much, or are none, are refused with a sentence', async t => {
  const bcrypt = (cost: string, version = '2b') => `$${version}$${cost}$${'a'.repeat(21)}e${'a'.repeat(31)}`
  const pbkdf2 = (iterations: number, hash = HASH, kind = '-sha256') => `$pbkdf2${kind}$i=${iterations}$${SALT}$${hash}`
  const scrypt = (costs: string) => `$scrypt$${costs}$${SALT}$${HASH}`
  const argon2 = (costs: string) => `$argon2id$v=19$${costs}$${SALT}$${HASH}`
  const accepted = [
    bcrypt('04'), bcrypt('14'), bcrypt('10', '2y'), pbkdf2(2_000_000), pbkdf2(1_000_000, bytes(64)), pbkdf2(2_000_000, bytes(64), '-sha512'),
    scrypt('ln=17,r=8,p=1'), scrypt('ln=14,r=8,p=64'), argon2('m=262144,t=4,p=1'), argon2('m=8,t=1,p=1')
  ]
  const refused: Array<[hash: string, reason: RegExp]> = [
    [bcrypt('15'), /cost of bcrypt can be 4 to 14/], [bcrypt('03'), /cost of bcrypt/], [pbkdf2(2_000_001), /2,000,000 iterations/],
    [pbkdf2(1_000_001, bytes(64)), /2,000,000 iterations/], [pbkdf2(1_000, bytes(15)), /16 to 64 bytes/], [pbkdf2(1_000, bytes(65)), /16 to 64 bytes/],
    [scrypt('ln=20,r=8,p=2'), /N·r·p/], [scrypt('ln=19,r=8,p=1'), /256 MiB/], [argon2('m=262145,t=1,p=1'), /256 MiB/],
    [argon2('m=262144,t=5,p=1'), /1024 MiB over all passes/], [argon2('m=7,t=1,p=1'), /argon2 can/], [argon2('m=64,t=0,p=1'), /argon2 can/],
    ...['', 'correct horse', '5f4dcc3b5aa765d61d8327deb882cf99', bcrypt('10', '2x'), bcrypt('10').slice(1), `${bcrypt('10')}\n`, bcrypt('10').replace('e', 'f'),
      `${bcrypt('10').slice(0, -1)}b`, pbkdf2(1_000, HASH, '-md5')]
      .map((hash): [string, RegExp] => [hash, /must be one of: bcrypt, pbkdf2, scrypt, argon2/])
  ]
  for (const hash of accepted) t.match(readForeignHash(hash), { foreignCost: Number }, hash)
  for (const [hash, reason] of refused) t.match(String(readForeignHash(hash)), reason, hash)
})

t.test('every hash that is accepted can be checked: one that cannot would fail the sign-ins of others', async t => {
  const argon2 = (salt: string, hash = HASH, costs = 'm=64,t=1,p=1') => `$argon2id$v=19$${costs}$${salt}$${hash}`
  const scrypt = (costs: string, salt = SALT) => `$scrypt$${costs}$${salt}$${HASH}`
  const accepted = [
    argon2(bytes(8)), argon2(bytes(64)), argon2(bytes(150)), argon2(SALT, bytes(16)), argon2(SALT, bytes(64)), argon2(SALT, HASH, 'm=8000,t=1,p=999'),
    scrypt('ln=15,r=1,p=1'), scrypt('ln=10,r=8,p=1', 'A'), scrypt('ln=10,r=8,p=1', `${SALT}==`), `$pbkdf2-sha256$1$A$${HASH}`, `$2b$04$${'.'.repeat(53)}`
  ]
  for (const hash of accepted) {
    t.match(readForeignHash(hash), { foreignCost: Number }, hash)
    for (const password of ['', 'a\0b', 'p'.repeat(1_024)]) t.equal(await verifyPassword(hash, password), false, hash)
  }
  const refused = [
    argon2(bytes(7)), argon2('A'.repeat(13)), argon2(`${SALT}==`), argon2(SALT, `${HASH}=`), argon2(`.${SALT.slice(1)}`), argon2(`${SALT.slice(0, -1)}x`),
    argon2(SALT, `${HASH.slice(0, -1)}x`), argon2(SALT, HASH, 'm=064,t=1,p=1'), argon2(SALT, HASH, 'm=64,t=01,p=1'),
    ...['ln=0,r=8,p=1', 'ln=10,r=0,p=1', 'ln=10,r=8,p=0', 'ln=16,r=1,p=1', 'ln=1,r=9999,p=400'].map(costs => scrypt(costs)), `$pbkdf2-sha256$0$${SALT}$${HASH}`
  ]
  for (const hash of refused) t.match(readForeignHash(hash), /^(argon2|scrypt|PBKDF2) can have/, hash)
})

t.test('the first sign-in with a right password replaces an imported hash, and a wrong one does not', async t => {
  const { stores, attempt } = await openReplica(t, await temporaryDatabase(t))
  await stores.users.addAll(FOREIGN_HASHES.map(([by, , hash]) => imported(by, hash)))
  const [first, , unchanged] = FOREIGN_HASHES[0]!
  t.equal((await attempt(first, 'wrong')).outcome, 'wrong')
  t.equal((await stores.users.find(first))?.passwordHash, unchanged)
  for (const [by, password, hash] of FOREIGN_HASHES) {
    const result = await attempt(by, password)
    const after = await stores.users.find(by)
    t.match(result, { outcome: 'signed in', user: { passwordHash: after?.passwordHash, foreignCost: null } }, by)
    t.match(after, { passwordHash: /^\$argon2id\$/, foreignCost: null }, by)
    t.not(after?.passwordHash, hash)
    t.equal((await attempt(by, password)).outcome, 'signed in', 'again')
  }
  t.equal(await stores.users.findSlowestHash(), null)
})

t.test('the imported hash of a disabled user delays no one, until the user is enabled', async t => {
  const { stores: { users } } = await openReplica(t, await temporaryDatabase(t))
  const [cheap, slow] = [imported('cheap', CHEAP_HASH), { ...imported('slow', CHEAP_HASH), foreignCost: 1_000_000, disabledAt: new Date() }]
  await users.addAll([slow])
  t.equal(await users.findSlowestHash(), null)
  await users.addAll([cheap])
  t.match(await users.findSlowestHash(), { foreignCost: cheap.foreignCost })
  await users.setDisabled('slow', null)
  t.match(await users.findSlowestHash(), { foreignCost: slow.foreignCost })
  await users.setDisabled('slow', new Date())
  t.match(await users.findSlowestHash(), { foreignCost: cheap.foreignCost })
})

t.test('concurrent first sign-ins on two replicas all succeed, and the hash is replaced once', async t => {
  const url = await temporaryDatabase(t)
  const replicas = [await openReplica(t, url), await openReplica(t, url)]
  const { users } = replicas[0]!.stores
  for (let round = 0; round < 5; round++) {
    const user = imported(`user ${round}`, CHEAP_HASH)
    await users.addAll([user])
    const replaced: string[] = []
    for (const { stores } of replicas) {
      const { replaceHash } = stores.users
      stores.users.replaceHash = async (verified, hash) => {
        const isReplaced = await replaceHash(verified, hash)
        if (isReplaced) replaced.push(hash)
        return isReplaced
      }
    }
    const results = await Promise.all(replicas.flatMap(({ attempt }) => [1, 2, 3, 4].map(() => attempt(user.username, 'correct horse'))))
    const after = await users.find(user.username)
    t.strictSame(replaced, [after?.passwordHash])
    for (const result of results) t.match(result, { outcome: 'signed in', user: { passwordHash: after?.passwordHash, epoch: 0 } })
  }
})

t.test('a hash is not replaced if the password changes meanwhile, whose session then does not start', async t => {
  const { stores, attempt } = await openReplica(t, await temporaryDatabase(t))
  await stores.users.addAll([imported('ann', CHEAP_HASH)])
  const { replaceHash } = stores.users
  stores.users.replaceHash = async (verified, hash) => {
    await stores.users.setPassword('ann', hash.replace(/.{8}$/, 'AAAAAAAA'))
    return await replaceHash(verified, hash)
  }
  const result = await attempt('ann', 'correct horse')
  t.match(result, { outcome: 'signed in', user: { passwordHash: CHEAP_HASH } })
  t.match(await stores.users.find('ann'), { passwordHash: /AAAAAAAA$/, foreignCost: null })
})
