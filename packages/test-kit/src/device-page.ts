/** What a user does on the device page. */
interface Decision { readonly decision: string, readonly username: string, readonly password: string }

/** Types a user code on the device page of a server, signs in and decides. */
export async function decideOnDevice (issuer: string, userCode: string, decided: Decision): Promise<void> {
  const cookies = new Map<string, string>()
  const send = async (fields?: Record<string, string>) => {
    const response = await fetch(`${issuer}/device`, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(pair => pair.join('=')).join('; ') },
      ...fields && { method: 'POST', body: new URLSearchParams({ user_code: userCode, ...fields }) }
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';', 1)[0]!.split('=', 2)
      cookies.set(name, value)
    }
    return /name="transaction" value="([^"]*)"/.exec(await response.text())?.[1] ?? ''
  }
  const transaction = await send({ transaction: await send(), decision: 'continue' })
  await send({ transaction, ...decided })
}

/** The user code that a command shows; `undefined`: it has not yet. */
export function userCodeIn (text: string): string | undefined {
  return /enter the code ([A-Z]{4}-[A-Z]{4})\r?\n/.exec(text)?.[1]
}
