import t, { type Test } from 'tap'
import { sendTestMail } from '../../src/admin/mail.js'
import { resetPassword, inviteUser } from '../../src/admin/passwords.js'
import { loadConfig } from '../../src/config.js'
import { catalogues } from '../../src/languages/catalogues.js'
import { translator } from '../../src/languages/translator.js'
import { signedIn } from '../../src/mail/account-notices.js'
import { writeCodeMail } from '../../src/mail/code-mail.js'
import { writeKnownAddressMail } from '../../src/mail/known-address-mail.js'
import { writeLinkMail } from '../../src/mail/link-mail.js'
import { writeNotice, type Occurrence } from '../../src/mail/notices.js'
import { Browser } from '../support/helper.js'
import { prepareMailed } from '../support/mailed-code.js'
import { readMail } from '../support/mail-server.js'

export const onBothDatabases = true

const BY = { kind: 'shell', name: 'test' } as const

/** Ann, whose language is given, and the emails that she gets. */
async function prepare (t: Test, locale: string | null) {
  const prepared = await prepareMailed(t, { DEFAULT_LANGUAGE: 'es' })
  const { app, stores, received, mails, env } = prepared
  await stores.profiles.change('ann', { locale })
  const config = loadConfig({ ...env, ISSUER: 'https://id.example', DEFAULT_LANGUAGE: 'es' })
  /** The first email after an action, with its language and direction. */
  const mailAfter = async (act: () => Promise<unknown>) => {
    const count = mails.length
    await act()
    const { text, html } = readMail(await received(count + 1))
    const [, language, direction, subject] = /<html lang="([\w-]+)" dir="(\w+)">.*<title>(.*?)<\/title>/s.exec(html) ?? []
    return { text, language, direction, subject: subject?.replaceAll('&#39;', '\'') }
  }
  /** A browser that prefers French. */
  const french = new Browser(app)
  french.cookies.set('__Host-language', 'fr')
  const forgot = async () => await french.post('/forgot-password', { username: 'ann' })
  return { ...prepared, config, mailAfter, french, forgot }
}

t.test('an email is in the language of its recipient, whatever the language of the browser or the administrator', async t => {
  const { stores, french, press, signIn, config, mailAfter, forgot } = await prepare(t, 'de-AT')
  const rows: ReadonlyArray<readonly [subject: string, act: () => Promise<unknown>]> = [
    ['Neues Passwort für id.example', forgot],
    ['Neue Anmeldung – id.example', async () => await signIn(french)],
    ['Ihr Code für id.example', async () => await press('/account/two-step', 'set-up', { password: 'correct horse' })],
    ['Test-E-Mail von id.example', async () => await sendTestMail(stores, 'ann', config, BY)],
    ['Neues Passwort für id.example', async () => await resetPassword(stores, 'ann', { config }, BY)]
  ]
  for (const [subject, act] of rows) {
    const mail = await mailAfter(act)
    t.match(mail, { subject, language: 'de', direction: 'ltr' })
    t.notMatch(mail.text, / (?:the|you|your|this|to|of) /i, subject)
  }
})

t.test('without a language of its own, a requested email has that of the page, and a notice the default', async t => {
  const { stores, french, signIn, config, mailAfter, forgot } = await prepare(t, 'tlh')
  t.match(await mailAfter(forgot), { subject: 'Nouveau mot de passe pour id.example', language: 'fr' })
  // Someone else can have signed in: not in a language that they chose.
  t.match(await mailAfter(async () => await signIn(french)), { subject: 'Nuevo inicio de sesión – id.example', language: 'es' })
  const invited = { username: 'ben', email: 'ben@example.com', locale: 'ar' }
  const mail = await mailAfter(async () => await inviteUser(stores, invited, { config }, BY))
  t.match(mail, { language: 'ar', direction: 'rtl', text: /\u2068ben\u2069/ })
  t.match(mail.text, /^https:\/\/id\.example\/set-password\?link=[\w.-]+\r?$/m, 'the link has no other characters')
})

t.test('one format of dates in pages and emails, with the time zone', async t => {
  const date = new Date('2026-03-09T15:04:05Z')
  const german = await translator('de')
  t.equal(german('notice.sign-in.facts', { at: date, browser: 'x' }), `Zeit: ${german.date(date)}. Browser: x.`)
  t.match(german.date(date), /9\. März 2026.*15:04 UTC/)
})

t.test('in the pseudo-language, no email shows English', async t => {
  const facts = {
    to: { name: 'ann', address: 'ann' }, username: 'ann', t: await translator('en-XA'), site: 'id.example'
  }
  const linked = { ...facts, link: 'https://id.example/', hours: 2 }
  // as: the names of the notices.
  const notices = Object.keys(await catalogues.en()).flatMap(key => /^notice\.(.+)\.says$/.exec(key)?.[1] ?? []) as Occurrence[]
  const mails = [
    ...notices.map(what => writeNotice({ what, values: { count: 20 } }, linked)),
    writeNotice({ what: 'removed', advice: 'notice.advice-administrator' }, linked),
    writeNotice({ what: 'address-changed', advice: 'notice.advice-address' }, linked),
    writeNotice(signedIn({ at: new Date(), browser: undefined, app: undefined }), linked),
    writeNotice(signedIn({ at: new Date(), browser: { key: 'account.unknown-browser' }, app: 'ann' }), linked),
    ...(['invitation', 'password', 'sign-up', 'verification'] as const).map(purpose => writeLinkMail({ ...linked, purpose })),
    ...(['factor', 'address'] as const).map(purpose => writeCodeMail({ ...facts, purpose, code: '12345678', minutes: 10 })),
    writeKnownAddressMail({ ...linked, usernames: ['ann'], forgotPassword: 'https://id.example/' })
  ]
  t.ok(mails.length > 20)
  for (const { subject, text, html } of mails) {
    const read = `${subject}\n${text}\n${html.replace(/<[^>]*>/g, ' ')}`.replace(/https:\/\/id\.example\/|id\.example|\bann\b|\d+ \w+ \d{4}|UTC/g, '')
    t.same(read.match(/\b[a-z]{2,}\b/gi), null, subject)
    t.match(html, '<html lang="en-XA" dir="ltr">')
  }
})
