import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { codeClient } from '../code-flow.js'
import { build, type Built } from '../helper.js'
import { beginLane, beginRound, LANES, survives, type Round } from './in-flight.js'

const ROUNDS = 25
const lanes = Array.from({ length: LANES }, (_, lane) => lane)

/** What ends access, and what lets the person and the client go on afterwards. */
const ENDINGS: Array<[name: string, end: (stores: Built['stores'], round: Round) => Promise<unknown>, goOn?: (stores: Built['stores'], round: Round) => Promise<unknown>]> = [
  ['the person changes the password', (stores, { user }) => stores.users.changePassword(user, 'new')],
  ['an administrator sets the password', (stores, { userId }) => stores.users.setPassword(userId, 'new')],
  ['the person is disabled', (stores, { userId }) => stores.users.setDisabled(userId, new Date()), (stores, { userId }) => stores.users.setDisabled(userId, null)],
  ['the person signs out everywhere', (stores, { userId }) => stores.users.endAccess(userId)],
  ['the person is removed', (stores, { userId }) => stores.users.remove(userId)],
  ['access is removed', (stores, { userId, clientId }) => stores.accesses.remove(userId, clientId)],
  ['the client is disabled', (stores, { clientId }) => stores.clients.setDisabled(clientId, new Date()), (stores, { clientId }) => stores.clients.setDisabled(clientId, null)],
  ['the client is revoked', (stores, { clientId }) => stores.clients.revoke(clientId)],
  ['the client is removed', (stores, { clientId }) => stores.clients.remove(clientId), (stores, { clientId }) => stores.clients.add(codeClient({ id: clientId }))],
  ['the client is removed with a file', (stores, { clientId }) => stores.clients.apply([], [clientId]), (stores, { clientId }) => stores.clients.add(codeClient({ id: clientId }))],
  ['the client is disabled with a file', (stores, { clientId }) => stores.clients.apply([{ ...codeClient({ id: clientId }), disabledAt: new Date() }], []), (stores, { clientId }) => stores.clients.setDisabled(clientId, null)]
]

for (const [name, end, goOn] of ENDINGS) {
  const endsSessions = /person|password/.test(name)
  t.test(`nothing in flight survives when ${name}, also after it goes on and the clean-up has run`, async t => {
    const built = await build(t)
    const survivors: string[] = []
    let inFlight = 0
    const outcomes: Array<[Round, Awaited<ReturnType<Awaited<ReturnType<typeof beginLane>>>>]> = []
    for (let i = 0; i < ROUNDS; i++) {
      const round = await beginRound(built)
      const begun = await Promise.all(lanes.map(async lane => await beginLane(built, round, lane)))
      const all = await Promise.all([...begun.map(async goOn => await goOn()), setTimeout(Math.random() * 4).then(async () => { await end(built.stores, round); return null })])
      const relevant = all.filter(it => it !== null && (endsSessions || !('session' in it)))
      inFlight += relevant.length
      await goOn?.(built.stores, round)
      for (const outcome of relevant) outcomes.push([round, outcome])
    }
    const look = async (when: string) => {
      for (const [round, outcome] of outcomes) {
        const survivor = await survives(built, round, outcome)
        if (survivor !== null) survivors.push(`${survivor} ${when}`)
      }
    }
    await look('afterwards')
    t.same(survivors, [], `0 survivors of ${inFlight} that were given`)
    t.ok(inFlight > ROUNDS, `${inFlight} were given before it ended`)
    const past = new Date(Date.now() + 200 * 86_400_000)
    const { sessions, codes, grants, refreshTokens, revocations } = built.stores
    // Without the grants and tokens themselves: it is their revocation that must not be missed.
    for (const store of [revocations, sessions, codes]) await store.sweep(past, 100_000)
    await look('after the clean-up of what says so')
    for (const store of [grants, refreshTokens]) await store.sweep(past, 100_000)
    await look('after the clean-up')
    t.same(survivors.filter(it => !it.startsWith('access token')), [], 'nothing revives')
  })
}
