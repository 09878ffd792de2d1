import type { Page } from 'playwright-core'

interface Authenticator {
  credentials (): Promise<ReadonlyArray<{ readonly rpId?: string, readonly isResidentCredential: boolean }>>
  /** Whether the user touches it. If so, a page that suggests passkeys is answered at once. */
  touch (enabled: boolean): Promise<void>
  /** Whether it recognizes the user. */
  recognize (isUserVerified: boolean): Promise<void>
}

/** Adds a virtual authenticator to a page, as a platform has it (WebAuthn Level 3 §11). */
export async function addAuthenticator (page: Page): Promise<Authenticator> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true
  } as const
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
  return {
    credentials: async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    touch: async enabled => { await devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }) },
    recognize: async isUserVerified => { await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }) }
  }
}
