import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import type { Sample } from '../../../src/docs/samples.js'
import { buildOnce } from '../../support/helper.js'

/** The operations on customers, in an order in which each finds what it needs. */
const ORDER = [
  'registerCustomer', 'listDuplicates', 'dismissDuplicate', 'mergeCustomer', 'listCustomers', 'readCustomer', 'patchCustomer', 'changeAddressByName', 'replaceCustomer', 'listCustomerHistory',
  'listCustomerEvents', 'exportCustomers', 'exportCustomer', 'removeCustomer', 'listRemovedCustomers', 'restoreCustomer', 'eraseCustomer', 'importCustomers',
  'previewImport', 'listOperations', 'undoOperation', 'undoApp', 'changeCustomers'
]

/** How a sample runs: a program, the ending of its file, and what it prints of some operations. */
const LANGUAGES = {
  Shell: { program: 'bash', needs: ['bash', 'curl'], ending: 'sh', prints: { registerCustomer: /^HTTP\/1.1 201 [^]*location: /i, listCustomers: /"charitha"/, removeCustomer: /^HTTP\/1.1 204 / } },
  JavaScript: { program: process.execPath, needs: [], ending: 'mjs', prints: { registerCustomer: /^"\d+-text"\n$/, listCustomers: /^4711 charitha\n$/, listRemovedCustomers: /^4711 charitha 20/, readCustomer: /^charitha 33 "/ } },
  Python: { program: 'python3', needs: ['python3'], ending: 'py', prints: { registerCustomer: /^201 "/, listCustomers: /^4711 charitha\n$/, removeCustomer: /^204\n$/ } }
}

/** An OpenAPI document, as far as this test reads it. */
interface Api { paths: Record<string, Record<string, { operationId: string, tags: string[], 'x-codeSamples'?: Sample[] }>> }

const root = fileURLToPath(new URL('../../../../../../', import.meta.url))
const service = await buildOnce(t)
const url = `http://127.0.0.1:${await service.listen()}`
const api: Api = (await service.send('GET', '/openapi.json')).json()
// What the samples about operations show.
const file = { form: 'number,name,age,address\n9,nimal,33,galle\n', headers: { 'content-type': 'text/csv' } }
await service.send('POST', '/rest/qa/customer/import', file)
const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation }))).filter(({ tags: [tag] }) => tag === 'customer' || tag === 'event')

await t.test('each operation on customers has a sample in each language', async t => {
  t.same(operations.map(({ operationId }) => operationId).sort(), [...ORDER].sort())
  for (const operation of operations) t.same(operation['x-codeSamples']?.map(({ lang }) => lang), Object.keys(LANGUAGES), operation.operationId)
})

for (const [lang, { program, needs, ending, prints }] of Object.entries(LANGUAGES)) {
  const missing = needs.filter(name => spawnSync(name, ['--version']).status !== 0)
  await t.test(`the samples in ${lang} run as they are`, { skip: missing.length > 0 && `${missing.join(' and ')} must be installed` }, async t => {
    // The other one of a pair, which is merged.
    await service.register(4712, 'erika')
    // Below node_modules, where they find what they import.
    const cache = join(root, 'node_modules/.cache')
    await mkdir(cache, { recursive: true })
    const folder = await mkdtemp(join(cache, 'samples-'))
    t.teardown(() => rm(folder, { recursive: true }))
    for (const operationId of ORDER) {
      const operation = operations.find(it => it.operationId === operationId)!
      const { source } = operation['x-codeSamples']!.find(sample => sample.lang === lang)!
      const file = join(folder, `${operationId}.${ending}`)
      // With its failures as exit codes.
      await writeFile(file, source.replaceAll('http://localhost:3001', url).replace('curl -i', 'curl -i --fail-with-body'))
      const { stdout } = await promisify(execFile)(program, [file], { env: { PATH: process.env.PATH, TOKEN: service.everything } })
      t.match(stdout, prints[operationId as keyof typeof prints] ?? /^/, operationId) // as: absent for the others.
    }
    t.equal(await service.read(4711), 404)
  })
}

await t.test('the Bruno collection has a request for each operation', async t => {
  const folder = join(root, 'examples/bruno')
  const texts = await Promise.all((await readdir(folder)).filter(file => file.endsWith('.bru')).map(file => readFile(join(folder, file), 'utf8')))
  const requests = texts.flatMap(text => [...text.matchAll(/^(get|post|put|patch|delete) {\n {2}url: {{url}}([^?\n]*)/gm)])
    .map(([, method, path]) => `${method} ${path!.replaceAll('{{', '{').replaceAll('}}', '}')}`)
  t.same([...new Set(requests)].sort(), operations.map(({ method, path }) => `${method} ${path}`).sort())
})
