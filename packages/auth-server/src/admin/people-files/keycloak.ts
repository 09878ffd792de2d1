import { parseJson } from '@frontdesk/service-kit/json'
import type { Oversized } from '@frontdesk/service-kit/records/record'
import { readElements, type JsonRecord } from '@frontdesk/service-kit/records/json'
import { readMember } from '@frontdesk/service-kit/records/json-member'
import { reason, type Reason } from '../../languages/reason.js'
import {
  leftOf, objectOf, objectsOf, phcPart, readPeople, textOf, textsOf, unreadPasswords, type FileRecord, type JsonObject, type PersonInFile
} from './record.js'

/** Reads the users of a realm export, or of Keycloak's administration API (`UserRepresentation`). @throws UnreadableFile */
export function readKeycloak (body: AsyncIterable<Buffer>): AsyncGenerator<FileRecord> {
  const users: AsyncGenerator<JsonRecord | Oversized> = readElements(readMember(body, 'users'))
  return readPeople(users, readUser)
}

const LEFT = {
  groups: 'import.left.groups',
  clientRoles: 'import.left.client-roles',
  federatedIdentities: 'import.left.social-links',
  clientConsents: 'import.left.consents',
  requiredActions: 'import.left.required-actions',
  federationLink: 'import.left.federation'
} as const

function readUser (user: JsonObject): PersonInFile {
  if (textOf(user.serviceAccountClientId) !== undefined) return { person: null, left: [reason('import.left.service-accounts')] }
  const [givenName, familyName, email] = [textOf(user.firstName), textOf(user.lastName), textOf(user.email)]
  const { locale, picture, ...attributes } = objectOf(user.attributes) ?? {}
  const { passwordHash, left } = readCredentials(objectsOf(user.credentials))
  return {
    person: {
      id: textOf(user.id),
      username: textOf(user.username) ?? email ?? '',
      name: [givenName, familyName].filter(it => it !== undefined).join(' ') || undefined,
      givenName,
      familyName,
      email,
      emailVerified: email !== undefined && user.emailVerified === true,
      locale: textsOf(locale)[0],
      picture: textsOf(picture)[0],
      roles: textsOf(user.realmRoles),
      passwordHash,
      disabled: user.enabled === false
    },
    left: [...left, ...leftOf(user, LEFT), ...leftOf({ attributes }, { attributes: 'import.left.attributes' })]
  }
}

/** Reads the first password; names the other credentials by their types. */
function readCredentials (
  credentials: readonly JsonObject[]
): { readonly passwordHash: string | undefined, readonly left: Array<Reason | string> } {
  const passwords = credentials.filter(({ type }) => type === 'password')
  const passwordHash = passwords[0] && readPassword(passwords[0])
  const others = credentials.flatMap(({ type }) => type === 'password' ? [] : [textOf(type) ?? reason('import.left.unknown-credential')])
  const unread = passwords[0] === undefined || passwordHash !== undefined ? [] : [unreadPasswords(algorithmOf(passwords[0]))]
  return { passwordHash, left: [...unread, ...new Set(others)] }
}

function algorithmOf (credential: JsonObject): string | undefined {
  return textOf(dataOf(credential.credentialData).algorithm)
}

/** Reads a password (Keycloak's `PasswordCredentialModel`). Returns `undefined` for an algorithm that cannot be checked. */
function readPassword (credential: JsonObject): string | undefined {
  const { hashIterations, additionalParameters } = dataOf(credential.credentialData)
  const secret = dataOf(credential.secretData)
  const [value, salt] = [textOf(secret.value) ?? '', phcPart(textOf(secret.salt) ?? '')]
  const algorithm = algorithmOf(credential)
  const digest = PBKDF2[algorithm ?? '']
  if (digest !== undefined) return `$pbkdf2-${digest}$i=${hashIterations}$${salt}$${phcPart(value)}`
  // Extensions store the whole text of bcrypt.
  if (algorithm === 'bcrypt') return value
  if (algorithm !== 'argon2') return undefined
  const parameter = (name: string) => textsOf(objectOf(additionalParameters)?.[name])[0]
  const version = parameter('version') === '1.0' ? 16 : 19
  const costs = `m=${parameter('memory')},t=${hashIterations},p=${parameter('parallelism')}`
  return `$argon2${parameter('type')}$v=${version}$${costs}$${salt}$${phcPart(value)}`
}

const PBKDF2: Readonly<Record<string, string>> = { pbkdf2: 'sha1', 'pbkdf2-sha256': 'sha256', 'pbkdf2-sha512': 'sha512' }

/** Parses JSON in a text, as exports have it. */
function dataOf (value: unknown): JsonObject {
  return objectOf(typeof value === 'string' ? parseJson(value) : value) ?? {}
}
