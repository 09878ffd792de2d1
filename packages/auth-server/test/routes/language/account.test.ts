import type { LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { codeClient } from '../../support/code-flow.js'
import { confirmationOf } from '../../support/enrolling.js'
import { Browser, formTokenOf, query } from '../../support/helper.js'
import { prepareMailed } from '../../support/mailed-code.js'
import { readMail } from '../../support/mail-server.js'
import { textOf } from '../../support/page-text.js'
import { pathIn } from '../../support/not-me.js'

const PASSWORD = { password: 'correct horse' }
const [ACCOUNT, TWO_STEP, PASSKEYS] = ['/account', '/account/two-step', '/account/passkeys']

/** Opens every page of the account area in a language. */
async function pagesOf (t: Test, language: string, env: Record<string, string>) {
  const { app, stores, signIn, received, mails } = await prepareMailed(t, env)
  const open = () => {
    const browser = new Browser(app)
    if (language !== 'en-XA') browser.cookies.set('__Host-language', language)
    return browser
  }
  const browser = open()
  const pages: Record<string, LightMyRequestResponse> = {}
  const see = async (name: string, path: string, form?: Record<string, string>, page?: LightMyRequestResponse) => {
    const transaction = async () => formTokenOf(page ?? await browser.get(path))
    pages[name] = form === undefined ? await browser.get(path) : await browser.post(path, { transaction: await transaction(), ...form })
    return pages[name]
  }
  const done = async (name: string, path: string, form: Record<string, string>) => {
    await browser.post(path, { transaction: formTokenOf(await browser.get(path)), ...form })
    return await see(name, path)
  }
  /** The mailed code. Another email tells of the sign-in. */
  const mailedCode = async () => {
    for (let count = 1; ; count++) {
      const [code] = /\d{8}/.exec(readMail(await received(count)).text.replace(/link=\S+/g, '')) ?? []
      if (code !== undefined) return code
    }
  }

  await see('sign-in', ACCOUNT)
  await see('wrong password', ACCOUNT, { decision: 'sign-in', username: 'ann', password: 'x' })
  await signIn(browser)
  await see('account', ACCOUNT)
  await see('invalid details', ACCOUNT, {
    decision: 'details', name: 'x'.repeat(201), given_name: '\u202e', family_name: '\u200b', email: 'x', picture: 'x', shown_email: 'ann@example.com'
  })
  await see('wrong current password', ACCOUNT, { decision: 'password', password: 'x', new_password: 'a long new one' })
  await see('short password', ACCOUNT, { decision: 'password', password: 'x', new_password: 'x' })
  await see('common password', ACCOUNT, { decision: 'password', password: 'x', new_password: 'password' })
  await see('new address', ACCOUNT, { decision: 'details', email: 'other@example.com', shown_email: 'ann@example.com' })
  await see('two-step off', TWO_STEP)
  await see('no passkeys', PASSKEYS)
  const asked = await see('mailed code', TWO_STEP, { decision: 'set-up', ...PASSWORD })
  await see('wrong mailed code', TWO_STEP, { decision: 'enter-code', code: '0' }, asked)
  const setUp = await see('set up an app', TWO_STEP, { decision: 'enter-code', code: await mailedCode() }, asked)
  await see('wrong code of the app', TWO_STEP, { decision: 'confirm', ...confirmationOf(setUp), code: '0' }, setUp)
  await see('recovery codes', TWO_STEP, { decision: 'confirm', ...confirmationOf(setUp) }, setUp)
  await see('two-step on', TWO_STEP)
  await see('create a passkey', PASSKEYS, { decision: 'add', ...PASSWORD })
  await see('unknown passkey', PASSKEYS, { decision: 'rename', passkey: 'x', name: 'x' })
  await see('new recovery codes', TWO_STEP, { decision: 'codes', ...PASSWORD })
  await stores.clients.put(codeClient())
  await browser.allow(query())
  await done('details saved', ACCOUNT, { decision: 'details', locale: language === 'en-XA' ? 'pt-BR' : language, shown_locale: '' })
  await done('trust ended', TWO_STEP, { decision: 'end-trust', browser: 'x' })
  await stores.profiles.change('ann', { email: 'new@example.com', emailVerified: false })
  const count = mails.length
  await done('link mailed', ACCOUNT, { decision: 'verify' })
  const link = pathIn(await received(count + 1))
  await see('verify', link)
  pages['address verified'] = await browser.post('/verify-email', { link: link.split('link=')[1]!, ...PASSWORD })
  await done('two-step turned off', TWO_STEP, { decision: 'turn-off', ...PASSWORD })
  return pages
}

t.test('in the pseudo-language, no page of the account area shows English', async t => {
  for (const [name, page] of Object.entries(await pagesOf(t, 'en-XA', { DEFAULT_LANGUAGE: 'en-XA' }))) {
    t.match(page.body, '<html lang="en-XA" dir="ltr"', name)
    t.same(textOf(page).match(/[A-Za-z]{2,}/g), null, name)
  }
})

for (const [language, direction] of [['de', 'ltr'], ['fr', 'ltr'], ['es', 'ltr'], ['ar', 'rtl']] as const) {
  t.test(`every page of the account area is in the language ${language}, with its direction`, async t => {
    for (const [name, page] of Object.entries(await pagesOf(t, language, {}))) {
      t.match(page.body, `<html lang="${language}" dir="${direction}"`, name)
      t.notMatch(textOf(page), / (?:the|you|your|this|to|of) /i, name)
    }
  })
}

t.test('the chosen language is that of the pages and emails, and one that apps know stays', async t => {
  const { stores, browser, press } = await prepareMailed(t)
  const language = async () => /<html lang="(\w+)"/.exec((await browser.get(ACCOUNT)).body)?.[1]
  await browser.post('/language', { language: 'fr', back: ACCOUNT })
  t.equal(await language(), 'fr')
  await press(ACCOUNT, 'details', { locale: 'de', shown_locale: '' })
  t.equal(await language(), 'de', 'the choice of this browser is forgotten')
  await stores.profiles.change('ann', { locale: 'pt-BR' })
  t.match((await browser.get(ACCOUNT)).body, '<option value="pt-BR" lang="pt-BR" selected>')
  await press(ACCOUNT, 'details', { locale: 'pt-BR', shown_locale: 'pt-BR', name: 'Ann', shown_name: '' })
  t.match(await stores.profiles.findAny('ann'), { locale: 'pt-BR', name: 'Ann' })
})
