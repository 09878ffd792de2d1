import t from 'tap'
import { readPeopleFile, type PeopleFormat } from '../../src/admin/people-files/index.js'
import { reason } from '../../src/languages/reason.js'
import { readForeignHash } from '../../src/sign-in/foreign-hash.js'
import { verifyHash } from '../../src/sign-in/foreign-hash.js'

async function read (format: PeopleFormat, text: string) {
  const records = []
  for await (const record of readPeopleFile(format, (async function * () { yield Buffer.from(text) })())) records.push(record)
  return records
}

t.test('CSV: columns in any order, by the names of fields or of claims', async t => {
  t.strictSame(await read('csv', 'Given Name;username;E-Mail_Verified;email;roles;shoe size\nZoë;zoe;yes;zoe@example.com;"a  b";38\n'), [{
    line: 2,
    person: {
      givenName: 'Zoë', email: 'zoe@example.com', id: undefined, username: 'zoe', emailVerified: true, roles: ['a', 'b'], passwordHash: undefined, disabled: false
    },
    left: [reason('import.left.column', { column: '"shoe size"' })]
  }])
  t.match(await read('csv', 'username,disabled,password_hash\nann,1,$2b$x\nbob,perhaps,\ncy\n\'=dora,,\n'), [
    { line: 2, person: { username: 'ann', disabled: true, passwordHash: '$2b$x' }, left: [] },
    { line: 3, fault: { sentence: 'The column disabled must be yes or no.' } },
    { line: 4, fault: { sentence: 'The record must have 3 cells, as the headings; it has 1.' } },
    { line: 5, person: { username: '=dora' } }
  ])
  for (const [text, message] of [
    ['', /^Line 1 is missing: it names the columns, such as username, id, email_verified/], ['name,age\nAnn,7\n', /^Line 1 must name the column username\. Found: "name", "age"\./],
    ['name\nAnn\n', /^Line 1 must name the column username\. Found: "name"\. Known/],
    ['username,User Name,username\n', /^Line 1 names a column more than once: username\./]
  ] as const) await t.rejects(read('csv', text), { message })
})

/** Ann as `kc.sh export` writes her, with a password of Keycloak 26. */
const ANN = {
  id: '2ff4b4d0-fd72-4c6e-9684-02ab337687c2',
  username: 'ann',
  email: 'ann@example.com',
  emailVerified: true,
  firstName: 'Ann',
  lastName: 'Example',
  enabled: true,
  attributes: { locale: ['de'], plan: ['gold'] },
  credentials: [
    {
      type: 'password',
      secretData: '{"value":"xKjWvB9+0sSP6wTqI1JoEI7w+iA0x9VDhPgmrOHRG80=","salt":"LRScGShC7shkdoU5B1UgUQ==","additionalParameters":{}}',
      credentialData: '{"hashIterations":5,"algorithm":"argon2","additionalParameters":{"hashLength":["32"],"memory":["7168"],"type":["id"],"version":["1.3"],"parallelism":["1"]}}'
    },
    { type: 'otp', secretData: '{"value":"JBSWY3DPEHPK3PXP"}', credentialData: '{"subType":"totp"}' }
  ],
  realmRoles: ['default-roles-acme', 'editor'],
  groups: ['/staff'],
  federatedIdentities: [{ identityProvider: 'google', userId: '1', userName: 'ann' }]
}

const password = (algorithm: string, value: string, salt: string, hashIterations: number) => ({
  type: 'password',
  secretData: JSON.stringify({ value, salt, additionalParameters: {} }),
  credentialData: JSON.stringify({ hashIterations, algorithm, additionalParameters: {} })
})

