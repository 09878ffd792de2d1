import t, { type Test } from 'tap'
import { updateUser } from '../../src/admin/users.js'
import { loadConfig } from '../../src/config.js'
import { makeRecoveryCodes } from '../../src/factors/recovery-code.js'
import { createSetUpRule, type Proof } from '../../src/factors/set-up-rule.js'
import { FACTOR_LINK_TTL } from '../../src/lifetimes.js'
import { cleanUp } from '../../src/plugins/clean-up.js'
import { createFactorLinks } from '../../src/sign-in/factor-link.js'
import type { Administrator } from '../../src/stores/access/administrators.js'
import type { VerifiedUser } from '../../src/stores/users/verified-user.js'
import { anyone } from '../support/factors.js'
import { prepareFactorRaces, winners } from '../support/races/factors.js'
import { LANES } from '../support/races/in-flight.js'

export const onBothDatabases = true

const ROUNDS = 25
const config = () => loadConfig({})
const SHELL = { kind: 'shell', name: 'test' } as const

const start = Date.now()
const later = (seconds: number) => new Date(start + seconds * 1_000)

type Prepared = Awaited<ReturnType<typeof prepareFactorRaces>>
type Replica = Pick<Prepared['stores'], 'factors'>

async function prepare (t: Test) {
  const prepared = await prepareFactorRaces(t)
  const { stores, secrets } = prepared
  const links = createFactorLinks(stores, secrets)
  const { permits } = createSetUpRule({ ...stores, sendsMail: false, adminAcr: undefined })
  /** Adds an app, or in every other pair of lanes a passkey. */
  const add = async ({ factors }: Replica, id: string, lane: number, { user, proof }: { user: VerifiedUser, proof: Proof }) => {
    const { hashes } = makeRecoveryCodes()
    return lane % 4 < 2
      ? await factors.authenticators.enroll(user, { id, secret: 'x', lastStep: 0, replaces: null, recoveryCodes: hashes }, permits(proof))
      : await factors.passkeys.enroll(user, { id, publicKey: 'x', counter: 0n, name: 'x' }, hashes, permits(proof))
  }
  const ann = async () => (await stores.users.find('ann'))!
  return {
    ...prepared,
    links,
    permits,
    add,
    ann,
    /** Makes and opens a link. */
    async begin (shownTo?: Administrator) {
      const user = await ann()
      const { link } = await links.issue(user, shownTo, later(0))
      const opened = await links.find(link, later(1))
      if (typeof opened === 'string') throw new Error(opened)
      const setUp = { user, proof: { by: 'link', link: opened.use } } as const
      return { link, use: async (replica: Replica, lane: number) => await add(replica, `${link.slice(-20)}-${lane}`, lane, setUp) }
    }
  }
}

/** How many factors a user has. */
async function count ({ factors }: Replica): Promise<number> {
  const { authenticator, passkeys } = await factors.find('ann')
  return passkeys.length + (authenticator === null ? 0 : 1)
}

t.test('a link adds one factor, once, of whichever kind and by whichever replica, also after that was removed', async t => {
  const { stores, race, links, begin } = await prepare(t)
  const [used, again, factors]: [number[], number[], number[]] = [[], [], []]
  const made: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { link, use } = await begin()
    made.push(link)
    used.push(winners(await race(use)))
    factors.push(await count(stores), (await stores.factors.find('ann')).recoveryCodes)
    t.equal(await links.find(link, later(1)), 'enrolled')
    await stores.factors.removeAll('ann')
    again.push(winners(await race(use)))
    t.equal(await links.find(link, later(1)), 'used')
  }
  t.same([...new Set(used)], [1])
  t.same([...new Set(again)], [0])
  t.same([...new Set(factors)].sort(), [1, 10])
  const last = later(FACTOR_LINK_TTL - 1)
  await cleanUp(stores, last)
  for (const link of made) t.equal(await links.find(link, last), 'used', 'until it expires')
  for (const past of [later(FACTOR_LINK_TTL), later(200 * 86_400)]) {
    await cleanUp(stores, past)
    for (const link of made) t.equal(await links.find(link, past), 'expired')
  }
})

t.test('of two links of a user, used at once, and a set-up without a link, one adds a factor', async t => {
  const { stores, race, begin, add, ann } = await prepare(t)
  for (let round = 0; round < ROUNDS; round++) {
    const [links, user] = [[await begin(), await begin()], await ann()]
    const results = await race(async (replica, lane) => await (links[lane % 3]?.use(replica, lane) ??
      add(replica, `${round}-${lane}`, lane, { user, proof: { by: 'password' } })))
    t.equal(winners(results), 1)
    t.equal(await count(stores), 1)
    await stores.factors.removeAll('ann')
  }
})

const endings: ReadonlyArray<readonly [name: string, end: (stores: Prepared['stores'], round: number) => Promise<unknown>]> = [
  ['the password changes', async ({ users }, round) => await users.setPassword('ann', `hash ${round}`)],
  ['access ends', async ({ users }) => await users.endAccess('ann')],
  ['the user is disabled', async ({ users }) => await users.setDisabled('ann', new Date())],
  ['who saw the link loses the right', async stores => await updateUser(stores, 'root', { attributes: {}, roles: [], config }, SHELL)]
]
for (const [name, end] of endings) {
  t.test(`a link that is used while ${name} adds a factor before that, or none`, async t => {
    const { stores, race, begin } = await prepare(t)
    await stores.users.add({ id: 'root', username: 'root', passwordHash: 'x', demo: false }, [])
    const survivors: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await stores.users.setDisabled('ann', null)
      await stores.roles.assign('root', ['administrator'])
      const { use } = await begin({ kind: 'user', userId: 'root', roles: ['administrator'] })
      const results = await race(async (replica, lane) => {
        if (lane !== round % LANES) return await use(replica, lane)
        await end(replica, round)
        return null
      })
      t.ok(winners(results) <= 1)
      t.equal(await count(stores), winners(results))
      await stores.factors.removeAll('ann')
      survivors.push(winners(await race(use)))
    }
    t.same([...new Set(survivors)], [0])
  })
}

t.test('a failed set-up leaves the link as it was', async t => {
  const { stores, ann, permits, begin } = await prepare(t)
  await stores.users.add({ id: 'bob', username: 'bob', passwordHash: 'x', demo: false })
  const known = { id: 'known', publicKey: 'x', counter: 0n, name: 'x' }
  await stores.factors.passkeys.enroll({ id: 'bob', passwordHash: 'x', epoch: 0 }, known, ['y'], anyone)
  const permit = permits({ by: 'link', link: { idHash: 'link', keptUntil: start / 1_000 + 90_000 } })
  t.equal(await stores.factors.passkeys.enroll(await ann(), known, ['z'], permit), null, 'a passkey of someone else')
  t.equal(await stores.spentIds.has('link'), false)
  t.ok(await (await begin()).use(stores, 0))
})
