import t, { type Test } from 'tap'
import { client, formTokenOf } from '../../support/helper.js'
import { buildConsole } from '../../support/admin/console.js'

const KEY = { kty: 'EC', crv: 'P-256', kid: 'one', x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU', y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0' }
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(24)])

const unescaped = (html: string) =>
  html.replace(/&(quot|#39|lt|gt|amp);/g, (_, name: string) => ({ quot: '"', '#39': "'", lt: '<', gt: '>', amp: '&' })[name] ?? '')

/** The hidden inputs of a page. */
function hiddenOf (body: string): Array<[name: string, value: string]> {
  return [...body.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)]
    .map(([, name = '', value = '']): [string, string] => [name, unescaped(value)]).filter(([name]) => name !== 'transaction')
}

/** An administrator who edits the app `shop`. */
async function edit (t: Test, env: Record<string, string> = {}) {
  const built = await buildConsole(t, env)
  const by = await built.add('root', 'administrator')
  await built.stores.clients.put(client({
    id: 'shop', grantTypes: ['authorization_code', 'refresh_token'], tokenEndpointAuthMethod: 'client_secret_basic', implicit: 'off'
  }))
  await built.stores.clientSecrets.add({ clientId: 'shop', hash: 'x', createdAt: new Date() })
  const root = built.as('root')
  const send = async (fields: Array<[string, string]>) =>
    await root.send('/apps/shop/edit', new URLSearchParams(fields).toString(), '/apps/shop/edit')
  /** Opens the form, and submits it with changes. */
  async function review (changes: Record<string, unknown>) {
    const shown = hiddenOf((await root.open('/apps/shop/edit')).body).filter(([name]) => name.startsWith('shown_'))
    t.ok(shown.length > 15)
    const stored = Object.fromEntries(shown.map(([name, value]) => [name.slice('shown_'.length), JSON.parse(value) as unknown]))
    const sent = Object.entries({ ...stored, ...changes }).flatMap(([name, value]): Array<[string, string]> => {
      if (name === 'grantTypes') return (value as string[]).map(grant => [name, grant])
      const text = Array.isArray(value) ? value.join('\r\n') : value === true ? 'yes' : value || ''
      return [[name, typeof text === 'object' ? JSON.stringify(text) : String(text)]]
    })
    return await send([...shown, ...sent])
  }
  return { ...built, root, by, send, review, find: async () => await built.stores.clients.find('shop') }
}

t.test('the form shows first what changes, field by field, and then saves exactly that', async t => {
  const { send, review, find, stores } = await edit(t)
  const before = await find()
  const callbacks = ['https://app.example/cb', 'https://app.example/new']
  const shown = await review({ name: 'The <shop>', callbacks, accessTokenTtl: '300', idTokenClaims: true, tokenEndpointAuthMethod: 'none' })
  t.equal(shown.statusCode, 200)
  t.same(await find(), before, 'nothing is changed yet')
  const labels = [...shown.body.matchAll(/<dt>([^<]+)<\/dt>/g)].map(([, label]) => label)
  t.match(labels, ['Name', 'Callbacks', 'Token lifetime', 'Authentication', /^Its ID tokens have the claims/])
  t.equal(labels.length, 5)
  t.match(shown.body, '<del><bdi>An app</bdi></del>')
  t.match(shown.body, '<ins><bdi>The &lt;shop&gt;</bdi></ins>')
  t.match(shown.body, '<span><bdi>https://app.example/cb</bdi></span><ins><bdi>https://app.example/new</bdi></ins>')
  t.match(shown.body, /This removes the app(&#39;|')s secrets\./)
  t.equal((await send(hiddenOf(shown.body))).headers.location, '/admin/apps/shop')
  t.match(await find(), { name: 'The <shop>', callbacks, accessTokenTtl: 300, idTokenClaims: true, tokenEndpointAuthMethod: 'none' })
  t.same(await stores.clientSecrets.list('shop'), [])

  const none = await review({})
  t.equal(none.statusCode, 400)
  t.match(none.body, /You haven(&#39;|')t changed any settings\./)
})

t.test('the changes are shown in the language of the page', async t => {
  const { review } = await edit(t, { DEFAULT_LANGUAGE: 'de' })
  const { body } = await review({ accessTokenTtl: '300', native: true })
  t.match(body, /<dt>Token-Laufzeit<\/dt>\n<dd>.*Vorher<\/span><span class="note">die des Servers<.*\n.*Nachher<\/span><ins><bdi>300</)
  t.match(body, /<dt>Läuft auf dem Gerät.*\n.*<del><bdi>nein<.*\n.*<ins><bdi>ja</)
})

t.test('the level that an app requires is shown in words', async t => {
  const { root, send, review, find } = await edit(t)
  const form = (await root.open('/apps/shop/edit')).body
  t.match(form, /<option value="urn:frontdesk:acr:mfa">Second factor<\/option>/)
  t.match(form, '<p class="hint" id="edit-app-requiredAcr-hint">Minimum sign-in level of its users.</p>')
  const { body } = await review({ requiredAcr: 'urn:frontdesk:acr:mfa' })
  t.match(body, '<ins><bdi>Second factor</bdi></ins>')
  await send(hiddenOf(body))
  t.match(await find(), { requiredAcr: 'urn:frontdesk:acr:mfa' })
  const shown = (await root.open('/apps/shop')).body
  t.match(shown, '<dt>Sign-in level</dt><dd><span class="value"><bdi>second factor</bdi></span>')
  t.match(shown, 'requiredAcr: Password → Second factor')
})

t.test('who can sign in to an app is limited by roles, and a role that does not exist is noted', async t => {
  const { send, review, find, stores } = await edit(t)
  await stores.roles.add('staff', ['shop:use'])
  const { body } = await review({ signInRoles: ['staff', 'stuff', 'support'] })
  t.match(body, '<ins><bdi>staff</bdi></ins>')
  t.match(body, 'The role stuff does not exist, so no users have it.')
  t.notMatch(body, 'The role support does not exist')
  await send(hiddenOf(body))
  t.match(await find(), { signInRoles: ['staff', 'stuff', 'support'] })
  t.match((await review({ signInRoles: ['no!'] })).body, 'A role name must have')
})

t.test('Back leads to the form, with everything that was entered', async t => {
  const { send, review, find } = await edit(t)
  const { body } = await review({ name: 'Kept &', defaultScope: 'customer:write' })
  const back = await send([...hiddenOf(body), ['step', 'back']])
  t.match(back.body, 'value="Kept &amp;"')
  t.match(back.body, 'value="customer:write"')
  t.notMatch(back.body, 'Nothing was changed.')
  t.match(await find(), { name: 'An app' })
})

t.test('an app that was changed in the meantime is compared again before anything is saved', async t => {
  const { send, review, find, stores } = await edit(t)
  const { body } = await review({ name: 'Mine', defaultScope: 'customer:write' })
  await stores.clients.change('shop', { name: 'Theirs', allowedScope: 'customer:read customer:write' })
  const again = await send(hiddenOf(body))
  t.match(again.body, 'Someone else changed this app.')
  t.match(again.body, '<del><bdi>Theirs</bdi></del>')
  t.match(await find(), { name: 'Theirs', defaultScope: 'customer:read' })
  t.equal((await send(hiddenOf(again.body))).statusCode, 303)
  t.match(await find(), { name: 'Mine', defaultScope: 'customer:write', allowedScope: 'customer:read customer:write' })
})

t.test('values that break a rule are refused, with the form as it was filled in', async t => {
  const { review, find } = await edit(t)
  for (const [changes, sentence] of [
    [{ accessTokenTtl: 'soon' }, 'Token lifetime'],
    [{ pkce: 'never' }, 'PKCE'],
    [{ callbacks: ['nonsense'] }, 'nonsense'],
    [{ jwks: 'my keys' }, 'Public keys: enter a JWK Set'],
    [{ jwks: '{"keys":[]}' }, 'Public keys: enter a JWK Set'],
    [{ jwks: JSON.stringify({ keys: [{ ...KEY, d: 'private' }] }), tokenEndpointAuthMethod: 'private_key_jwt' }, 'The keys must all be public'],
    [{ jwks: JSON.stringify({ keys: [KEY] }) }, 'A JWK Set needs private_key_jwt'],
    [{ jwksUri: 'http://keys.example', tokenEndpointAuthMethod: 'private_key_jwt' }, 'The address of the keys must be']
  ] as const) {
    const refused = await review({ name: 'Kept &', ...changes })
    t.equal(refused.statusCode, 400, sentence)
    t.match(refused.body, 'Nothing was changed.')
    t.match(unescaped(refused.body), sentence)
    t.match(refused.body, 'value="Kept &amp;"')
  }
  t.match(await find(), { name: 'An app' })
})

t.test('an app is given keys, which are shown again in the form', async t => {
  const { send, review, find, root } = await edit(t)
  const { body } = await review({ jwks: JSON.stringify({ keys: [KEY] }, null, 1), tokenEndpointAuthMethod: 'private_key_jwt' })
  t.equal((await send(hiddenOf(body))).statusCode, 303)
  t.match(await find(), { jwks: JSON.stringify({ keys: [KEY] }), tokenEndpointAuthMethod: 'private_key_jwt' })
  t.match((await root.open('/apps/shop/edit')).body, '&quot;kid&quot;: &quot;one&quot;')
  t.match((await review({})).body, /You haven(&#39;|')t changed any settings\./)
})

t.test('a logo is uploaded, shown and removed; other files are refused', async t => {
  const { root, app, stores, find } = await edit(t)
  const upload = async (content: Buffer, type = 'image/png', more: Record<string, string> = {}) => {
    const form = new FormData()
    form.set('transaction', formTokenOf(await root.open('/apps/shop/edit')))
    form.set('logo', new Blob([content], { type }), 'logo.png')
    for (const [name, value] of Object.entries(more)) form.set(name, value)
    return await root.upload('/admin/apps/shop/logo', form)
  }
  t.equal((await upload(PNG)).headers.location, '/admin/apps/shop/edit')
  const { logoName } = (await find())!
  t.match((await root.open('/apps/shop/edit')).body, `src="/logos/${logoName}"`)
  t.same((await stores.clientLogos.find(logoName!))?.content, PNG)
  for (const [content, sentence, type] of [
    [Buffer.concat([PNG, Buffer.alloc(40_000)]), 'The logo must be a PNG/WebP file of at most 32 KB.', 'image/png'],
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'The logo must be a PNG/WebP file', 'image/svg+xml'],
    [Buffer.alloc(0), 'Choose a file first.', 'image/png']
  ] as const) {
    const refused = await upload(content, type)
    t.equal(refused.statusCode, 400)
    t.match(refused.body, sentence)
  }
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field${index}`, 'x']))
  t.equal((await upload(PNG, 'image/png', many)).statusCode, 400, 'too many parts')
  t.equal((await find())!.logoName, logoName)
  t.equal((await upload(PNG, 'image/png', { remove: 'yes' })).statusCode, 303)
  t.equal((await find())!.logoName, null)

  const broken = await app.inject({
    method: 'POST', url: '/admin/apps/shop/logo', headers: { 'content-type': 'multipart/form-data' }, payload: 'nothing'
  })
  t.equal(broken.statusCode, 400)
  await stores.clients.put(client({ id: 'self', registeredBy: 'open' }))
  t.notMatch((await root.open('/apps/self/edit')).body, '<h2>Logo')
})

t.test('a secret is replaced without downtime', async t => {
  const { root, stores } = await edit(t)
  t.match((await root.send('/apps/shop/secrets', {}, '/apps/shop')).body, 'class="secret"')
  t.equal((await root.send('/apps/shop/secrets', {}, '/apps/shop')).statusCode, 409)
  t.equal((await root.send('/apps/shop/remove-secret', { slot: '1' }, '/apps/shop')).statusCode, 303)
  t.same((await stores.clientSecrets.list('shop')).map(({ slot }) => slot), [2])
})
