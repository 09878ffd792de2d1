import { Type } from '@sinclair/typebox'
import t from 'tap'
import { describeSettings } from '../src/effective-settings.js'
import { integer, text } from '../src/settings.js'

const schema = Type.Object({
  PORT: integer('Port.', { minimum: 0, maximum: 9, default: 3 }),
  NAME: Type.Optional(text('Name.', 'be a name')),
  ISSUER: Type.Optional(text('Address.', 'be an address')),
  KEY: Type.Optional(text('Key.', 'be random', { secret: 'all' })),
  URL: Type.Optional(text('Database.', 'be an address', { secret: 'in address' }))
})

t.test('each setting has its value, and where it comes from', async t => {
  const env = { PORT: '5', NAME: '', KEY: 'abc', OTHER: 'x' }
  t.strictSame(describeSettings(schema, env, new Map([['KEY', '.env'], ['PORTS', '.env']]), { ISSUER: 'http://localhost:5' }), [
    { name: 'PORT', description: 'Port.', value: '5', source: 'environment', file: null },
    { name: 'NAME', description: 'Name.', value: null, source: 'default', file: null },
    { name: 'ISSUER', description: 'Address.', value: 'http://localhost:5', source: 'default', file: null },
    { name: 'KEY', description: 'Key.', value: '***', source: 'file', file: '.env' },
    { name: 'URL', description: 'Database.', value: null, source: 'default', file: null }
  ])
})

t.test('passwords in addresses are masked, however they are written', async t => {
  for (const [address, shown] of [
    ['postgresql://ann:secret@db.example:5432/auth', 'postgresql://ann:***@db.example:5432/auth'],
    ['postgresql://db.example/auth?user=ann&password=secret', 'postgresql://db.example/auth?user=***&password=***'],
    ['smtp://ann:s%65cret@mail.example', 'smtp://ann:***@mail.example'],
    ['smtps://mail.example:465', 'smtps://mail.example:465'],
    ['https://traces.example/v1?key=secret', 'https://traces.example/v1?key=***'],
    ['file:/srv/data/auth.db', 'file:/srv/data/auth.db'],
    ['postgresql://ann:12/secret@db.example/auth', '***'],
    ['postgresql://ann:12#secret@db.example/auth', '***'],
    ['postgresql://ann:12?secret@db.example/auth', '***'],
    ['postgresql://ann:sec/ret@db.example/auth', '***']
  ] as const) {
    const [setting] = describeSettings(Type.Pick(schema, ['URL']), { URL: address }, new Map())
    t.equal(setting?.value, shown, address)
  }
})
