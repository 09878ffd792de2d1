import t, { type Test } from 'tap'
import type { Actor } from '../../src/admin/actor.js'
import { inviteUser, resetPassword } from '../../src/admin/passwords.js'
import { setUserDisabled, updateUser } from '../../src/admin/users.js'
import { loadConfig } from '../../src/config.js'
import { after } from '../../src/lifetimes.js'
import { createPasswordLinks } from '../../src/sign-in/password-link.js'
import { client } from '../support/helper.js'
import { twoReplicas } from '../support/stores/two-replicas.js'

export const onBothDatabases = true

const NOW = new Date()
const ROUNDS = 25
const SHELL: Actor = { kind: 'shell', name: 'root' }
const config = loadConfig({ ISSUER: 'https://id.example' })

async function begin (t: Test) {
  const { stores, other } = await twoReplicas(t)
  const links = createPasswordLinks(stores, config)
  const add = async (id: string, ...roles: string[]) => {
    await stores.users.add({ id, username: id, passwordHash: 'x', demo: false }, roles)
    return { kind: 'user', userId: id, roles, source: '192.0.2.1' } as const
  }
  /** Sets a password with the link that an action returned. Returns whether it did. */
  const use = async ({ passwordLink }: { readonly passwordLink: object }) => {
    const { link = '' } = passwordLink as { link?: string } // as: links that were not emailed are shown.
    const opened = await links.find(new URL(link).searchParams.get('link')!, NOW)
    return opened !== null && await stores.users.changePassword(opened.user, 'by link', opened) !== null
  }
  return { stores, other, links, add, use }
}

t.test('a link that was made before its user got a built-in role sets no password, whoever made it and however', async t => {
  const { stores, links, add, use } = await begin(t)
  const root = await add('root', 'administrator')
  for (const role of ['administrator', 'auditor', 'support']) {
    const user = `to be ${role}`
    await add(user)
    const made = [
      await resetPassword(stores, { id: user }, { config }, root),
      await resetPassword(stores, { id: user }, { config }, SHELL),
      await inviteUser(stores, { username: `new ${role}` }, { config }, root)
    ]
    const mailed = await links.issue((await stores.users.find(user))!, { mailedTo: 'x@example.com' }, NOW)
    const roles = { add: [role], remove: [] }
    for (const { id } of made) await updateUser(stores, { id }, { attributes: {}, config: loadConfig, roles }, root)
    for (const link of made) t.equal(await use(link), false, role)
    t.equal(await links.find(mailed, NOW), null, role)
    t.equal(await use(await resetPassword(stores, { id: user }, { config }, root)), true, 'a later one does')
    await updateUser(stores, { id: user }, { attributes: {}, config: loadConfig, roles: [role] }, root)
    t.equal(await use(await resetPassword(stores, { id: user }, { config }, root)), true)
  }
})

t.test('a role without rights in administration, or one that the user has already, ends nothing', async t => {
  const { stores, add, use } = await begin(t)
  const root = await add('root', 'administrator')
  await stores.roles.add('editor', ['read'])
  await add('ann', 'support')
  const link = await resetPassword(stores, { id: 'ann' }, { config }, root)
  t.equal(await stores.roles.assign('ann', ['support', 'editor']), true)
  t.equal(await use(link), true)
})

t.test('a link that a role change races is used before it or not at all, and starts no session', async t => {
  const { stores, other, links, add } = await begin(t)
  for (let round = 0; round < ROUNDS; round++) {
    const id = `bob-${round}`
    await add(id)
    const user = (await stores.users.find(id))!
    const link = await links.issue(user, {}, NOW)
    const [changed] = await Promise.all([
      stores.users.changePassword(user, 'by link'), other.roles.assign(id, ['administrator'])
    ])
    t.equal(await links.find(link, NOW), null)
    const session = { idHash: id, user: changed ?? user, authTime: NOW, amr: 'pwd', expiresAt: after(NOW, 60) }
    t.equal(await stores.sessions.add(session), false)
  }
})

t.test('a link that was shown to an administrator ends with their right to make it; one that was emailed does not', async t => {
  const { stores, links, add, use } = await begin(t)
  const root = await add('root', 'administrator')
  await add('ann')
  const losses: Array<(id: string) => Promise<unknown>> = [
    id => updateUser(stores, { id }, { attributes: {}, config: loadConfig, roles: { add: ['auditor'], remove: ['administrator'] } }, root),
    id => setUserDisabled(stores, { id }, true, root)
  ]
  for (const [index, lose] of losses.entries()) {
    const maker = await add(`maker-${index}`, 'administrator', 'auditor')
    const link = await resetPassword(stores, { id: 'ann' }, { config }, maker)
    const mailed = await links.issue((await stores.users.find('ann'))!, {}, NOW)
    await lose(maker.userId)
    t.equal(await use(link), false)
    t.ok(await links.find(mailed, NOW))
  }
  await stores.clients.put(client({ registeredBy: 'operator', allowedScope: 'admin:write' }))
  const link = await resetPassword(stores, { id: 'ann' }, { config }, { kind: 'client', clientId: 'app', source: '192.0.2.1' })
  await stores.clients.setDisabled('app', NOW)
  t.equal(await use(link), false)
  const maker = await add('careful', 'administrator')
  const kept = await resetPassword(stores, { id: 'ann' }, { config }, maker)
  await stores.users.setPassword('careful', 'another')
  t.equal(await use(kept), true, 'another password of the administrator ends no link')
})
