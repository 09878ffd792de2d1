import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { CUSTOMER, registerOf, rowsOf, run } from './support/db-command.js'
import { startStack } from './support/stack.js'

const folder = mkdtempSync(join(tmpdir(), 'frontdesk-backup-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))

await t.test('a failed backup leaves no file; a finished one is readable by its owner only', async t => {
  const from = await registerOf(t, 10)
  const file = join(folder, 'private.db')
  writeFileSync(join(folder, 'damaged.db'), 'This is no database, and long enough to tell.')
  t.match(await run(CUSTOMER, ['backup', '--to', file], `file:${join(folder, 'damaged.db')}`), {
    code: 1, stderr: /^Nothing was backed up: /
  })
  t.same(readdirSync(folder).filter(name => name.startsWith('private')), [])
  writeFileSync(`${file}.unfinished`, 'what a killed one left')
  t.match(await run(CUSTOMER, ['backup', '--to', file], from), { code: 0 })
  t.same(readdirSync(folder).filter(name => name.startsWith('private')), ['private.db'])
  t.equal(statSync(file).mode & 0o777, 0o600)
})

await t.test('a backup of a register in use holds every customer that was acknowledged before it began', async t => {
  const stack = await startStack(t, [])
  await stack.start('customer-service', { AUTH: 'none', LOG_LEVEL: 'info' })
  const url = `file:${stack.database('customer-service')}`
  const file = join(folder, 'backup.db')
  const register = { acknowledged: 0, going: true }
  const writing = (async () => {
    while (register.going) {
      const form = {
        customerid: `${register.acknowledged + 1}`,
        customername: `customer ${register.acknowledged + 1}`,
        customerage: '1',
        customeraddress: 'here'
      }
      const { status } = await fetch(`${stack.address('customer-service')}/rest/qa/customer`, {
        method: 'POST', body: new URLSearchParams(form)
      })
      if (status !== 201) throw new Error(`POST answered ${status}`)
      register.acknowledged++
    }
  })()
  while (register.acknowledged < 100) await setTimeout(10)
  const before = register.acknowledged
  t.match(await run(CUSTOMER, ['backup', '--to', file], url), { code: 0, stdout: `Wrote ${file}.\n` })
  t.ok(register.acknowledged > before, 'it was written to meanwhile')
  register.going = false
  await writing
  t.match(await run(CUSTOMER, ['backup', '--to', file], url), {
    code: 1, stderr: `Nothing was backed up: ${file} already exists. Name a new file.\n`
  })
  t.match(await run(CUSTOMER, ['backup', '--to', join(folder, 'no.db')], 'postgresql://localhost/x'), {
    code: 1, stderr: /This command backs up SQLite only/
  })
  t.same(rowsOf(`file:${file}`, 'PRAGMA integrity_check'), [{ integrity_check: 'ok' }])
  const ids = rowsOf(`file:${file}`, 'SELECT id FROM customer ORDER BY id').map(row => (row as { id: number }).id)
  t.same(ids.slice(0, before), Array.from({ length: before }, (_, index) => index + 1))
  t.equal(ids.length, ids.at(-1), 'and none of what came later but in its order')
  await stack.end('customer-service', 'SIGTERM')
  await stack.start('customer-service', { AUTH: 'none', DATABASE_URL: `file:${file}` })
  t.equal(await (await fetch(`${stack.address('customer-service')}/rest/qa/customer/${before}`)).text(), `customer ${before}`)
})
