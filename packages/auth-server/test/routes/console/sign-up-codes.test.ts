import t from 'tap'
import { buildConsole } from '../../support/admin/console.js'

const CODE = /<pre class="secret" tabindex="0">((?:[B-Z]{4}-){3}[B-Z]{4})<\/pre>/

t.test('invitation codes are created, shown once and removed; support sees no form', async t => {
  const { add, as, stores } = await buildConsole(t)
  await add('root', 'administrator')
  await add('sam', 'support')
  await stores.roles.add('partner', ['customer:read'])
  const root = as('root')
  const send = async (path: string, fields: Record<string, string>) => await root.send(path, fields, '/people/invitation-codes')
  t.match((await root.open('/people/invitation-codes')).body, 'No invitation codes.')
  const form = { label: 'Partners <b>', uses: '3', days: '1', role: 'partner' }
  const made = await send('/people/invitation-codes', form)
  t.match(made.body, CODE)
  t.match(made.body, `/sign-up?code=${CODE.exec(made.body)?.[1]}`)
  const page = await root.open('/people/invitation-codes')
  t.match(page.body, 'Partners &lt;b&gt;')
  t.match(page.body, '<td class="wide"><bdi>root</bdi></td>')
  t.notMatch(page.body, CODE)
  for (const [changes, sentence] of [
    [{ label: '' }, 'The label is empty'], [{ uses: '0' }, 'from 1 to 10000'], [{ uses: '1e3' }, 'from 1 to 10000'],
    [{ days: '366' }, 'from 1 to 365'], [{ role: 'administrator' }, 'is built in'], [{ role: 'x' }, 'There is no role']
  ] as const) {
    const refused = await send('/people/invitation-codes', { ...form, ...changes })
    t.equal(refused.statusCode, 400)
    t.match(refused.body, sentence)
  }
  t.notMatch((await as('sam').open('/people/invitation-codes')).body, 'Create a code')
  const [row] = await stores.signUpCodes.list()
  t.equal((await send('/people/invitation-codes/remove', { id: row!.id })).statusCode, 303)
  t.match((await send('/people/invitation-codes/remove', { id: row!.id })).body, 'There is no invitation code')
  t.same(await stores.signUpCodes.list(), [])
})
