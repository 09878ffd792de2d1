import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { buildOnce } from '../support/helper.js'
import { bin, run, standIn } from '../support/cli/frontdesk-customer.js'

const HEADER = 'customerid,customername,customerage,customeraddress\n'

/** A file in a folder of its own. */
async function fileOf (t: Test, name: string, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, name), text)
  return join(folder, name)
}

t.test('import checks a file, imports it, and prints each error; without a sign-in, a service that needs none is called', async t => {
  const { listen, db } = await buildOnce(t, { AUTH: 'none', SERVICE_ROOT: 'http://localhost:3001/crm' })
  const url = `http://localhost:${await listen()}/crm/`
  const file = await fileOf(t, 'customers.CSV', `${HEADER}1,,151,x\n2,b,old,y\nno,c,3,z\n`)
  const command = async (...args: string[]) => await run(['import', ...args, '--url', url], { XDG_CONFIG_HOME: tmpdir() })
  const errors = 'line 3 (customer 2): customerage: Must be a whole number from -2147483648 to 2147483647, in digits.\n' +
    'line 4: customerid: Must be a whole number from -2147483648 to 2147483647, in digits.\n'

  t.same(await command(file, '--dry-run'), {
    code: 1,
    stdout: `3 records read, 1 can be registered, 2 cannot. Nothing is changed yet.\n${errors}` +
      '1 of them may be mistyped. Check before you import the file:\nline 2 (customer 1): customername: Is blank.\nline 2 (customer 1): customerage: Is not from 0 to 150.\n',
    stderr: ''
  })
  t.equal(await db.customer.count(), 0)
  const report = `3 records read, 1 registered, 2 failed.\n${errors}`
  t.same(await command(file), { code: 1, stdout: report, stderr: '' })
  t.equal(await db.customer.count(), 1)
  t.same(await command(file), {
    code: 1,
    stdout: `${report}This is the report of an earlier import of this file. Nothing was registered now. To import it again, add --idempotency-key and a new key.\n`,
    stderr: ''
  })
  const { code, stdout } = await command(file, '--json')
  t.match([code, JSON.parse(stdout)], [1, { lines: 3, registered: 1, failed: 2, isReplay: true }])
  t.match(await command(file, '--idempotency-key', 'again'), { stdout: /^3 records read, 0 registered, 3 failed\./ })
})

t.test('--mode and --match change customers, and --dry-run prints what would change', async t => {
  const { listen, register } = await buildOnce(t, { AUTH: 'none' })
  await register(1, 'Ann')
  await register(2, 'Ben')
  await register(3, 'Ben')
  const file = await fileOf(t, 'customers.csv', 'All customers, of today\n\nName,Age,Address\nAnn,44,x\nBen,1,x\nNew,5,y\n')
  const options = ['--mode', 'upsert', '--match', 'name', '--map', 'customerid:auto']
  const command = async (...args: string[]) =>
    await run(['import', file, ...options, ...args, '--url', `http://localhost:${await listening}`], { XDG_CONFIG_HOME: tmpdir() })
  const listening = listen()
  const more = 'The headings are in line 3: the lines above them were skipped.\nline 5: customername: Several customers have this name. (2, 3)\n'
  t.match(await command('--dry-run'), {
    code: 1,
    stdout: `3 records read, 1 can be registered, 1 can be updated, 0 unchanged, 1 cannot. Nothing is changed yet.\n${more}line 4 (customer 1): customerage: `
  })
  t.same(await command(), { code: 1, stdout: `3 records read, 1 registered, 1 updated, 0 unchanged, 1 failed.\n${more}`, stderr: '' })
})

t.test('--match name is refused without a mode that changes customers', async t => {
  t.match(await run(['import', await fileOf(t, 'customers.csv', HEADER), '--match', 'name']), {
    code: 2, stderr: /--match name needs --mode update or --mode upsert/
  })
})

t.test('a file that is refused as a whole gets the whole sentence of the service, and no numbers', async t => {
  const { listen } = await buildOnce(t, { AUTH: 'none' })
  const url = `http://localhost:${await listen()}`
  const file = await fileOf(t, 'customers.csv', 'customerid,Nmae,customerage,customeraddress,and,some,more,columns,which,make,it,long\n')
  t.match(await run(['import', file, '--dry-run', '--url', url], { XDG_CONFIG_HOME: tmpdir() }), {
    code: 1, stdout: '', stderr: /^Line 1 is missing these columns: customername\. .* Did you mean map=customername:Nmae\? [^]*Nothing was registered\.\n$/
  })
})

t.test('import reads standard input in the format that is named', async t => {
  const { listen } = await buildOnce(t, { AUTH: 'none' })
  const env = { XDG_CONFIG_HOME: tmpdir(), CUSTOMER_URL: `http://localhost:${await listen()}` }
  const customer = '{"customerid":1,"customername":"a","customerage":1,"customeraddress":"x"}\n'
  t.same(await run(['import', '-', '--format', 'ndjson'], env, customer), {
    code: 0, stdout: '1 record read, 1 registered, 0 failed.\n', stderr: ''
  })
  t.same(await run(['import', '-'], env, customer), {
    code: 2, stdout: '', stderr: 'error: add --format: - does not end in .csv, .xlsx, .ndjson, .jsonl or .json\nAdd --help to see the usage.\n'
  })
})

t.test('Ctrl-C stops an import, says how to continue, and ends the process by its signal', async t => {
  let onData = () => {}
  const arrived = new Promise<void>(resolve => { onData = resolve })
  const url = await standIn(t, request => { request.once('data', onData) })
  const file = await fileOf(t, 'customers.csv', HEADER)
  const child = spawn(process.execPath, [bin, 'import', file, '--url', url], { env: { XDG_CONFIG_HOME: tmpdir() } })
  const [stderr, ended] = [text(child.stderr), once(child, 'exit')]
  await arrived
  child.kill('SIGINT')
  t.same(await ended, [null, 'SIGINT'])
  t.equal(await stderr, 'Stopped. Imported customers are kept. To continue, run the same command again within 24 hours.\n')
})
