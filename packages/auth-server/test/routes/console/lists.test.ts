import t from 'tap'
import { client } from '../../support/helper.js'
import { buildConsole, type ConsoleBrowser } from '../../support/admin/console.js'

export const onBothDatabases = true

/** The texts of the links in the first column, over all pages of a list. */
async function listed (browser: ConsoleBrowser, path: string): Promise<string[]> {
  const names: string[] = []
  for (let address: string | undefined = path; address !== undefined;) {
    const { body } = await browser.open(address)
    names.push(...[...body.matchAll(/<a href="\/admin\/\w+\/[^"/]+"><bdi>([^<]+)<\/bdi><\/a>(?=<span class="note">|<\/td>)/g)].map(([, name]) => name!))
    const next = /href="([^"]+)">Next page/.exec(body)?.[1]?.replaceAll('&amp;', '&')
    address = next === undefined ? undefined : `${path.split('?')[0]}${next}`
  }
  return names
}

/** Names in the order in which their rows were added; of the same millisecond, by id. */
function inOrder (rows: ReadonlyArray<{ readonly id: string, readonly createdAt: Date, readonly name: string }>): string[] {
  const keyOf = ({ createdAt, id }: typeof rows[number]) => `${createdAt.toISOString()} ${id}`
  return rows.toSorted((one, other) => keyOf(one) < keyOf(other) ? -1 : 1).map(({ name }) => name)
}

t.test('people are sorted by name or by when they were added, by links, page by page', async t => {
  const { add, as, stores } = await buildConsole(t)
  await add('root', 'auditor')
  for (let i = 0; i < 60; i++) await add(`user-${String((i * 7) % 60).padStart(2, '0')}`)
  const added = inOrder((await stores.users.list()).map(({ username: name, ...user }) => ({ ...user, name })))
  const root = as('root')
  t.same(await listed(root, '/people'), added.toSorted())
  t.same(await listed(root, '/people?sort=oldest'), added)
  t.same(await listed(root, '/people?sort=newest'), added.toReversed())
  t.same(await listed(root, '/people?sort=nonsense'), added.toSorted())

  const heads = (body: string) => [...body.matchAll(/<th scope="col"[^>]*?( aria-sort="\w+")?><a href="([^"]+)">(\w+)</g)]
    .map(([, sorted = '', href, label]) => `${label}${sorted} ${href}`)
  t.same(heads((await root.open('/people')).body), ['Name aria-sort="ascending" ?', 'Added ?sort=newest'])
  t.same(heads((await root.open('/people?sort=newest')).body), ['Name ?', 'Added aria-sort="descending" ?sort=oldest'])
  t.same(heads((await root.open('/people?sort=oldest')).body), ['Name ?', 'Added aria-sort="ascending" ?sort=newest'])
  t.same(heads((await root.open('/people?search=user&sort=newest')).body), [], 'what is found is in the order of names')
  t.match((await root.open('/people?sort=newest&after=nonsense')).body, 'user-')
})

t.test('apps are sorted by client_id or by when they were added, with the filters kept, and say how many there are', async t => {
  const { add, as, stores } = await buildConsole(t)
  await add('root', 'auditor')
  const root = as('root')
  const ids = Array.from({ length: 60 }, (_, i) => `app-${String((i * 7) % 60).padStart(2, '0')}`)
  for (const id of ids) await stores.clients.add(client({ id, name: id, ...Number(id.slice(4)) % 2 === 0 && { disabledAt: new Date() } }))
  const added = inOrder(await stores.clients.list())
  t.same(await listed(root, '/apps?sort=oldest'), added)
  t.same(await listed(root, '/apps?sort=newest'), added.toReversed())
  t.same(await listed(root, '/apps?sort=newest&search=app-'), added.toReversed().filter(name => name.startsWith('app-')))
  const { body } = await root.open('/apps?sort=newest')
  t.match(body, 'First 50 of 61')
  t.match(body, '<input type="hidden" name="sort" value="newest">', 'a search keeps the order')
  t.match((await root.open('/apps?search=app-1&sort=newest')).body, 'href="?search=app-1&amp;sort=oldest"')
})

t.test('a cursor with a time that a database cannot read is ignored', async t => {
  const { add, as } = await buildConsole(t)
  await add('root', 'auditor')
  const root = as('root')
  for (const day of ['+275760-09-13', '-271821-04-20', '0000-01-01', '9999-12-31']) {
    for (const path of ['/people?sort=newest', '/people?sort=oldest', '/apps?sort=newest', '/apps?sort=oldest']) {
      const { statusCode, body } = await root.open(`${path}&after=${encodeURIComponent(`${day}T00:00:00.000Z x`)}`)
      t.equal(statusCode, 200, `${path} ${day}`)
      t.match(body, path.startsWith('/people') ? 'root' : 'app')
    }
  }
})
