import t from 'tap'
import { readAttributes } from '../../src/oauth/read-attributes.js'
import { textAttributes, type TextAttribute } from '../../src/oauth/user-fields.js'

const NAMES: Array<[attribute: TextAttribute, what: string]> = [['name', 'name'], ['givenName', 'given name'], ['familyName', 'family name']]

const email = `${'a'.repeat(242)}@example.com`
const noTag = 'The language must be a language tag (BCP 47), such as en or pt-BR.'
const noEmail = 'The email address must have the form ann@example.com, without spaces and quotes.'
const noPicture = 'The picture must be an absolute https address.'

t.test('valid attributes are stored in one canonical form', t => {
  const rows: Array<[attribute: TextAttribute, typed: string, stored: string]> = [
    ...NAMES.flatMap(([attribute]): Array<[TextAttribute, string, string]> => [
      [attribute, 'Zoe\u0308', 'Zo\u00eb'],
      [attribute, '😀'.repeat(200), '😀'.repeat(200)],
      [attribute, "O'Brien <b>", "O'Brien <b>"]
    ]),
    ['email', 'Ann+x@Example.COM', 'Ann+x@example.com'],
    ...['ann@K\u00d6LN.example', 'ann@ko\u0308ln.example', 'ann@xn--kln-sna.example.', 'ann@\uff2b\u00f6ln\u3002example', 'ann@k\u00f6l\u00adn.example']
      .map((typed): [TextAttribute, string, string] => ['email', typed, 'ann@xn--kln-sna.example']),
    ['email', 'jo\u0308rg@localhost', 'j\u00f6rg@localhost'],
    ['email', email, email],
    ['locale', 'EN', 'en'],
    ['locale', 'pt-br', 'pt-BR'],
    ['locale', 'zh-hant-tw', 'zh-Hant-TW'],
    ['picture', 'HTTPS://Ann.example', 'https://ann.example/'],
    ['picture', 'https://ann.example/é.png?size=1#x', 'https://ann.example/%C3%A9.png?size=1#x'],
    ['picture', `https://ann.example/${'a'.repeat(1980)}`, `https://ann.example/${'a'.repeat(1980)}`]
  ]
  for (const [attribute, typed, stored] of rows) {
    t.strictSame(readAttributes({ [attribute]: typed }), { change: { [attribute]: stored }, faults: {} }, `${attribute} ${typed.slice(0, 40)}`)
  }
  t.end()
})

t.test('an empty text removes an attribute; a missing one is left alone', t => {
  for (const attribute of textAttributes) t.strictSame(readAttributes({ [attribute]: '' }), { change: { [attribute]: null }, faults: {} })
  t.strictSame(readAttributes({}), { change: {}, faults: {} })
  t.strictSame(readAttributes({ name: undefined }), { change: {}, faults: {} })
  t.end()
})

t.test('attributes that are not valid are refused, each with a sentence', t => {
  const rows: Array<[attribute: TextAttribute, typed: string, sentence: string]> = [
    ...NAMES.flatMap(([attribute, what]): Array<[TextAttribute, string, string]> => [
      [attribute, ' ', `The ${what} is empty.`],
      [attribute, '\u200b', `The ${what} is empty.`],
      [attribute, '😀'.repeat(201), `The ${what} is longer than 200 characters.`],
      [attribute, 'a\nb', `The ${what} contains a control character.`],
      [attribute, 'a\u202eb', `The ${what} contains a control character.`],
      [attribute, 'a\0', `The ${what} contains a control character.`],
      [attribute, ' a', `The ${what} begins or ends with a space.`]
    ]),
    ...['ann', '@', 'ann@', '@example.com', 'a@b@c', 'a b@c', 'ann@exam ple', ' a@b', 'a@b\u00a0', '"ann"@b', 'a(b)@c', 'a@b/c', 'a@b:25', 'a@b?',
      'a@b%63', 'a@b\uff0fc', 'a@b..', 'a@.b', 'a@[127.0.0.1]', 'a@\u2488b', 'a@b(c)']
      .map((typed): [TextAttribute, string, string] => ['email', typed, noEmail]),
    ['email', `a@${'\u00f6'.repeat(5_000)}`, 'The email address is longer than 254 characters.'],
    ['email', `a${email}`, 'The email address is longer than 254 characters.'],
    ['email', 'a\n@b', 'The email address contains a control character.'],
    ['email', 'a\u202e@b', 'The email address contains a control character.'],
    ...['de_DE', 'e', 'english language', '*', '-', 'en-', '\0'].map((typed): [TextAttribute, string, string] => ['locale', typed, noTag]),
    ['locale', 'a'.repeat(101), 'The language is longer than 100 characters.'],
    ...['http://ann.example/a.png', 'ann.example', '/a.png', 'javascript:alert(1)', 'data:image/png;base64,', 'https://', 'https://[::1']
      .map((typed): [TextAttribute, string, string] => ['picture', typed, noPicture]),
    ['picture', `https://ann.example/${'a'.repeat(1981)}`, 'The address of the picture is longer than 2000 characters.'],
    ['picture', `https://ann.example/${'é'.repeat(500)}`, 'The address of the picture is longer than 2000 characters.'],
    ['picture', 'https://ann:secret@ann.example/', 'The address of the picture must not have a user name or a password.']
  ]
  for (const [attribute, typed, sentence] of rows) {
    const { change, faults } = readAttributes({ [attribute]: typed, ...(attribute === 'name' ? {} : { name: 'Ann' }) })
    t.strictSame(
      [change, Object.entries(faults).map(([name, reason]) => [name, reason.sentence])],
      [attribute === 'name' ? {} : { name: 'Ann' }, [[attribute, sentence]]],
      `${attribute} ${JSON.stringify(typed.slice(0, 40))}`
    )
  }
  t.end()
})
