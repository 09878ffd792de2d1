import t from 'tap'
import { allow, allowButton, check, openPage, signInToAccount, skip, startBrowser } from '../support/browser.js'
import { blockOf } from '../support/how-to-page.js'
import { addPerson, erika } from '../support/person.js'
import { read } from '../support/sources.js'
import { startStack, type Stack } from '../support/stack.js'

const PAGE = 'docs/how-to/sign-in-with-an-upstream-provider.md'
const zoe = { username: 'zoe', password: 'Zoes geheimes Passwort' }

/** Registers auth-server at the provider, and starts it with the settings, as the page says. */
async function connect (t: Parameters<typeof startStack>[0], provider: Stack): Promise<Stack> {
  // The provider's callback has the port of the other stack, which is not known before it is made: it starts later.
  const stack = await startStack(t, [])
  const here = (text: string) => text.replaceAll('http://localhost:3000', stack.issuer).replaceAll('http://localhost:4000', provider.issuer)
  const [, command] = /^ *npx --no frontdesk-auth (client add .*)$/m.exec(read(PAGE)) ?? []
  const { secret } = JSON.parse(await provider.register([...here(command!).split(' '), '--json'])) as { secret: string }
  const lines = here(blockOf(PAGE, 'ini')).trim().split('\n').map(line => line.split(/=(.*)/s).slice(0, 2))
  stack.leakCheck.secret(secret)
  await stack.start('auth-server', { ...Object.fromEntries(lines), UPSTREAM_CLIENT_SECRET: secret })
  return stack
}

await t.test('a user connects the account at the provider, and signs in with it, with scripts and without', { skip }, async t => {
  const provider = await startStack(t, ['auth-server'])
  const stack = await connect(t, provider)
  await addPerson(provider, zoe)
  const browser = await startBrowser(t)

  for (const javaScriptEnabled of [true, false]) {
    const person = { ...erika, username: `erika-${javaScriptEnabled}` }
    await addPerson(stack, person)
    const page = await openPage(t, browser, stack, { javaScriptEnabled })
    const look = async (name: string) => { if (javaScriptEnabled) await check(t, page, name) }
    await page.goto(`${stack.issuer}/account`)
    await look('sign-in page')
    await page.getByRole('button', { name: 'Sign in with Example' }).click()
    await allow(page, zoe)
    await page.getByRole('heading', { name: 'No account here is connected' }).waitFor()
    await look('no account')
    await page.getByRole('link', { name: 'Start again' }).click()

    await signInToAccount(page, stack, person)
    await page.getByRole('link', { name: 'Connect Example' }).click()
    await look('page to connect')
    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Connect Example' }).click()
    // The provider asks, although zoe is signed in there and has allowed it.
    await page.getByText('signed in as zoe').waitFor()
    await allowButton(page).click()
    await page.getByText('Account connected.').waitFor()
    await look('connected')

    const other = await openPage(t, browser, stack, { javaScriptEnabled })
    await other.goto(`${stack.issuer}/account`)
    await other.getByRole('button', { name: 'Sign in with Example' }).click()
    await allow(other, zoe)
    await other.getByText(`You're signed in as ${person.username}`).waitFor()

    await page.getByLabel('Password', { exact: true }).fill(person.password)
    await page.getByRole('button', { name: 'Disconnect Example' }).click()
    await page.getByText('Disconnected.').waitFor()
    await other.reload()
    await other.getByRole('heading', { name: 'Sign in to your account' }).waitFor()
  }

  t.same(await stack.stop(), [0])
  t.same(stack.leakCheck.findings(), [])
})
