import { tmpdir } from 'node:os'
import t from 'tap'
import { run } from '../support/cli/frontdesk-customer.js'
import { buildOnce } from '../support/helper.js'
import { HEADER, importFile, rows, undo } from '../support/import-rows.js'

const env = { XDG_CONFIG_HOME: `${tmpdir()}/none` }

async function start (...parameters: Parameters<typeof buildOnce>) {
  const service = await buildOnce(...parameters)
  const settings = { ...env, CUSTOMER_URL: `http://localhost:${await service.listen()}` }
  return { ...service, command: async (...args: string[]) => await run(args, settings) }
}

t.test('operations list prints operations, newest first, and operations undo undoes one', async t => {
  const service = await start(t, { AUTH: 'none' })
  const { command, db, send } = service
  t.same(await command('operations', 'list'), { code: 0, stdout: 'There are no operations.\n', stderr: '' })
  const first = await importFile(service, HEADER + rows(1, 3))
  const second = await importFile(service, HEADER + rows(4, 4))
  t.match((await command('operations', 'list')).stdout, new RegExp(
    `^ID +KIND +BEGAN +APP +CUSTOMERS +UNDONE\n${second.operation} +import .*Z +1 *\n${first.operation} +import .*Z +3 *\n$`))
  t.match(await command('operations', 'list', '--limit', '1'), { stderr: 'There are more operations. To print them, raise --limit.\n' })
  await send('PATCH', '/rest/qa/customer/2', { form: { customerage: 5 } })

  const dry = await command('operations', 'undo', first.operation, '--dry-run')
  t.match(dry, { code: 1, stdout: /^3 changed, 2 can be reverted, 1 cannot\. Nothing is reverted yet\.\ncustomer 2: Was changed later\. \(.*Z\)\n$/ })
  t.equal(await db.customer.count(), 4)
  const { code, stdout } = await command('operations', 'undo', first.operation)
  t.match({ code, stdout }, { code: 1, stdout: /^3 changed, 2 reverted, 1 skipped\.\ncustomer 2: .*\nTo undo this: frontdesk-customer operations undo [\w-]{22}\n$/ })
  t.equal(await db.customer.count(), 2)
  t.match((await command('operations', 'list')).stdout, new RegExp(`\n${first.operation} .* yes\n`))
  t.match(JSON.parse((await command('operations', 'undo', second.operation, '--json')).stdout), { customers: 1, reverted: 1 })
  t.match(await command('operations', 'undo', 'unknown'), { code: 1, stdout: '', stderr: /^There is no such operation, / })
})

t.test('undo needs a time and, without a sign-in, an app', async t => {
  const { command } = await start(t, { AUTH: 'none' })
  const since = new Date(Date.now() - 60_000).toISOString()
  t.match(await command('undo'), { code: 2, stderr: /--since/ })
  t.match(await command('undo', '--since', since), { code: 1, stderr: /\nclient_id: Is required without an access token\.\n$/ })
  t.match(await command('undo', '--since', 'today', '--client-id', 'app'), { code: 1, stderr: /\nsince: / })
  t.same(await command('undo', '--since', since, '--client-id', 'app', '--dry-run'), {
    code: 0, stdout: '0 changed, 0 can be reverted, 0 cannot. Nothing is reverted yet.\n', stderr: ''
  })
  t.match(await command('undo', '--since', since, '--client-id', 'app'), {
    code: 0, stdout: /^0 changed, 0 reverted, 0 skipped\.\nTo undo this: /
  })
})

t.test('merge merges a customer into another one, with the versions and values that it is given', async t => {
  const service = await start(t, { AUTH: 'none' })
  const { command, register, read } = service
  const etag = (await register(1, 'Zoë', 'Rue Lepic')).replace('text', 'json')
  await register(2, 'Zoé', 'Rue Lepic 15')
  await service.send('PATCH', '/rest/qa/customer/1', { form: { customerage: 34 } })
  t.match(await command('merge', '1', '2', '--if-match', etag), { code: 1, stderr: /Nothing was changed/ })
  t.match(await command('merge', '1', '2', '--from-etag', '"1-json"'), { code: 1, stdout: '' })
  t.match(await command('merge', '1', '1'), { code: 1, stderr: /\nfrom: Must be the identifier of another customer\.\n/ })
  const { code, stdout } = await command('merge', '1', '2', '--address', 'Rue Lepic 15')
  t.match({ code, stdout }, { code: 0, stdout: /^Merged customer 2 into customer 1\.\nTo undo this: frontdesk-customer operations undo [\w-]{22}\n$/ })
  t.match([await read(1), await read(2)], [{ customername: 'Zoë', customeraddress: 'Rue Lepic 15' }, 410])
  t.match(await undo(service, /undo ([\w-]{22})/.exec(stdout)![1]!), { reverted: 2 })
  t.match(JSON.parse((await command('merge', '1', '2', '--json')).stdout), { customerid: 1, etag: /-json"$/, operation: /^[\w-]{22}$/ })
})
