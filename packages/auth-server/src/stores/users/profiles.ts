import { Batcher } from '@frontdesk/database/batch'
import { databaseTime } from '@frontdesk/database/clock'
import type { Connection } from '@frontdesk/database/connection'
import { listStatement } from '@frontdesk/database/list-statement'
import type { Row } from '@frontdesk/database/rows'
import { join, query, queryStep, raw, sql, type Sql } from '@frontdesk/database/sql'
import type { Steps } from '@frontdesk/database/steps'
import { columnNames, columnOf, pick } from '@frontdesk/database/table'
import { user } from '../../generated/tables.js'
import { userAttributes } from '../../oauth/user-fields.js'
import { createAssignment, type UserRoles } from '../access/roles.js'
import { foldUsername } from './user-columns.js'

/** The columns of {@link Profile}. */
export const PROFILE = pick(user, ...userAttributes)

/** The attributes of a person, of which claims are made (OpenID Connect Core §5.1). `null`: not set. */
export type Profile = Row<typeof PROFILE>

const COLUMNS = { ...pick(user, 'id', 'username', 'updatedAt'), ...PROFILE }

/** A person with their attributes. */
export type Person = Row<typeof COLUMNS>

/** The attributes of people. */
export interface Profiles {
  /** The person with that id; `null` if unknown or disabled. Concurrent calls share a statement. */
  find (userId: string): Promise<Person | null>
  /** The person with that user name, disabled or not; `null` if unknown. */
  findByUsername (username: string): Promise<Person | null>
  /**
   * The people who may be sent mail, by user name or email address: enabled, with a verified address. Of several with that
   * address, the first {@link MOST_OF_ADDRESS} by user name.
   */
  findToMail (typed: string): Promise<Array<Person & { email: string }>>
  /**
   * Changes only the given attributes, so that concurrent changes of others are kept. Returns `false` for an unknown user name.
   * An email address that becomes another one is not verified, unless the change verifies it.
   * @param roles also changes the roles, as {@link Roles.assign} and `edit` do. Atomic: returns `false`, with nothing changed, if one
   *   is unknown
   */
  change (username: string, change: Partial<Profile>, roles?: UserRoles): Promise<boolean>
  /** The same for a person by their id. Returns `false` if unknown or disabled. */
  changeOwn (userId: string, change: Partial<Profile>): Promise<boolean>
}

/** Most people who are found by one email address. */
const MOST_OF_ADDRESS = 5

/** The same in SQL. */
const columns = columnNames(COLUMNS)

/** {@link Profiles} in a database. */
export function openProfiles (connection: Connection): Profiles {
  const reads = readPeople(connection)
  const now = raw(databaseTime(connection))
  const assignment = createAssignment(connection)
  function * update (change: Partial<Profile>, where: Sql): Steps<string | undefined> {
    const updatedAt = Object.keys(change).length === 0 ? raw('updated_at') : now
    const [changed] = yield * queryStep(connection, { id: 'string' }, sql`
      UPDATE user_account SET ${join([...assign(change), sql`updated_at = ${updatedAt}`])} WHERE ${where} RETURNING id`)
    return changed?.id
  }
  return {
    // PostgreSQL's text cannot hold NUL: it would fail.
    find: async userId => userId.includes('\0') ? null : await reads.run(userId),
    async findByUsername (username) {
      if (username.includes('\0')) return null
      const [person] = await query(connection, COLUMNS, sql`
        SELECT ${raw(columns)} FROM user_account WHERE username_key = ${foldUsername(username)}`)
      return person ?? null
    },
    async findToMail (typed) {
      if (typed.includes('\0')) return []
      const find = async (where: Sql) => await query(connection, { ...COLUMNS, email: 'string' }, sql`
        SELECT ${raw(columns)} FROM user_account WHERE ${where} AND email_verified AND email IS NOT NULL AND disabled_at IS NULL
        ORDER BY username_key LIMIT ${MOST_OF_ADDRESS}`)
      const named = await find(sql`username_key = ${foldUsername(typed)}`)
      // The database folds both sides, by the expression of its index.
      const addressed = typed.includes('@') ? await find(sql`lower(email) = lower(${typed})`) : []
      return [...named, ...addressed.filter(({ id }) => id !== named[0]?.id)]
    },
    change: (username, change, roles) => connection.transact(function * () {
      // First: what returns false has changed nothing.
      if (roles !== undefined && !(yield * assignment.isKnown(roles))) return false
      const id = yield * update(change, sql`username_key = ${foldUsername(username)}`)
      if (id !== undefined && roles !== undefined) yield * assignment.assign(id, roles)
      return id !== undefined
    }),
    changeOwn: (userId, change) => connection.transact(function * () {
      return (yield * update(change, sql`id = ${userId} AND disabled_at IS NULL`)) !== undefined
    })
  }
}

function assign ({ email, emailVerified, ...others }: Partial<Profile>): Sql[] {
  const assignments = Object.entries(others).map(([attribute, value]) => sql`${raw(columnOf(attribute))} = ${value}`)
  if (email !== undefined) assignments.push(sql`email = ${email}`)
  if (emailVerified === false || email === null) assignments.push(sql`email_verified = false`)
  else if (emailVerified === true) assignments.push(email === undefined ? sql`email_verified = (email IS NOT NULL)` : sql`email_verified = true`)
  // In the statement, because another change may have set the same address or another one.
  else if (email !== undefined) assignments.push(sql`email_verified = (email_verified AND email IS NOT DISTINCT FROM ${email})`)
  return assignments
}

/** Finds people by ids, in batches. */
function readPeople (connection: Connection): Batcher<string, Person | null> {
  const statement = listStatement(connection, {
    entry: { id: 'string' },
    sql: entries => `SELECT ${columns} FROM user_account WHERE id IN (SELECT entry.id FROM ${entries}) AND disabled_at IS NULL`,
    row: COLUMNS
  })
  return new Batcher(async ids => {
    const found = new Map((await statement.run(ids.map(id => ({ id })))).map(person => [person.id, person]))
    return ids.map(id => found.get(id) ?? null)
  }, connection)
}
