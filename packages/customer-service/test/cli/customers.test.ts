import { tmpdir } from 'node:os'
import t from 'tap'
import { run, standIn } from '../support/cli/frontdesk-customer.js'
import { buildOnce } from '../support/helper.js'

const env = { XDG_CONFIG_HOME: `${tmpdir()}/none` }

t.test('list prints customers as a table or JSON, found, sorted and limited; get prints one; set changes fields', async t => {
  const { listen, register, read } = await buildOnce(t, { AUTH: 'none' })
  const service = { ...env, CUSTOMER_URL: `http://localhost:${await listen()}` }
  const command = async (...args: string[]) => await run(args, service)
  t.same(await command('list'), { code: 0, stdout: 'No customers were found.\n', stderr: '' })
  await register(1, 'Erika', 'Köln')
  await register(2, 'Bob', 'Köln')
  await register(3, 'Carl', 'Berlin')
  const { stdout } = await command('list', '--sort', '-id')
  t.match(stdout, /^NUMBER {2}NAME +AGE {2}ADDRESS\n3 +Carl +33 +Berlin\n2 +Bob +33 +Köln\n1 +Erika +33 +Köln\n$/)
  t.match(await command('list', '--q', 'köln', '--limit', '1'), {
    code: 0, stdout: /Erika/, stderr: 'There are more customers. To print them, raise --limit, or use "export".\n'
  })
  t.match(JSON.parse((await command('list', '--q', 'köln', '--json')).stdout), [{ customerid: 1, etag: /-json/ }, { customerid: 2 }])
  t.match(await command('list', '--sort', 'size'), { code: 1, stderr: /\nsort: / })
  t.match(await command('list', '--limit', '0'), { code: 2 })

  const found = JSON.parse((await command('get', '1', '--json')).stdout)
  t.match(found, { customerid: 1, customername: 'Erika', customerage: 33, customeraddress: 'Köln', etag: /^"\d+-json"$/ })
  t.match((await command('get', '1')).stdout, /^Number {3}1\nName {5}Erika\nAge {6}33\nAddress {2}Köln\nETag {5}"\d+-json"\n$/)
  t.same(await command('get', '4'), { code: 1, stdout: '', stderr: 'There is no customer with the identifier 4.\n' })

  t.same(await command('set', '1', '--age', '-3', '--address', 'Bonn', '--if-match', found.etag), { code: 0, stdout: 'Changed customer 1.\n', stderr: '' })
  t.match(await read(1), { customername: 'Erika', customerage: -3, customeraddress: 'Bonn' })
  t.same(await command('set', '1', '--age', '5', '--if-match', found.etag), {
    code: 1, stdout: '', stderr: 'The ETag you sent is not the customer\'s current ETag. Nothing was changed.\n'
  })
  t.match(await read(1), { customerage: -3 })
  t.same(JSON.parse((await command('set', '1', '--name', 'Eva', '--json')).stdout), { customerid: 1 })
  t.match(await read(1), { customername: 'Eva', customerage: -3 })
  t.match(await command('set', '1', '--name', 'a'.repeat(101)), { code: 1, stderr: /\ncustomername: / })
  t.match(await command('set', '1'), { code: 2, stderr: /^error: add --name, --age or --address\n/ })
  t.match(await command('set', '1', '--age', 'old'), { code: 2, stderr: /Give a whole number/ })
  t.match(await command('set', '9', '--age', '5'), { code: 1, stderr: 'There is no customer with the identifier 9.\n' })
})

t.test('removed lists removed customers, newest first, or finds them; restore brings one back, or an earlier version', async t => {
  const { listen, register, read, send } = await buildOnce(t, { AUTH: 'none' })
  const service = { ...env, CUSTOMER_URL: `http://localhost:${await listen()}` }
  const command = async (...args: string[]) => await run(args, service)
  t.same(await command('removed'), { code: 0, stdout: 'No removed customers were found.\n', stderr: '' })
  await register(1, 'Erika', 'Köln')
  await register(2, 'Bob', 'Berlin')
  t.match(await command('restore', '1'), { code: 1, stderr: /^Customer 1 was not removed\. To restore an earlier version, add it/ })
  for (const id of [1, 2]) await send('DELETE', `/rest/qa/customer/${id}`)
  t.match((await command('removed')).stdout, /^NUMBER {2}NAME +AGE {2}ADDRESS +REMOVED\n2 .*\n1 +Erika +33 +Köln +\d{4}-.*Z\n$/)
  t.match(await command('removed', '--limit', '1'), { stdout: /Bob/, stderr: 'There are more removed customers. To print them, raise --limit.\n' })
  const [erika] = JSON.parse((await command('removed', '--q', 'koln', '--json')).stdout)
  t.match(erika, { customerid: 1, customername: 'Erika', version: Number })
  t.same(await command('restore', '1'), { code: 0, stdout: 'Restored customer 1.\n', stderr: '' })
  t.match(await read(1), { customername: 'Erika', customeraddress: 'Köln' })
  t.same(JSON.parse((await command('removed', '--json')).stdout).map(({ customerid }: { customerid: number }) => customerid), [2])
  const [{ version }] = (await send('GET', '/rest/qa/customer/1/history?limit=1')).json().items
  await send('PATCH', '/rest/qa/customer/1', { form: { customername: 'Eva' } })
  t.same(JSON.parse((await command('restore', '1', `${version}`, '--json')).stdout), { customerid: 1 })
  t.match(await read(1), { customername: 'Erika' })
  t.match(await command('restore', '7'), { code: 1, stderr: 'There is no customer with the identifier 7, and no history.\n' })
})

t.test('list reads as many pages as it needs', async t => {
  const { listen, send } = await buildOnce(t, { AUTH: 'none' })
  const lines = Array.from({ length: 450 }, (_, index) => `${index + 1},Person ${index + 1},40,Somewhere`)
  const csv = ['customerid,customername,customerage,customeraddress', ...lines].join('\n')
  await send('POST', '/rest/qa/customer/import', { form: csv, headers: { 'content-type': 'text/csv' } })
  const command = async (limit: number) => await run(['list', '--json', '--limit', `${limit}`], { ...env, CUSTOMER_URL: `http://localhost:${await listen()}` })
  const all = await command(1_000)
  t.strictSame(JSON.parse(all.stdout).map(({ customerid }: { customerid: number }) => customerid), lines.map((_, index) => index + 1))
  t.equal(all.stderr, '')
})

t.test('a response that is not from customer-service is refused, with the reason', async t => {
  const url = await standIn(t, (request, response) => {
    if (request.url?.startsWith('/page')) response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Sign in</title>')
    else if (request.url?.startsWith('/other')) response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":3}')
    else response.writeHead(404).end()
  })
  const command = async (path: string) => await run(['list', '--url', `${url}${path}`], env)
  t.match(await command('/page'), { code: 1, stdout: '', stderr: /is a page \(HTML, status 200\)/ })
  t.match(await command('/other'), { code: 1, stdout: '', stderr: /./ })
  t.match(await command('/none'), { code: 1, stdout: '', stderr: /404/ })
  t.match(await run(['get', '1', '--url', url], env), { code: 1, stdout: '', stderr: /404/ })
})
