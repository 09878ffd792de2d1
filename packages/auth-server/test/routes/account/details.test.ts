import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { Browser, build, formTokenOf } from '../../support/helper.js'

export const onBothDatabases = true

const DETAILS = {
  name: 'Ann Example',
  given_name: 'Ann',
  family_name: 'Example',
  email: 'ann@example.com',
  locale: 'pt-br',
  picture: 'https://ann.example/a.png'
}

/** A person on the account page, and how to send the form of the details. */
async function entered (t: Test) {
  const built = await build(t)
  const browser = new Browser(built.app)
  const enter = async (browser: Browser, username = 'ann') => formTokenOf(await browser.post('/account', {
    transaction: formTokenOf(await browser.get('/account')), decision: 'sign-in', username, password: 'correct horse'
  }))
  const transaction = await enter(browser)
  /** The hidden fields of the page, which say what it shows. */
  const shown = async () => Object.fromEntries(
    [...(await browser.get('/account')).body.matchAll(/name="(shown_\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!]))
  const save = async (details: Record<string, string>, before?: Record<string, string>) =>
    await browser.post('/account', { transaction, decision: 'details', ...before ?? await shown(), ...details })
  const profile = async () => (await built.stores.profiles.findAny('ann'))!
  return { ...built, browser, enter, transaction, shown, save, profile }
}

/** The value of a field of the form. */
function valueOf (body: string, name: string): string | undefined {
  const chosen = new RegExp(`<select id="details-${name}".*?<option value="([^"]*)"[^>]* selected>`, 's')
  return (new RegExp(`<input id="details-${name}"[^>]* value="([^"]*)"`).exec(body) ?? chosen.exec(body))?.[1]
}

t.test('the details are saved, shown where they are set, and removed with an empty field', async t => {
  const { app, stores, browser, save, profile } = await entered(t)
  t.match((await browser.get('/account')).body, 'You haven\'t added any details yet.')
  const saved = await save({ ...DETAILS, family_name: ' Example ' })
  t.match([saved.statusCode, saved.headers.location], [303, '/account'])
  t.match(await profile(), {
    name: 'Ann Example',
    givenName: 'Ann',
    familyName: 'Example',
    email: 'ann@example.com',
    emailVerified: false,
    locale: 'pt-BR',
    picture: 'https://ann.example/a.png'
  })
  const { body } = await browser.get('/account')
  t.match(body, /Details saved\..*Your account/s)
  t.match(body, /<dt>Name<\/dt><dd><bdi>Ann Example<\/bdi><\/dd>.*<dd><bdi>ann@example.com<\/bdi> <span class="here">not verified<\/span><\/dd>/s)
  t.equal(valueOf(body, 'locale'), 'pt-BR')
  t.notMatch(body, '<details open')
  await save({ ...DETAILS, given_name: '', locale: ' ' })
  t.match(await profile(), { name: 'Ann Example', givenName: null, locale: null })
  t.notMatch((await browser.get('/account')).body, /<dt>(Given name|Language)/)

  await app.auditTrail.flush()
  const rows = await stores.audit.list({ event: 'profile' }, 10)
  t.match(rows, [
    { outcome: 'changed', details: { attributes: ['givenName', 'locale'] } },
    { outcome: 'changed', details: { attributes: ['name', 'givenName', 'familyName', 'email', 'locale', 'picture'] } }
  ])
  t.notMatch(JSON.stringify(rows), /example/i, 'no personal data')
})

t.test('a language of the pages is shown by its own name, another one by its tag', async t => {
  const { browser, save } = await entered(t)
  for (const [locale, shown] of [['en', 'English'], ['pt-BR', 'pt-BR']] as const) {
    await save({ locale })
    t.match((await browser.get('/account')).body, `<dt>Language</dt><dd><bdi>${shown}</bdi></dd>`)
  }
})

t.test('a changed email address is not verified; with the same one, it stays so', async t => {
  const { stores, browser, save, profile } = await entered(t)
  await stores.profiles.change('ann', { email: 'ann@example.com', emailVerified: true })
  t.match((await browser.get('/account')).body, 'ann@example.com</bdi> <span class="here">verified</span>')
  await save({ ...DETAILS, name: 'Other' })
  t.match(await profile(), { name: 'Other', email: 'ann@example.com', emailVerified: true })
  await save({ ...DETAILS, email: 'other@example.com', email_verified: 'true', emailVerified: 'true' })
  t.match(await profile(), { email: 'other@example.com', emailVerified: false })
})

t.test('details that are not valid are refused beside their fields, and nothing that was typed is lost', async t => {
  const { stores, save, profile } = await entered(t)
  await stores.profiles.change('ann', { name: 'Before' })
  const typed = { ...DETAILS, name: '"><script>', email: 'ann@', locale: 'German', picture: 'http://ann.example' }
  const refused = await save(typed)
  t.equal(refused.statusCode, 400)
  t.match(refused.body, '<title>Error: Your account')
  t.match(refused.body, /<details open>.*role="alert".*Your details weren(&#39;|')t saved\./s)
  t.equal(refused.body.match(/id="message"/g)?.length, 1)
  for (const [name, sentence] of [
    ['email', 'The email address must have the form ann@example.com, without spaces and quotes.'],
    ['picture', 'The picture must be an absolute https address.']
  ]) {
    t.match(refused.body, new RegExp(`id="details-${name}"[^>]* aria-invalid="true" aria-describedby="${name}-fault ${name}-hint"`))
    t.match(refused.body, `<p class="fault" id="${name}-fault">${sentence}</p>`)
  }
  t.notMatch(refused.body, /id="(name|given_name|locale)-fault"/)
  for (const [name, value] of Object.entries(typed)) {
    t.equal(valueOf(refused.body, name), value.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'), name)
  }
  t.match(await profile(), { name: 'Before', email: null })

  const rows: Array<[field: string, value: string, sentence: string]> = [
    ['name', 'x'.repeat(201), 'The name is longer than 200 characters.'],
    ['given_name', 'a\u202eb', 'The given name contains a control character.'],
    ['family_name', '\u200b', 'The family name is empty.'],
    ['locale', 'de_DE', 'The language must be a language tag (BCP 47), such as en or pt-BR.']
  ]
  for (const [field, value, sentence] of rows) {
    const { statusCode, body } = await save({ ...DETAILS, [field]: value })
    t.equal(statusCode, 400, field)
    t.ok(body.includes(`id="${field}-fault">${sentence}<`), sentence)
    t.equal(valueOf(body, field), value)
  }
  t.equal((await save({ ...DETAILS, name: 'a\0' })).statusCode, 400)
  t.match(await profile(), { name: 'Before', email: null })
})

t.test('only the person changes the details, with a form of this browser and session', async t => {
  const { app, stores, browser, enter, transaction, save, profile } = await entered(t)
  await stores.users.add({ id: randomUUID(), username: 'bob', passwordHash: (await stores.users.find('ann'))!.passwordHash, demo: false })
  const other = new Browser(app)
  const foreign = await enter(other, 'bob')
  for (const [what, form] of [
    ['a form of another browser', { transaction: foreign }],
    ['a changed form', { transaction: `${transaction}x` }],
    ['no form', {}]
  ] as const) {
    t.equal((await browser.post('/account', { ...form, decision: 'details', ...DETAILS })).statusCode, 403, what)
  }
  t.equal((await new Browser(app).post('/account', { transaction, decision: 'details', ...DETAILS })).statusCode, 403, 'no cookies')
  t.match(await profile(), { name: null })
  await enter(browser, 'bob')
  t.equal((await save(DETAILS)).statusCode, 403, 'another person has signed in since')
  for (const username of ['ann', 'bob']) t.match(await stores.profiles.findAny(username), { name: null })
})

t.test('a page that was open for long undoes nothing that was changed since', async t => {
  const { stores, shown, save, profile } = await entered(t)
  await save({ ...DETAILS, name: 'Ann' })
  const before = await shown()
  await stores.profiles.change('ann', { email: 'new@example.com', emailVerified: true, locale: 'fr' })
  await save({ ...DETAILS, name: 'Ann Example', locale: 'pt-BR' }, before)
  t.match(await profile(), { name: 'Ann Example', email: 'new@example.com', emailVerified: true, locale: 'fr' })
})

t.test('details go to the person who sent them, whoever has the user name now', async t => {
  const { stores, shown, save } = await entered(t)
  const before = await shown()
  const { passwordHash } = (await stores.users.find('ann'))!
  await stores.users.rename('ann', 'anna')
  await stores.users.add({ id: randomUUID(), username: 'ann', passwordHash, demo: false })
  await save(DETAILS, before)
  t.match(await stores.profiles.findAny('anna'), { email: 'ann@example.com' })
  t.match(await stores.profiles.findAny('ann'), { email: null })
})

t.test('a form that changes nothing writes nothing', async t => {
  const { app, stores, save, profile } = await entered(t)
  await save(DETAILS)
  const { updatedAt } = await profile()
  t.equal((await save({ ...DETAILS, locale: 'pt-BR' })).statusCode, 303)
  t.same((await profile()).updatedAt, updatedAt)
  await app.auditTrail.flush()
  t.equal((await stores.audit.list({ event: 'profile' }, 10)).length, 1)
})

t.test('the form asks browsers to fill it in', async t => {
  const { browser } = await entered(t)
  const { body } = await browser.get('/account')
  const autocompletes = [...body.matchAll(/<label for="(details-\w+)">[^<]+<\/label>\s*<(?:input|select) id="\1" name="\w+" autocomplete="([\w-]+)"/g)]
  t.same(autocompletes.map(([,, autocomplete]) => autocomplete), ['name', 'given-name', 'family-name', 'email', 'language', 'photo'])
})
