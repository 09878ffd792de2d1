import { readLines } from '@frontdesk/service-kit/records/json'
import { reason, type Reason } from '../../languages/reason.js'
import {
  leftOf, objectOf, objectsOf, phcPart, readPeople, textOf, unreadPasswords, type FileRecord, type JsonObject, type PersonInFile
} from './record.js'

/** Reads Auth0's export of users, that of their password hashes, or its import format: JSON lines. */
export function readAuth0 (body: AsyncIterable<Buffer>): AsyncGenerator<FileRecord> {
  return readPeople(readLines(body), readUser)
}

const LEFT = {
  multifactor: 'import.left.second-factors',
  mfa_factors: 'import.left.second-factors',
  app_metadata: 'import.left.metadata-apps',
  user_metadata: 'import.left.metadata-users',
  phone_number: 'import.left.phone-numbers'
} as const

function readUser (user: JsonObject): PersonInFile {
  const email = textOf(user.email)
  const oid = textOf(objectOf(user._id)?.$oid)
  const social = objectsOf(user.identities).some(({ provider }) => provider !== 'auth0')
  const { passwordHash, left } = readPassword(user)
  const name = textOf(user.name)
  return {
    person: {
      id: textOf(user.user_id) ?? (oid === undefined ? undefined : `auth0|${oid}`),
      username: textOf(user.username) ?? email ?? '',
      // Auth0 fills in the address if it knows no name.
      name: name === email ? undefined : name,
      givenName: textOf(user.given_name),
      familyName: textOf(user.family_name),
      email,
      emailVerified: email !== undefined && user.email_verified === true,
      locale: textOf(user.locale),
      picture: textOf(user.picture),
      passwordHash,
      disabled: user.blocked === true
    },
    left: [...left, ...social ? [reason('import.left.social-links')] : [], ...leftOf(user, LEFT)]
  }
}

/** Reads a hash: bcrypt's of an export, or that of the import format. */
function readPassword (user: JsonObject): { readonly passwordHash: string | undefined, readonly left: Reason[] } {
  const bcrypt = textOf(user.passwordHash) ?? textOf(user.password_hash)
  if (bcrypt !== undefined) return { passwordHash: bcrypt, left: [] }
  const custom = objectOf(user.custom_password_hash)
  if (custom === undefined) return { passwordHash: undefined, left: [] }
  const passwordHash = readCustomHash(custom)
  return { passwordHash, left: passwordHash === undefined ? [unreadPasswords(textOf(custom.algorithm))] : [] }
}

/** Reads `custom_password_hash`. Returns `undefined` for an algorithm that cannot be checked. */
function readCustomHash ({ algorithm, hash, salt, ...parameters }: JsonObject): string | undefined {
  const { value } = objectOf(hash) ?? {}
  if (['argon2', 'bcrypt', 'pbkdf2'].includes(String(algorithm))) return textOf(value)
  if (algorithm !== 'scrypt') return undefined
  const { cost = 16_384, blockSize = 8, parallelization = 1 } = parameters
  const [saltBytes, hashBytes] = [bytesOf(objectOf(salt), 'utf8'), bytesOf(objectOf(hash), 'utf8')]
  return `$scrypt$ln=${Math.log2(Number(cost))},r=${blockSize},p=${parallelization}$${phcPart(saltBytes)}$${phcPart(hashBytes)}`
}

function bytesOf (encoded: JsonObject | undefined, encoding: BufferEncoding): Buffer {
  const { value, encoding: named = encoding } = encoded ?? {}
  // as: of Auth0's encodings, Node.js knows all.
  return Buffer.from(textOf(value) ?? '', Buffer.isEncoding(String(named)) ? named as BufferEncoding : encoding)
}