t.test('a realm export of Keycloak', async t => {
  const users = [
    ANN,
    { username: 'bob', enabled: false, credentials: [password('pbkdf2-sha256', 'JsfNbCOIdZUbyBJ+BT+VoGI91Ec2rWLOvkLPDaX8e9k=', 'P5rtFkGtPfoaryJ6PizUJw==', 27500)] },
    { username: 'service-account-x', serviceAccountClientId: 'x' },
    { email: 'cy@example.com', credentials: [password('md5', 'x', 'x', 1)] },
    { username: 'dora', credentials: [{ type: 'password', value: 'in plain text' }] },
    'no object'
  ]
  const records = await read('keycloak', JSON.stringify({ realm: 'acme', roles: { realm: [{ users: [] }] }, users, clients: [{ clientId: 'x' }] }, null, 1))
  t.match(records, [
    {
      person: {
        id: ANN.id,
        username: 'ann',
        name: 'Ann Example',
        givenName: 'Ann',
        familyName: 'Example',
        email: 'ann@example.com',
        emailVerified: true,
        locale: 'de',
        roles: ['default-roles-acme', 'editor'],
        disabled: false
      },
      left: ['otp', ...['groups', 'social links', 'attributes'].map(sentence => ({ sentence }))]
    },
    { person: { username: 'bob', name: undefined, email: undefined, emailVerified: false, disabled: true }, left: [] },
    { person: null, left: [{ sentence: 'service accounts' }] },
    { person: { username: 'cy@example.com', passwordHash: undefined }, left: [{ sentence: 'passwords (md5)' }] },
    { person: { username: 'dora', passwordHash: undefined }, left: [{ sentence: 'passwords without a hash' }] },
    { fault: { sentence: 'The record must be a JSON object.' } }
  ])
  for (const [index, password] of [[0, 'secret'], [1, 'password']] as const) {
    const [record] = records.slice(index)
    const hash = record !== undefined && 'person' in record ? record.person?.passwordHash ?? '' : ''
    t.match(readForeignHash(hash), { passwordHash: hash })
    t.equal(await verifyHash(hash, password), true)
  }
  t.match(await read('keycloak', JSON.stringify([ANN])), [{ line: 1, person: { username: 'ann' } }], 'as its API lists users')
})

t.test('exports of Auth0', async t => {
  const bcrypt = '$2b$10$Z6hUTEEeoJXN5/AmSm/4.eZ75RYgFVriQM9LPhNEC7kbAbS/VAaJ2'
  const scrypt = { algorithm: 'scrypt', salt: { value: 'NaCl', encoding: 'utf8' }, cost: 1024, blockSize: 8, parallelization: 16 }
  const hash = 'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640'
  const users = [
    { _id: { $oid: '60425dc43519d90068f82973' }, email: 'ann@example.com', email_verified: true, passwordHash: bcrypt, tenant: 'acme' },
    {
      user_id: 'google-oauth2|1',
      email: 'bob@example.com',
      name: 'bob@example.com',
      blocked: true,
      multifactor: ['guardian'],
      app_metadata: { plan: 'gold' },
      identities: [{ provider: 'google-oauth2', isSocial: true }],
      picture: 'https://example.com/bob.png'
    },
    { user_id: 'auth0|2', username: 'cy', custom_password_hash: { ...scrypt, hash: { value: hash, encoding: 'hex' } } },
    { username: 'dora', custom_password_hash: { algorithm: 'pbkdf2', hash: { value: '$pbkdf2-sha512$i=1,l=64$x$y', encoding: 'utf8' } } },
    { username: 'eve', custom_password_hash: { algorithm: 'md5', hash: { value: 'x' } } }
  ]
  const records = await read('auth0', users.map(user => JSON.stringify(user)).join('\n'))
  t.match(records, [
    { line: 1, person: { id: 'auth0|60425dc43519d90068f82973', username: 'ann@example.com', email: 'ann@example.com', emailVerified: true, passwordHash: bcrypt }, left: [] },
    {
      line: 2,
      person: { id: 'google-oauth2|1', username: 'bob@example.com', name: undefined, emailVerified: false, disabled: true, passwordHash: undefined },
      left: ['social links', 'second factors', 'metadata of apps'].map(sentence => ({ sentence }))
    },
    { person: { id: 'auth0|2', username: 'cy', passwordHash: /^\$scrypt\$ln=10,r=8,p=16\$TmFDbA\$/ }, left: [] },
    { person: { username: 'dora', passwordHash: '$pbkdf2-sha512$i=1,l=64$x$y' } },
    { person: { username: 'eve', passwordHash: undefined }, left: [{ sentence: 'passwords (md5)' }] }
  ])
  const [, , cy] = records
  t.equal(await verifyHash(cy !== undefined && 'person' in cy ? cy.person?.passwordHash ?? '' : '', 'password'), true)
})
