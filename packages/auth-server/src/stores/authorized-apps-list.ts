import type { Connection } from '@frontdesk/database/connection'
import { customerScopes } from '@frontdesk/schemas/customer-scope'
import { CODE_TTL, FORM_TOKEN_TTL } from '../lifetimes.js'
import { authorizedAppsStatement } from './authorized-apps-statement.js'
import type { Database } from './database.js'

/** What a person has allowed an app, as it stands. */
export interface AuthorizedApp {
  readonly clientId: string
  readonly clientName: string
  /** Scopes that mean something here, of all grants and of what it gets again without asking, each once. */
  readonly scope: readonly string[]
  /** When the first of what stands was allowed. */
  readonly since: Date
  /** When the app last got a token; `null` if no grant stands. */
  readonly lastUsed: Date | null
  /** When its last token ends, or has ended, unless it gets others; `null` if no grant stands. */
  readonly endsAt: Date | null
  /** Whether it gets any of it again without asking. */
  readonly isRemembered: boolean
}

/** Lists the apps that a person has allowed; `more` if there are more. */
export type AuthorizedAppsList = (userId: string, now: Date, accessTokenTtl: number) => Promise<{ authorizedApps: AuthorizedApp[], more: boolean }>

/** Apps that are listed. */
const MAX_APPS = 100

const scopes = Object.keys(customerScopes)

/** Columns of the statement; drivers give times as text or as Date, and numbers in several types. */
type Row = {
  id: string
  name: string
  /** Lifetime of the access tokens of the app, in seconds. */
  ttl: number | bigint | null
  /** When the oldest and the youngest live grant was given, and when consent was given first. */
  since: string | Date | null
  used: string | Date | null
  allowed: string | Date | null
  /** When the last refresh token was issued. */
  renewed: string | Date | null
  /** When the last of the grants ends whose end says when their tokens end; when the last other one was given. */
  until: string | Date | null
  given: string | Date | null
} & { [scope: `scope${number}`]: number | bigint | null }

/** The apps that have access to what is a person's, in one statement that seeks in indexes: its cost does not grow with the grants. */
export function openAuthorizedAppsList (database: Database, connection: Connection): AuthorizedAppsList {
  const statement = authorizedAppsStatement(scopes, MAX_APPS + 1, connection.adapter.provider === 'postgres')
  return async (userId, now, accessTokenTtl) => {
    const rows = await database.$queryRaw<Row[]>(statement(userId, now, FORM_TOKEN_TTL))
    const authorizedApps = rows.slice(0, MAX_APPS).map(row => readApp(row, accessTokenTtl))
      .filter(({ endsAt, isRemembered }) => isRemembered || (endsAt !== null && endsAt.getTime() + CODE_TTL * 1_000 > now.getTime()))
    const order = ({ lastUsed, since }: AuthorizedApp) => (lastUsed ?? since).getTime()
    return { authorizedApps: authorizedApps.sort((one, other) => order(other) - order(one)), more: rows.length > MAX_APPS }
  }
}

function readApp (row: Row, accessTokenTtl: number): AuthorizedApp {
  const ttl = Number(row.ttl ?? accessTokenTtl) * 1_000
  const given = timeOf(row.given)
  return {
    clientId: row.id,
    clientName: row.name,
    scope: scopes.filter((_, index) => Number(row[`scope${index}`]) === 1),
    // as: a row has a grant or remembered consent.
    since: [timeOf(row.since), timeOf(row.allowed)].filter(time => time !== null).sort((one, other) => one.getTime() - other.getTime())[0] as Date,
    lastUsed: latest(timeOf(row.used), timeOf(row.renewed)),
    endsAt: latest(timeOf(row.until), given && new Date(given.getTime() + ttl)),
    isRemembered: row.allowed !== null
  }
}

function timeOf (value: string | Date | null): Date | null {
  return value === null ? null : new Date(value)
}

function latest (one: Date | null, other: Date | null): Date | null {
  return one === null || (other !== null && other > one) ? other : one
}
