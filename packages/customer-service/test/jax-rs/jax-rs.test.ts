import t from 'tap'
import { upToDate } from '../support/committed.js'
import { build } from '../support/helper.js'
import { sendUntilAdmitted, type Answer } from '../support/written.js'
import type { Case } from '../support/jax-rs/case.js'
import { cases } from '../support/jax-rs/cases.js'
import { page, type Outcome } from '../support/jax-rs/page.js'
import { NO_ACTOR } from '../../src/stores/changes/change.js'

const AGE = 33
const FORM = 'Content-Type: application/x-www-form-urlencoded'

t.test('every answer that a client of the JAX-RS sample gets is the one that docs/jax-rs.md shows', async t => {
  const start = async (env: Record<string, string>) => {
    const service = await build(t, env)
    return { ...service, port: await service.listen() }
  }
  const open = await start({ AUTH: 'none' })
  const outcomes: Outcome[] = []
  for (const { env, given = {}, request, answer, changes = {}, ...words } of cases) {
    const { customers, db, port } = env === undefined ? open : await start(env)
    await db.customer.deleteMany()
    for (const [id, name] of Object.entries(given)) await customers.register({ id: Number(id), name, age: AGE, address: 'piliyandala' }, NO_ACTOR)
    const before = await describeAll(db)
    const said = await sendUntilAdmitted(port, /^content-type:/im.test(request) ? request : request.replace('\n\n', `\n${FORM}\n\n`))
    const changed = differences(before, await describeAll(db))
    t.same(inShort(said), answer, words.what)
    t.same(changed, changes, `${words.what}: what is other afterwards`)
    outcomes.push({ ...words, request, said, changes: changed })
  }
  await upToDate(t, 'docs/jax-rs.md', page(outcomes))
})

/** Every customer there is, by identifier, in words. */
async function describeAll (db: Awaited<ReturnType<typeof build>>['db']) {
  const rows = await db.customer.findMany({ orderBy: { id: 'asc' } })
  return Object.fromEntries(rows.map(({ id, name, age, address }) => [id, [name, ...age === AGE ? [] : [age], address].join(', ')]))
}

function differences (before: Record<string, string>, after: Record<string, string>): Outcome['changes'] {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return Object.fromEntries(ids.filter(id => before[id] !== after[id]).map(id => [id, after[id] ?? null]))
}

/** An answer as a case writes it. */
function inShort ({ status, headers, body }: Answer): Case['answer'] {
  if (!body.includes('"requestId"')) return { status, headers, body }
  const { type, title, status: told, detail, instance, requestId, ...members } = JSON.parse(body)
  return { status: told, headers, problem: type.replace(/^.*\/problems\//, ''), members }
}
