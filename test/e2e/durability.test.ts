import { createHash } from 'node:crypto'
import Database from 'better-sqlite3'
import t from 'tap'
import { authorizationUrl, Person, type ConsentPage } from '../support/person.js'
import { endStack, startStack } from '../support/stack.js'

/** How often the process is killed, and how many forms are sent at once each time. */
const ROUNDS = 20
const FORMS = 10

const stack = await startStack(t, ['auth-server'], { LOG_LEVEL: 'info' })
const person = new Person(stack)
const url = authorizationUrl(stack, { scope: 'customer:read' })

/** A form that was sent into a kill, and then twice more to the process that came after. */
interface Sent {
  nonceHash: string
  /** Id of the token that came back before the kill, if one did. */
  jti: string | undefined
  /** The statuses of the two later answers. */
  later: number[]
}

const sent: Sent[] = []
let rows = new Map<string, string>()

await t.test('the process is killed 20 times in the middle of answers, and starts again by itself', async t => {
  await person.allow(url, { username: 'demo', password: 'demo' })
  for (let round = 0; round < ROUNDS; round++) sent.push(...await sendAndKill(round % (FORMS - 1) + 1))
  rows = grants()
  t.ok(sent.some(({ jti }) => jti !== undefined), 'answers came before the kills')
  t.ok(sent.some(({ jti }) => jti === undefined), 'answers were cut off by the kills')
})

await t.test('every token that was given is recorded with its form, which stays spent', async t => {
  const given = sent.filter(({ jti }) => jti !== undefined)
  t.ok(given.length >= ROUNDS)
  t.same(given.filter(({ jti, nonceHash }) => rows.get(jti!) !== nonceHash), [])
  t.same(given.filter(({ later }) => later.some(status => status !== 400)), [])
})

await t.test('a form whose answer was cut off gives one token at most', async t => {
  const cut = sent.filter(({ jti }) => jti === undefined)
  t.same(cut.filter(({ later: [first, second] }) => second !== 400 || (first !== 400 && first !== 303)), [])
  t.equal(new Set(rows.values()).size, rows.size, 'no form is recorded twice')
})

await endStack(t, stack)

/** Sends forms at once, kills the process when so many answers have come, starts it again and sends each form twice. */
async function sendAndKill (answers: number): Promise<Sent[]> {
  const pages = await Promise.all(Array.from({ length: FORMS }, async () => await person.open(url)))
  let left = answers
  let killed: Promise<unknown> | undefined
  const locations = await Promise.all(pages.map(async page => {
    const location = await allow(page).then(({ headers }) => headers.get('location'), () => null)
    if (--left === 0) killed = stack.end('auth-server', 'SIGKILL')
    return location
  }))
  await killed
  await stack.start('auth-server')
  return await Promise.all(pages.map(async (page, index) => ({
    nonceHash: createHash('sha256').update(readJti(page.transaction)).digest('base64url'),
    jti: jtiOf(locations[index]!),
    later: [(await allow(page)).status, (await allow(page)).status]
  })))
}

async function allow (page: ConsentPage): Promise<Response> {
  return await person.submit(page, { decision: 'allow' })
}

function jtiOf (location: string | null): string | undefined {
  const token = new URLSearchParams(location?.split('#')[1]).get('access_token')
  return token === null ? undefined : readJti(token)
}

function readJti (jwt: string): string {
  // as: both kinds of JWT of auth-server have a jti.
  return (JSON.parse(Buffer.from(jwt.split('.')[1]!, 'base64url').toString()) as { jti: string }).jti
}

/** What is recorded: the hash of the form's nonce by the id of the token. */
function grants (): Map<string, string> {
  const database = new Database(stack.database('auth-server'), { readonly: true })
  try {
    // as: the columns that are asked for.
    const rows = database.prepare('SELECT id, nonce_hash FROM access_grant').all() as Array<{ id: string, nonce_hash: string }>
    return new Map(rows.map(row => [row.id, row.nonce_hash]))
  } finally {
    database.close()
  }
}
