import { createHash } from 'node:crypto'
import { Reason, reason } from '../languages/reason.js'
import { isBuiltIn } from '../oauth/admin-scopes.js'
import type { Config } from '../config.js'
import { isUserId } from '../registration/client-rules.js'
import { readForeignHash } from '../sign-in/foreign-hash.js'
import { unusableHash } from '../sign-in/password.js'
import { PROFILE, type Profile } from '../stores/users/profiles.js'
import { foldUsername } from '../stores/users/user-columns.js'
import type { ImportedUser } from '../stores/users/user-import.js'
import type { Stores } from '../stores/stores.js'
import type { Actor } from './actor.js'
import { recorded } from './audit.js'
import { MAX_IMPORTED } from './import-limit.js'
import { readNewUser, type NewUser } from './passwords.js'
import { assertValid, conflict, invalid, Refusal } from './refusal.js'
import type { UserStores } from './users.js'

/** A user of another server. */
export interface ImportedPerson extends NewUser {
  /** Their id there. */
  readonly id?: string | undefined
  /** A hash that `readForeignHash` reads; without one, the user has no password. */
  readonly passwordHash?: string | undefined
  readonly disabled?: boolean | undefined
}

/** How to import users. */
export interface ImportOptions {
  /** Identifies the import: with the same key, a user gets the same id. So a repeated import adds no one twice. */
  readonly key: string
  /** Whether users keep their ids, which become the `sub` of tokens. */
  readonly keepIds?: boolean | undefined
  /** Whether to trust that the other server verified the email addresses that it calls verified. */
  readonly trustEmails?: boolean | undefined
  /** Whether to email an invitation to users with an address but no password. */
  readonly invite?: boolean | undefined
  /** Whether to check without importing. */
  readonly dryRun?: boolean | undefined
}

/** A user who was not imported. `index`: their position. */
interface ImportError {
  readonly index: number
  readonly errors: ReadonlyArray<{ readonly field: string, readonly detail: Reason | string }>
}

/** The outcome. */
export interface ImportResult {
  /** In a dry run, users that could be added. */
  readonly added: number
  /** Users who were added before, with the same id. */
  readonly present: number
  /** Added and present users without a password. */
  readonly withoutPassword: number
  readonly errors: readonly ImportError[]
  /** Number of users by role that was not assigned, because it is built in or does not exist. */
  readonly missingRoles: Readonly<Record<string, number>>
}

/**
 * Imports users in one transaction, which changes no existing user: those with an error are left out, and a user who was imported
 * before stays as they are. It never assigns built-in roles.
 * @throws Refusal if there are too many
 */
export async function importUsers (
  stores: UserStores, people: readonly ImportedPerson[], options: ImportOptions, by: Actor
): Promise<ImportResult> {
  if (people.length > MAX_IMPORTED) throw invalid('users', `At most ${MAX_IMPORTED} users can be imported at once.`)
  const roles = new Set((await stores.roles.list()).map(({ name }) => name))
  const [read, errors]: [Array<{ index: number, user: ImportedUser }>, ImportError[]] = [[], []]
  const missingRoles: Record<string, number> = Object.create(null)
  people.forEach((person, index) => {
    const given = [...new Set(person.roles)]
    try {
      const user = readPerson(stores, { ...person, roles: given.filter(it => roles.has(it) && !isBuiltIn(it)) }, options)
      read.push({ index, user })
      for (const role of given) if (!user.roles.includes(role)) missingRoles[role] = (missingRoles[role] ?? 0) + 1
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      errors.push({ index, errors: error.faults.map(({ field, sentence, reason }) => ({ field, detail: reason ?? sentence })) })
    }
  })
  const counts = { added: 0, present: 0, withoutPassword: 0 }
  const outcomeOf = await add(stores, read.map(({ user }) => user), options.dryRun === true, by)
  for (const { index, user } of read) {
    const outcome = outcomeOf(user)
    if (outcome === 'taken') errors.push({ index, errors: [TAKEN] })
    else {
      counts[outcome]++
      if (user.passwordSetAt === null) counts.withoutPassword++
    }
  }
  return { ...counts, errors: errors.sort((one, other) => one.index - other.index), missingRoles }
}

/** @throws Refusal if the server cannot email invitations */
export function assertSendsMail ({ mail }: Pick<Config, 'mail'>): void {
  if (mail === undefined) throw conflict('invite', reason('import.no-mail'))
}

const TAKEN = { field: 'username', detail: reason('import.taken') }

/** Adds users. Returns what happened to each, called once for each in their order. */
async function add (stores: UserStores, users: readonly ImportedUser[], isDryRun: boolean, by: Actor) {
  const { ids, names } = await stores.users.findTaken(users)
  const isNew = ({ id, username }: ImportedUser) => !ids.has(id) && !names.has(foldUsername(username))
  const free = users.filter(isNew)
  // as: what `addAll` returns.
  const about = (done: unknown) => ({ details: { users: (done as ReadonlySet<string>).size } })
  const added = isDryRun
    ? new Set(free.map(({ id }) => id))
    : free.length === 0 ? null : await recorded(stores, 'user import', about, by).users.addAll(free)
  // Others can have added users since the first look.
  const after = isDryRun ? { ids, names } : await stores.users.findTaken(users)
  return (user: ImportedUser): 'added' | 'present' | 'taken' =>
    added?.delete(user.id) ? 'added' : after.ids.has(user.id) || (isDryRun && isNew(user)) ? 'present' : 'taken'
}

/** @throws Refusal with all faults */
function readPerson (
  { clock }: Pick<Stores, 'clock'>, { id, passwordHash, disabled, roles = [], ...person }: ImportedPerson, options: ImportOptions
): ImportedUser {
  const { username } = person
  const isTrusted = options.trustEmails === true && person.emailVerified === true
  const attributes = readNewUser({ ...person, emailVerified: isTrusted || undefined })
  const hash = passwordHash === undefined ? { passwordHash: unusableHash(), foreignCost: null } : readForeignHash(passwordHash)
  assertValid({
    id: [options.keepIds === true ? whyNotUserId(id) : null],
    passwordHash: [hash instanceof Reason ? hash : null]
  })
  const now = clock.now()
  return {
    ...NO_ATTRIBUTES,
    ...attributes,
    // as: checked above.
    ...hash as Exclude<typeof hash, Reason>,
    id: options.keepIds === true && id !== undefined ? id : deriveId(options.key, username),
    username,
    emailVerified: isTrusted,
    passwordSetAt: passwordHash === undefined ? null : now,
    disabledAt: disabled === true ? now : null,
    invitationDueAt: options.invite === true && passwordHash === undefined && attributes.email != null ? now : null,
    roles
  }
}

// as: without values, every attribute is null.
const NO_ATTRIBUTES = Object.fromEntries(Object.keys(PROFILE).map(name => [name, null])) as Record<keyof Profile, null>

function whyNotUserId (id: string | undefined): Reason | null {
  if (id === undefined) return reason('import.no-id')
  return isUserId(id) ? null : reason('import.id')
}

/** The id of a user without one to keep: a UUID (RFC 9562 §5.8) that only the key and the folded user name decide. */
function deriveId (key: string, username: string): string {
  const bytes = createHash('sha256').update(JSON.stringify([key, foldUsername(username)])).digest().subarray(0, 16)
  bytes.writeUInt8(bytes.readUInt8(6) & 0x0f | 0x80, 6)
  bytes.writeUInt8(bytes.readUInt8(8) & 0x3f | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
