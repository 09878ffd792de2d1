import { Type } from '@sinclair/typebox'
import t from 'tap'
import { ConfigError, integer, oneOf, readSettings, text, type SettingsRules } from '../src/settings.js'

const Settings = Type.Object({
  SIZE: integer('Size.', { unit: 'bytes', minimum: 1, maximum: 2_000, default: 10 }),
  MODE: oneOf('Mode.', ['slow', 'fast']),
  NAME: Type.Optional(text('Name.', 'be lower-case letters', { pattern: '^[a-z]+$' }))
})

const rules: SettingsRules<typeof Settings.static> = {
  forms: { NAME: name => name !== 'root' },
  relations: [
    {
      names: ['MODE', 'SIZE'],
      whyNot: ({ MODE, SIZE }) => (MODE === 'slow' && SIZE >= 100 ? 'SIZE must be below 100 with MODE=slow.' : null)
    }
  ]
}

function sentences (env: Record<string, string>): readonly string[] {
  try {
    readSettings(Settings, env, rules)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError) || error.message !== error.sentences.join('\n')) throw error
    return error.sentences
  }
}

t.test('settings have their types and defaults; an empty variable is not set, and unknown ones are ignored', async t => {
  t.strictSame(readSettings(Settings, {}), { SIZE: 10, MODE: 'slow' })
  t.strictSame(readSettings(Settings, { SIZE: '', NAME: '', OTHER: 'x' }), { SIZE: 10, MODE: 'slow' })
  t.strictSame(readSettings(Settings, { SIZE: '0020', NAME: 'a', MODE: 'fast' }, rules), { SIZE: 20, MODE: 'fast', NAME: 'a' })
})

t.test('an integer is decimal digits within its bounds, and nothing else that JavaScript takes for a number', async t => {
  for (const SIZE of ['1e3', '1.0', ' ', ' 5', '+5', '-5', '0x10', '5_0', '٣', 'ten', '0', '2001', '9'.repeat(400)]) {
    t.same(sentences({ SIZE }), ['SIZE must be a whole number of bytes from 1 to 2000.'], SIZE)
  }
})

t.test('every mistake is one sentence, in the order of the settings', async t => {
  t.same(sentences({ NAME: 'root', MODE: 'FAST' }), ['MODE must be slow or fast.', 'NAME must be lower-case letters.'])
  t.same(sentences({ NAME: 'a b' }), ['NAME must be lower-case letters.'])
})

t.test('a relation is checked only between well-formed settings, next to whatever else is wrong', async t => {
  t.same(sentences({ SIZE: '100', NAME: '1' }), ['NAME must be lower-case letters.', 'SIZE must be below 100 with MODE=slow.'])
  t.same(sentences({ SIZE: '100', MODE: 'x' }), ['MODE must be slow or fast.'])
  t.same(sentences({ SIZE: '100', MODE: 'fast' }), [])
})
