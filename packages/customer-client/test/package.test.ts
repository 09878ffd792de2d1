import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import t from 'tap'

const folder = new URL('../../', import.meta.url)
const MAX_BYTES = 6 * 1024

t.test(`it is one file without imports, below ${MAX_BYTES} bytes gzipped, that people can read`, async t => {
  const text = await readFile(new URL('dist/customer-client.js', folder), 'utf8')
  t.ok(gzipSync(text).length < MAX_BYTES, `${gzipSync(text).length} bytes`)
  // Without `import` of another module; the client has a method of that name.
  t.notMatch(text, /^import|(?<!async )\bimport\(/m)
  t.match(text, '/** Reads one page of a list or a search.')
})

t.test('its types refuse wrong calls, in a program that has no other types', async t => {
  const tsc = fileURLToPath(new URL('../../node_modules/typescript-7/bin/tsc', folder))
  // Each wrong line expects its error: without one, the compiler complains.
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom', '--types', '']
  const args = [tsc, ...options, fileURLToPath(new URL('test/wrong-calls.ts', folder))]
  await t.resolves(promisify(execFile)(process.execPath, args).catch(({ stdout }) => { throw new Error(stdout) }))
})
