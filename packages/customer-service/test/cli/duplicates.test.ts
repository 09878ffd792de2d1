import { tmpdir } from 'node:os'
import t from 'tap'
import { run, standIn } from '../support/cli/frontdesk-customer.js'
import { buildOnce } from '../support/helper.js'

t.test('duplicates prints pairs of customers that may be registered twice', async t => {
  const { listen, register } = await buildOnce(t, { AUTH: 'none' })
  const env = { XDG_CONFIG_HOME: tmpdir(), CUSTOMER_URL: `http://localhost:${await listen()}` }
  t.same(await run(['duplicates'], env), { code: 0, stdout: 'There are no possible duplicates.\n', stderr: '' })
  for (const [id, address] of [[1, 'Rue Lepic'], [2, 'Rue Lepic 15'], [3, 'Rue Lepic']] as const) await register(id, 'Zoë', address)
  t.same(await run(['duplicates'], env), {
    code: 0,
    stdout: 'NUMBERS  NAME  AGES    ADDRESSES\n' +
      '1, 2     Zoë   33, 33  Rue Lepic | Rue Lepic 15\n' +
      '1, 3     Zoë   33, 33  Rue Lepic\n',
    stderr: ''
  })
  const { stdout } = await run(['duplicates', '--json'], env)
  t.match(JSON.parse(stdout), [{ customers: [{ customerid: 1 }, { customerid: 2 }], similar: ['address', 'age'] }, {}])
  t.match(await run(['duplicates', '--url', 'http://127.0.0.1:1'], env), { code: 1, stdout: '' })
})

t.test('duplicates prints at most 1,000 pairs, also if a page has fewer than it can', async t => {
  const customer = { customername: 'Zoë', customerage: 33, customeraddress: 'Rue Lepic', etag: '', created: '', updated: '', href: '' }
  const pair = { customers: [{ customerid: 1, ...customer }, { customerid: 2, ...customer }], similar: ['age'] }
  const url = await standIn(t, (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost')
    const items = Array(searchParams.has('cursor') ? Number(searchParams.get('limit')) : 199).fill(pair)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ items, next: 'more' }))
  })
  const { code, stdout, stderr } = await run(['duplicates', '--url', url, '--json'], { XDG_CONFIG_HOME: tmpdir() })
  t.equal(JSON.parse(stdout).length, 1_000)
  t.match({ code, stderr }, { code: 0, stderr: /^There are more pairs\. / })
})
