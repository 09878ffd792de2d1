import { family, given } from '../services/names.js'

const DAY_MS = 86_400_000

const COLUMNS = `id, username, username_key, search_key, password_hash, password_set_at, name, given_name, family_name, email,
  email_verified, demo, disabled_at, created_at, updated_at`

/** The id of the user with a number. */
export function userId (number) {
  const hex = digits => number.toString(16).padStart(digits, '0')
  return `${hex(8)}-0000-4000-8000-${hex(12)}`
}

/** SQL of the same, from SQL of the number. */
export function userIdIn ({ hex }, number) {
  return `${hex(number, 8)} || '-0000-4000-8000-' || ${hex(number, 12)}`
}

/** People with names as people have them, by number. */
export function makePeople (count) {
  return Array.from({ length: count }, (_, number) => {
    const [first, last] = [given(), family()]
    const username = `${first}.${last}.${number}`.toLowerCase()
    return { number, username, given: first, family: last, name: `${first} ${last}`, email: `${username}@example.com` }
  })
}

/** Statements that add people: some are disabled, some invited, and some have no name. */
export function addPeople ({ true: yes, false: no, time }, people, now) {
  const row = ({ number, username, name, given, family, email }) => {
    const [created, isNamed] = [time(now - (1 + number % 900) * DAY_MS), number % 10 !== 3]
    const search = [username, ...isNamed ? [name, given, family].map(it => it.toLowerCase()) : [], email].join('\n')
    return `('${userId(number)}', '${username}', '${username}', '${search}', 'x', ${number % 40 === 7 ? 'NULL' : created},
      ${isNamed ? `'${name}', '${given}', '${family}'` : 'NULL, NULL, NULL'}, '${email}',
      ${yes}, ${no}, ${number % 50 === 9 ? time(now - DAY_MS) : 'NULL'}, ${created}, ${created})`
  }
  return inParts(people, 500).map(part => `INSERT INTO user_account (${COLUMNS}) VALUES ${part.map(row).join(',')}`)
}

function inParts (all, size) {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))
}
