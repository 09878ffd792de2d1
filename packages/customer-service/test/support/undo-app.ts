import { setTimeout } from 'node:timers/promises'
import { PATH, type build } from './helper.js'

type Service = Awaited<ReturnType<typeof build>>

/** An app and a colleague, who call the service, and the token of an administrator, who can undo what other apps did. */
export async function appWorld ({ issuer, send }: Pick<Service, 'issuer' | 'send'>) {
  const mint = async (claims: Record<string, string>) => await issuer.mint({ claims })
  const scope = 'customer:read customer:write customer:delete customer:erase'
  const tokens = {
    app: await mint({ sub: 'person-2', client_id: 'app', scope }),
    colleague: await mint({ sub: 'colleague', client_id: 'desk', scope })
  }
  const as = (token: string) => async (method: string, path: string, body?: Record<string, string | number>) => {
    const isJson = path.endsWith('/merge')
    const form = body === undefined ? {} : { form: isJson ? JSON.stringify(body) : body }
    const response = await send(method, PATH + path, { token, ...form, ...isJson ? { headers: { 'content-type': 'application/json' } } : {} })
    if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.body}`)
  }
  const admin = await mint({ sub: 'admin', scope: 'customer:write customer:delete customer:undo' })
  return { tokens, admin, app: as(tokens.app), colleague: as(tokens.colleague) }
}

/** A time after all changes so far and before all later ones. */
export async function timeBetween ({ db }: Pick<Service, 'db'>): Promise<string> {
  const last = await db.customerChange.findFirst({ orderBy: { seq: 'desc' } })
  // Replicas under load do not measure the database's clock exactly.
  await setTimeout(100)
  return new Date(last === null ? Date.now() - 60_000 : last.at.getTime() + 50).toISOString()
}

interface Options { readonly since: string, readonly token?: string, readonly query?: string }

/** Undoes what an app did, and returns the report or the problem. */
export async function undoApp ({ send }: Pick<Service, 'send'>, { since, query = '', ...sent }: Options) {
  return (await send('POST', `${PATH}/undo?since=${since}${query}`, sent)).json()
}
