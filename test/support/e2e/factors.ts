import type { Page } from 'playwright-core'
import type { Stack } from '../stack.js'

/** The code in the email to a user. Without a mail server, this machine can read emails on a page. */
export async function mailedCode (page: Page, { issuer }: Stack, username: string): Promise<string> {
  const written = new RegExp(`user name is ${username}\\.\\s+If that was you, enter this code within 10 minutes: (\\d{8})`)
  for (;;) {
    await page.goto(`${issuer}/mails`)
    const [, code] = written.exec(await page.locator('main').innerText()) ?? []
    if (code !== undefined) return code
  }
}

/** The recovery codes that a page shows, which the leak check then knows. */
export async function recoveryCodes (page: Page, { leakCheck }: Stack): Promise<string[]> {
  const codes = await page.locator('.codes code').allInnerTexts()
  for (const code of codes) leakCheck.secret(code)
  return codes
}
