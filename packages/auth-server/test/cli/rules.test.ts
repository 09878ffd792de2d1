import fc from 'fast-check'
import t from 'tap'
import { whyNotClientId, whyNotDefaultScope, whyNotResource, whyNotTtl } from '../../src/registration/client-rules.js'
import { quote } from '@frontdesk/service-kit/showable'
import type { Reason } from '../../src/languages/reason.js'
import { whyNotName } from '../../src/input/text.js'
import { TOKEN_TTL } from '../../src/lifetimes.js'
import { parseScope } from '../../src/oauth/scope.js'

type Rule = (text: string) => Reason | null

/** Per rule: what it accepts, and what it refuses with which words. */
const rules: Record<string, { rule: Rule, accepts: string[], refuses: Array<[text: string, words: string]> }> = {
  client_id: {
    rule: whyNotClientId,
    accepts: ['a', 'A.b_c-9', 'x'.repeat(100), '-x', '123e4567-e89b-12d3-a456-42661417400', '__proto__'],
    refuses: [
      ...['', 'x'.repeat(101), 'a b', 'a/b', 'é', 'a\n', 'a:b', 'a%20b'].map((text): [string, string] => [
        text,
        '1 to 100 of the characters'
      ]),
      ['123e4567-e89b-12d3-a456-426614174000', 'UUID'],
      ['123E4567-E89B-12D3-A456-426614174000', 'UUID']
    ]
  },
  name: {
    rule: text => whyNotName('name', text),
    accepts: ['a', 'Žofie Nováková', '李小龍', '😀'.repeat(100), 'a  b', "Robert'); DROP TABLE--", '<b>', 'zero\u200dwidth'],
    refuses: [
      ...['', ' ', '\u200b', '\u2060 '].map((text): [string, string] => [text, 'is empty']),
      ['😀'.repeat(101), 'longer than 100 characters'],
      ...['a\nb', 'a\tb', 'a\0', 'a\u001b[2J', 'a\u0085b', 'a\u2028b', 'a\u2029b', 'a\u202ecod', 'a\u2066b'].map(
        (text): [string, string] => [text, 'control character']
      ),
      ...[' a', 'a ', '\u00a0a', 'a\u3000'].map((text): [string, string] => [text, 'begins or ends with a space'])
    ]
  },
  'default scope': {
    rule: whyNotDefaultScope,
    accepts: ['', 'customer:read', 'a b c', '!#[]~'],
    refuses: ['a  b', ' a', 'a ', ' ', 'a"b', 'a\\b', 'a\tb', 'é', 'a a', 'a\n'].map(text => [text, 'The default scope must be'])
  },
  resource: {
    rule: whyNotResource,
    accepts: [
      'https://api.example',
      'https://api.example/x?y=z',
      'http://localhost:3001',
      'urn:example:customers',
      'HTTPS://API.example/%C3%A9'
    ],
    refuses: [
      ['https://api.example/#x', 'has a fragment'],
      ['https://api.example#', 'has a fragment'],
      ...['', 'api', '/customers', '//api.example', 'https:', 'https://', 'http://[::1', '1a:b'].map((text): [string, string] => [
        text,
        'not an absolute URI'
      ]),
      ...[
        'https://api.example/a b',
        'https://é.example',
        'https://api.example/%zz',
        'https://api.example/\n',
        'https://api.example/"',
        'https:\\\\api.example'
      ].map((text): [string, string] => [text, 'invalid in a URI']),
      [`https://api.example/${'x'.repeat(2000)}`, 'longer than 2000']
    ]
  },
  lifetime: {
    rule: text => whyNotTtl(text, TOKEN_TTL),
    accepts: ['30', '600', '86400', '0030'],
    refuses: ['29', '86401', '0', '-30', '30.5', '3e2', '0x1e', '', ' 30', '30 ', 'x', '٣٠', '99999999999999999999'].map(text => [
      text,
      'from 30 to 86400'
    ])
  }
}

for (const [name, { rule, accepts, refuses }] of Object.entries(rules)) {
  t.test(`the rule of the ${name}`, async t => {
    for (const text of accepts) t.equal(rule(text), null, `accepts ${quote(text)}`)
    for (const [text, words] of refuses) t.match(rule(text)?.sentence, words, `refuses ${quote(text)}`)
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), text => ['undefined', 'string'].includes(typeof rule(text)?.sentence))
    )
  })
}

t.test('what the rules accept, the server reads the same', async t => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'ab"\\é \t') }), text => {
    return whyNotDefaultScope(text) !== null || parseScope(text).join(' ') === text
  }))
  fc.assert(fc.property(fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.string()), text => {
    return whyNotResource(text) !== null || (URL.canParse(text) && new URL(text).hash === '')
  }))
  t.pass('held')
})

t.test('a quoted text is JSON of it and cannot move the cursor', async t => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: fc.constantFrom('\u001b', '\u009b', '\u202e', '\u2028', '\u007f', '"', 'a') })
      ),
      text => {
        const quoted = quote(text)
        return JSON.parse(quoted) === text && !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(quoted)
      }
    )
  )
  t.equal(quote('a\u009b"\u202e'), '"a\\u009b\\"\\u202e"')
  t.equal(quote('Žofie'), '"Žofie"')
})
