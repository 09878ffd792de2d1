import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { CustomerCount } from '../../src/cli/files/count.js'
import { exportFormats } from '../../src/customer/export/formats.js'
import { buildOnce } from '../support/helper.js'
import { run, standIn } from '../support/cli/frontdesk-customer.js'

async function makeFolder (t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'frontdesk-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

t.test('export writes a file that only its owner can read, and replaces none unless told to; or standard output', async t => {
  const { listen, register } = await buildOnce(t, { AUTH: 'none' })
  const folder = await makeFolder(t)
  const file = join(folder, 'customers.ndjson')
  const env = { XDG_CONFIG_HOME: folder, CUSTOMER_URL: `http://localhost:${await listen()}` }
  await register(1)
  const customer = '{"customerid":1,"customername":"charitha","customerage":33,"customeraddress":"piliyandala"}\n'

  t.same(await run(['export', file], env), { code: 0, stdout: `Exported 1 customer to ${file}.\n`, stderr: '' })
  t.equal(await readFile(file, 'utf8'), customer)
  if (process.platform !== 'win32') t.equal((await stat(file)).mode & 0o777, 0o600)

  await writeFile(file, 'mine')
  t.same(await run(['export', file], env), { code: 1, stdout: '', stderr: `${file} already exists. Name another file, or add --force.\n` })
  t.equal(await readFile(file, 'utf8'), 'mine')
  t.same(JSON.parse((await run(['export', file, '--force', '--json'], env)).stdout), { file, customers: 1 })
  t.equal(await readFile(file, 'utf8'), customer)
  t.same(await readdir(folder), ['customers.ndjson'])

  t.same(await run(['export', '--bom'], env), {
    code: 0, stdout: '\ufeffcustomerid,customername,customerage,customeraddress\r\n1,charitha,33,piliyandala\r\n', stderr: 'Exported 1 customer.\n'
  })
  t.match(await run(['export', '--json'], env), { code: 2, stderr: /^error: --json needs a file/ })
  t.match(await run(['export', '--bom', '--format', 'json'], env), { code: 2, stderr: /^error: --bom is for CSV\n/ })
})

t.test('an export that breaks off, or is refused, leaves no file', async t => {
  const folder = await makeFolder(t)
  const url = await standIn(t, (request, response) => {
    const csv = { 'content-type': 'text/csv; charset=utf-8' }
    if (request.url?.startsWith('/signed') === true) response.writeHead(401).end()
    // A proxy that hides that a transfer broke off, and one that needs a sign-in of its own.
    else if (request.url?.startsWith('/hidden') === true) response.writeHead(200, csv).end('customerid,customername,customerage,customeraddress\r\n1,a,1,b\r\n')
    else if (request.url?.startsWith('/empty') === true) response.writeHead(200).end()
    else if (request.url?.startsWith('/page') === true) response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Sign in</title>')
    else response.writeHead(200, csv).write('customerid,customername,customerage,customeraddress\r\n', () => response.destroy())
  })
  const command = async (path: string, ...args: string[]) => await run(['export', ...args, '--url', `${url}${path}`], { XDG_CONFIG_HOME: folder })
  const lost = `The connection to ${new URL(url).host} was lost.`
  const file = join(folder, 'customers.csv')
  t.same(await command('', file), { code: 1, stdout: '', stderr: `${lost} No file was written.\n` })
  for (const path of ['/hidden', '/empty']) {
    t.same(await command(path, file), { code: 1, stdout: '', stderr: `${lost} No file was written.\n` }, path)
  }
  t.match(await command('/page', file), { code: 1, stderr: /is a page \(HTML, status 200\)/ })
  t.match(await command(''), { code: 1, stderr: `${lost} The output is incomplete.\n` })
  t.match(await command('/signed', file), { code: 1, stderr: 'You are not signed in. Run frontdesk-customer login.\n' })
  t.match(await command('', join(folder, 'none', 'x.csv')), { code: 1, stderr: /x\.csv cannot be written: ENOENT: / })
  t.same(await readdir(folder), [])
})

t.test('the customers of each format are counted, however its parts arrive', t => {
  const formats = Object.values(exportFormats)
  t.equal(formats.length, 3)
  const customer = { customerid: 1, customername: '"a"', customerage: 1, customeraddress: 'two\r\nlines, "\n' }
  for (const { ending, start, write, end } of formats) {
    for (const customers of [0, 1, 3]) {
      // as: the endings are the names of the formats.
      const count = new CustomerCount(ending as 'csv')
      const file = start + (customers === 0 ? '' : write(Array(customers).fill(customer), true)) + end
      for (const byte of Buffer.from(file)) count.add(Buffer.from([byte]))
      t.equal(count.customers, customers, `${customers} in ${ending}`)
    }
  }
  t.end()
})
