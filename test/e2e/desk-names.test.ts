import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { accessibilityFindings, skip } from '../support/browser.js'
import { partsOf, startDesk } from '../support/desk.js'
import { authorizationUrl, Person } from '../support/person.js'
import { endStack, type Stack } from '../support/stack.js'

/** Two colleagues of the user: one has a name, one has none. */
const ODA = { username: 'oda', password: 'Odas geheimes Passwort' }
const UMA = { username: 'uma', password: 'Umas geheimes Passwort' }

await t.test('the desk says who changed a customer, by the names of the directory', { skip }, async t => {
  const { stack, page, resource, assertDocumented } = await startDesk(t, 3)
  const { panel } = partsOf(page)
  const change = async (token: string, id: number, changes: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/merge-patch+json' }
    t.equal((await fetch(`${resource}/${id}`, { method: 'PATCH', headers, body: JSON.stringify(changes) })).status, 204)
  }
  const [oda, uma] = [await signInAs(stack, ODA, ['--name', 'Oda Example']), await signInAs(stack, UMA)]
  const asked: string[] = []
  page.on('request', request => { if (request.url().endsWith('/directory')) asked.push(request.postData() ?? '') })
  const open = async (id: number) => {
    if (await panel.isVisible()) await page.keyboard.press('Escape')
    await page.locator('tr[data-id]').getByText(`Person 0${id}`).click()
  }
  const openHistory = async (id: number) => {
    await open(id)
    await panel.getByText('History').click()
    await panel.getByText('Added by you').waitFor()
  }

  await t.test('names are read once for a history, and kept; a user without a name is someone else', async t => {
    for (const id of [1, 2]) {
      await change(oda, id, { customerage: 41 })
      await change(uma, id, { customerage: 42 })
      await change(oda, id, { customeraddress: 'Elsewhere' })
    }
    await openHistory(1)
    await panel.getByText('Changed by Oda Example').first().waitFor()
    t.equal(await panel.getByText('Changed by Oda Example').count(), 2)
    t.equal(await panel.getByText('Changed by someone else').count(), 1)
    t.equal(asked.length, 1)
    t.equal(JSON.parse(asked[0]!).sub.length, 2)
    t.same(await accessibilityFindings(page), [])
    await openHistory(2)
    t.equal(await panel.getByText('Changed by Oda Example').count(), 2)
    t.equal(asked.length, 1)
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
    t.notMatch(stored, 'Oda Example')
    await change(uma, 2, { customerage: 43 })
    await panel.getByText('Age: 42 → 43').waitFor()
    t.equal(await panel.getByText('Changed by someone else').count(), 2, 'the open history stays open, and is read again')
  })

  await t.test('after five minutes they are read again; the token of the register and its renewal are not affected', async t => {
    await page.clock.install()
    await page.reload()
    await panel.getByText('History').click()
    await panel.getByText('Changed by Oda Example').first().waitFor()
    const before = asked.length
    await stack.register(['user', 'update', 'oda', '--name', 'Oda Newname'])
    await page.clock.fastForward('05:01')
    await open(3)
    await openHistory(2)
    await panel.getByText('Changed by Oda Newname').first().waitFor()
    t.equal(asked.length, before + 1)
    await page.clock.fastForward('05:00')
    await open(3)
    await panel.getByLabel('Address').fill('Here')
    await panel.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved Person 03.').waitFor()
  })

  await t.test('without the directory, the desk shows what it shows of unknown users', async t => {
    // Otherwise, the next ID token would have expired.
    await page.clock.setSystemTime(new Date())
    await page.route('**/directory', route => route.abort())
    await page.reload()
    await openHistory(1)
    t.equal(await panel.getByText('Changed by someone else').count(), 3)
    await page.keyboard.press('Escape')
    await page.unroute('**/directory')
    await stack.register(['client', 'update', 'desk', '--allowed-scope', '*'])
    // Until then, auth-server remembers the client as it was.
    await setTimeout(2_500)
    const before = asked.length
    await page.reload()
    await openHistory(1)
    t.equal(await panel.getByText('Changed by someone else').count(), 3)
    t.equal(asked.length, before, 'no token, no request')
  })

  assertDocumented(t)
  await endStack(t, stack)
})

/** Adds a person, and gives a token of theirs for the register. */
async function signInAs (stack: Stack, person: typeof ODA, attributes: string[] = []): Promise<string> {
  stack.leakCheck.secret(person.password)
  await stack.register(['user', 'add', person.username, ...attributes], `${person.password}\n`)
  const answer = new URL(await new Person(stack).allow(authorizationUrl(stack, { scope: 'customer:read customer:write' }), person))
  return new URLSearchParams(answer.hash.slice(1)).get('access_token') ?? ''
}
