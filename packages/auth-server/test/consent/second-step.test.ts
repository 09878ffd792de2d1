import { ACRS } from '@frontdesk/schemas/acr'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { readInteraction } from '../../src/oauth/interaction.js'
import { registered } from '../support/oauth/client.js'
import { ann, browser, outcomeOf, passed, session, signedOut, type State } from '../support/consent/decision.js'

const page = readFileSync(new URL('../../../../../docs/how-to/require-a-second-factor.md', import.meta.url), 'utf8')
const MFA = 'urn:frontdesk:acr:mfa'

/** The rows of the page's last table: role, app, request, and what each of three users must enter. */
const rows = page.split('\n').filter(line => line.startsWith('|')).map(line => line.slice(2, -2).split(' | '))
  .filter(cells => cells.length === 6).slice(1)

/** The outcome of a password that a cell describes. */
const OUTCOMES: Readonly<Record<string, string>> = {
  password: 'allow',
  'password, code': 'factor',
  'password, set-up': 'unenrolled',
  'password, code, set-up': 'factor',
  error: 'refused: unmetAuthentication'
}

/** The users of the last columns. */
const USERS: readonly Pick<State, 'isTrusted'>[] = [{}, {}, { isTrusted: true }]

const levelsOf = (cell: string) => [...cell.matchAll(/mfa|phr/g)].map(([name]) => ACRS.find(acr => acr.endsWith(name))!)

t.test('who is asked for what, as the page says: role × app × request × factor × trusted browser', async t => {
  t.ok(rows.length > 15)
  for (const [role = '', app = '', request = '', ...cells] of rows) {
    const [requiredAcr = null] = levelsOf(role)
    const [appAcr = null] = levelsOf(app)
    const acrs = levelsOf(request)
    const isAcrEssential = request.startsWith('essential')
    for (const [index, cell] of cells.entries()) {
      const factors = index === 0 ? null : 'totp'
      const requested = {
        client: registered({ requiredAcr: appAcr as typeof MFA | null }), interaction: { ...browser.interaction, acrs, isAcrEssential }
      }
      const { outcome } = await outcomeOf({ ...USERS[index], page: signedOut, signIn: ann({ requiredAcr, factors }), requested })
      t.equal(outcome, OUTCOMES[cell], `${role} ${app} ${request}: ${cell}`)
    }
  }
})

t.test('a passkey meets every level, and is asked for where a role or an app requires one, also in a trusted browser', async t => {
  const user = { requiredAcr: 'phr', factors: 'totp passkey' }
  t.equal((await outcomeOf({ page: signedOut, signIn: ann(user), isTrusted: true })).outcome, 'factor')
  for (const amr of ['pwd pop mfa', 'pop user mfa']) {
    t.equal((await outcomeOf({ page: signedOut, signIn: ann(user, { amr }) })).outcome, 'allow')
  }
})

t.test('where a passkey is required, a code leads to setting one up: after the app, or because the passkey is lost', async t => {
  for (const factors of ['totp', 'totp passkey', 'passkey']) {
    const user = { requiredAcr: 'phr', factors }
    const signIn = ann(user, { amr: 'pwd otp mfa' })
    t.match((await outcomeOf({ page: { passed }, form: { code: '1' }, useFactor: signIn })), {
      outcome: 'unenrolled', decided: { acr: 'phr', amr: 'pwd otp mfa', page: { passed } }
    }, factors)
    const { outcome } = await outcomeOf({ session: { ...session, ...user, amr: 'pwd otp mfa' } })
    t.equal(outcome, 'factor', `${factors}, in a session, which can be stolen`)
  }
  const none = await outcomeOf({ session: { ...session, requiredAcr: 'phr', factors: null, amr: 'pwd otp mfa' } })
  t.match(none, { outcome: 'unenrolled', decided: { amr: 'pwd' } }, 'nor after the factors were removed')
})

t.test('acr_values takes known levels in order of preference; acr in claims goes first', async t => {
  const acrs = (parameters: Record<string, string>, claimed?: Parameters<typeof readInteraction>[2]) =>
    readInteraction(parameters, true, claimed)
  t.match(acrs({ acr_values: `1 phr ${MFA}` }), { acrs: ['phr', MFA], isAcrEssential: false })
  t.match(acrs({ acr_values: MFA }, { acrs: ['phr'], isAcrEssential: true }), { acrs: ['phr'], isAcrEssential: true })
  t.match(acrs({}), { acrs: [], isAcrEssential: false })
})
