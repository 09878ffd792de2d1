import t from 'tap'
import { thrownBy } from '@frontdesk/test-kit/thrown'
import { acceptQuality, hasType } from '../../src/input/media-type.js'
import { makeEtag, parseIfMatch, type Versions } from '../../src/input/etag.js'
import { parseForm } from '../../src/input/form.js'
import { matchesAny } from '@frontdesk/service-kit/etags'
import { headerValues } from '@frontdesk/service-kit/header'
import { parseIdempotencyKey } from '@frontdesk/service-kit/idempotency-key'
import { parseObject } from '../../src/input/json.js'

/** The tag "3-text" as nginx, Apache, Caddy, Jetty, and two of them, return it with a compressed response. */
const compressed = [
  'W/"3-text"', ...['gzip', 'x-gzip', 'br', 'zstd', 'deflate'].flatMap(coding => [
    `"3-text-${coding}"`, `"3-text;${coding}"`, `"3-text--${coding}"`, `"3-text"-${coding}`, `"3-text";${coding}`, `"3-text"--${coding}`, `W/"3-text-${coding}"`, `W/"3-text"-${coding}`
  ]), '"3-text-gzip-br"', 'W/"3-text--gzip-gzip"-br'
]

t.test('If-Match: the tag of either representation stands for its version (RFC 9110 §13.1.1)', async t => {
  const rows: Array<[header: string | undefined, versions: Versions | undefined]> = [
    [undefined, 'any'], ['*', 'any'], [' * ', 'any'],
    ['"3-text"', [3]], ['"3-json"', [3]], ['"3-text", "3-json"', [3]], [' , "1-text" ,\t"2-json",', [1, 2]], ['"0-text"', [0]], ['"2147483647-text"', [2147483647]],
    ['"2147483648-text"', []], ['"12345678901-text"', []], ['"3-text-xz"', []], ['"3-gzip"', []], ['"3"', []], ['"3-texts"', []], ['"x3-text"', []], ['"03-text"', []], ['"3-xml"', []], ['""', []], ['"é\xff!#~"', []],
    ['', undefined], ['3-text', undefined], ['"3-text" "4-text"', undefined], ['"3-text"x', undefined], ['"3-text", x', undefined], ['x"3-text"', undefined], ['w/"3-text"', undefined], ['"3-text"-xz', undefined], ['"3-text" -gzip', undefined], ['"a b"', undefined], ['"3-text', undefined], ['"\x7f"', undefined], ['* , "3-text"', undefined]
  ]
  for (const [header, versions] of rows) t.strictSame(parseIfMatch(header), versions, `${header}`)
  for (const tag of compressed) t.strictSame(parseIfMatch(`"1-json", ${tag}`), [1, 3], tag)
  t.equal(makeEtag(3, 'text'), '"3-text"')
})

t.test('If-None-Match: any of the tags, by weak comparison (RFC 9110 §13.1.2)', async t => {
  const rows: Array<[header: string | undefined, matches: boolean]> = [
    [undefined, false], ['*', true], [' *\t', true], ['"3-text"', true], ['W/"3-text"', true], ['"1-text", "3-text"', true], ['"3-json"', false], ['"3-tex"', false], ['3-text', false], ['', false], ['"x","y"', false]
  ]
  for (const [header, matches] of rows) t.equal(matchesAny(header, '"3-text"'), matches, `${header}`)
  for (const tag of compressed) {
    t.equal(matchesAny(tag, '"3-text"'), true, tag)
    t.equal(matchesAny(tag, '"3-json"'), false, tag)
  }
  t.equal(matchesAny('"x-br"', '"x-br"'), true, 'a tag that ends so by itself')
  t.equal(matchesAny('"x-br-br"', '"x-br"'), true)
})

t.test('forms: what lenient parsers guess at is refused with what to do', async t => {
  const fields = (count: number) => Buffer.from(Array.from({ length: count }, (_, i) => `f${i}=1`).join('&'))
  t.equal(Object.keys(parseForm(fields(32))).length, 32)
  t.equal(Object.keys(parseForm(Buffer.from(`&&${fields(32)}&&`))).length, 32, 'empty ones do not count')
  t.strictSame({ ...parseForm(Buffer.from('a=1&b=%C3%A9+x&a=2&c&=d')) }, { a: ['1', '2'], b: 'é x', c: '', '': 'd' })
  t.strictSame({ ...parseForm(Buffer.from(`${'&'.repeat(1_000)}a=1`)) }, { a: '1' }, 'however many')
  t.strictSame({ ...parseForm(Buffer.from('\ufeffa=1')) }, { a: '1' }, 'a byte order mark is skipped')
  t.strictSame({ ...parseForm(Buffer.from('a=\ufeff1')) }, { a: '\ufeff1' }, 'elsewhere it is a character')
  const rows: Array<[body: Uint8Array, detail: string]> = [
    [fields(33), 'The form has more than 32 fields. Send only the operation\'s fields.'],
    [Buffer.from([0x61, 0xff]), 'The body is not UTF-8. Send the form in UTF-8.'],
    [Buffer.from('a=%'), 'A % in the form is not followed by the hexadecimal digits of UTF-8. Write % itself as %25.'],
    [Buffer.from('a=%FF'), 'A % in the form is not followed by the hexadecimal digits of UTF-8. Write % itself as %25.']
  ]
  for (const [body, message] of rows) t.match(thrownBy(() => parseForm(body)), { kind: { name: 'form-malformed' }, message }, message)
  t.match(thrownBy(() => parseForm(Buffer.from('%'))), { cause: URIError })
})

t.test('JSON: one object in UTF-8; repeated names are reported', async t => {
  const read = (text: string) => parseObject(Buffer.from(text))
  t.strictSame({ ...read('{"a":1,"b":{"a":2,"a":3},"c":["a",{"a":4}],"d":"\\"a\\":"}').values }, { a: 1, b: { a: 3 }, c: ['a', { a: 4 }], d: '"a":' })
  t.strictSame([...read('{"a":1,"b":{"a":2,"a":3},"c":["a",{"a":4}],"d":"\\"a\\":"}').repeated], [])
  t.strictSame({ ...read(`{"a":"${'['.repeat(100)}\\"${'{'.repeat(100)}"}`).values }, { a: `${'['.repeat(100)}"${'{'.repeat(100)}` }, 'brackets in a string are no levels')
  t.strictSame([...read('{"a":1,"\\u0061" :2,"b":[],"a"\n:{},"b":{"c":1,"c":2},"c\\"d":1,"c\\"d":2}').repeated], [['a', 3], ['b', 2], ['c"d', 2]])
  const members = (count: number) => Buffer.from(`{${Array.from({ length: count }, (_, i) => `"m${i}":1,"m${i}":2`).join(',')}}`)
  t.equal(parseObject(members(32)).repeated.size, 32)
  t.strictSame([...read('{"a":1,"b":{"a":2,"a":3,"c":{"d":1,"d":2}}}').repeatedInside], [['a', 2]])
  const notUtf8 = 'The body is not UTF-8. Send the JSON in UTF-8.'
  const noObject = 'The body is JSON, but not an object. Send one JSON object.'
  const rows: Array<[body: Uint8Array | string, detail: string]> = [
    [members(33), 'The object has more than 32 members. Send only the operation\'s members.'],
    [Buffer.from([0x7b, 0xff, 0x7d]), notUtf8], ['', 'The body is not JSON. Send one JSON object.'], ['\ufeff\ufeff{}', 'The body is not JSON. Send one JSON object.'],
    [`{"a":${'['.repeat(32)}${']'.repeat(32)}}`, 'The JSON has more than 32 levels. Send one JSON object.'], ['['.repeat(16_000), 'The JSON has more than 32 levels. Send one JSON object.'],
    ['[]', noObject], ['null', noObject], ['1', noObject], ['"{}"', noObject]
  ]
  for (const [body, message] of rows) t.match(thrownBy(() => parseObject(Buffer.from(body))), { kind: { name: 'json-malformed' }, message }, message)
  t.match(thrownBy(() => read('{')), { cause: SyntaxError })
  t.strictSame({ ...read('\ufeff{"a":1}').values }, { a: 1 }, 'a byte order mark is skipped')
})

t.test('every value of a header field, in order, whatever its case', async t => {
  t.strictSame(headerValues(['Host', 'a', 'X', 'host', 'HOST', 'b', 'Hosts', 'c', 'Xost', 'd'], 'host'), ['a', 'b'])
  t.strictSame(headerValues([], 'host'), [])
})

t.test('Idempotency-Key: one key, with or without quotes', async t => {
  t.equal(parseIdempotencyKey([]), null)
  const rows: Array<[value: string, key: string]> = [
    ['abc', 'abc'], ['"abc"', 'abc'], ['!#+-[]~', '!#+-[]~'], ['"a\\"b\\\\c,"', 'a"b\\c,'], ['x'.repeat(255), 'x'.repeat(255)], [`"${'x'.repeat(255)}"`, 'x'.repeat(255)], [`"${'\\"'.repeat(255)}"`, '"'.repeat(255)]
  ]
  for (const [value, key] of rows) t.equal(parseIdempotencyKey([value]), key, value)
  for (const values of [[''], ['""'], ['"'], ['a b'], ['"a b"'], ['a,b'], ['a"b'], ['"a'], ['a"'], ['x"a"'], ['"a"x'], ['"a\\b"'], ['"a"b"'], ['a\\b'], ['é'], ['"é"'], ['\x7f'], ['x'.repeat(256)], ['a', 'a'], ['"a"', '"b"']]) {
    t.equal(parseIdempotencyKey(values), undefined, values.join())
  }
})

t.test('a Content-Type is the wanted one in UTF-8, in any case and with other parameters (RFC 9110 §8.3)', async t => {
  for (const type of [
    'application/json', 'Application/JSON', 'application/json ', 'application/json;charset=utf-8', 'application/json;charset=utf8', 'application/json; charset="UTF8"', 'application/json ;\tCharset=UTF-8', 'application/json; charset="utf-8"', 'application/json;charset="u\\tf-8"',
    'application/json;', 'application/json;;', 'application/json; a=b; charset=utf-8', 'application/json; a="b;charset=latin1"', 'application/json;a=""', 'application/json;x-charset=latin1'
  ]) t.equal(hasType(type, 'application/json'), true, type)
  for (const type of [
    '', 'application', 'application/', 'text/json', 'application/jsonp', 'application/json+x', 'x application/json', ' application/json', 'application/json charset=utf-8', 'application/json x', 'application/json,text/html',
    'application/json; charset=latin1', 'application/json;CHARSET=latin1', 'application/json; charset="latin1"', 'application/json;charset=""', 'application/json;charset=utf-8;charset=latin1', 'application/json;a=b c',
    'application/json;charset', 'application/json;charset =utf-8', 'application/json;a="b', 'application/json;a="b"c', 'application/json;a=b;é', 'application/json;charset="utf\\\x808"'
  ]) t.equal(hasType(type, 'application/json'), false, type)
})

t.test('the quality of a media type is that of the most specific range, wherever it stands (RFC 9110 §12.5.1)', async t => {
  const rows: Array<[accept: string | undefined, quality: number]> = [
    [undefined, 1], ['*/*', 1], ['text/*', 1], ['text/plain', 1], ['TEXT/Plain ;\tQ=0.5', 0.5], ['text/plain;q=0', 0], ['text/plain;q=x', 0], ['text/plain;q=', 0], ['text/plain;;q=0.3;', 0.3],
    ['', 1], [' ', 1], [', ', 1], [',text/html', 0], [',text/plain;q=0.5,', 0.5], ['text', 0], ['text/', 0], ['text/html', 0], ['*', 0], ['*/plain', 0], ['application/*', 0], ['xtext/plain', 0],
    ['text/plain;q=0.1, text/*;q=0.2, */*;q=0.3', 0.1], ['*/*;q=0.3, text/*;q=0.2', 0.2], ['text/*;q=0.2,*/*;q=0.3', 0.2], ['text/html, */*;q=0.3', 0.3],
    ['text/plain;q=0.2, text/plain;q=0.4', 0.4], ['text/plain;q=0.4, text/plain;q=0.2', 0.4], ['*/*;q=0.9, text/plain;q=0.2', 0.2],
    ['text/plain;charset=utf-8;q=0.2, text/plain;q=0.4', 0.2], ['text/plain;q=0.4;charset="UTF-8", text/plain', 0.4], ['text/plain;charset=*;q=0.6', 0.6], ['text/plain;charset=utf8;q=0.6', 0.6], ['text/*;charset=utf-8;q=0.1, text/plain;q=0.7', 0.7], ['*/*;charset=utf-8;q=0.1, text/*;q=0.2', 0.2],
    ['text/plain;q=0, */*', 0], ['text/*;q=0, */*;q=0.3', 0],
    ['text/plain;q=5', 0], ['text/plain;q=5, */*;q=0.3', 0.3], ['text/plain;q=1.001, text/plain;q=0.2', 0.2], ['text/plain;q=-1, text/*;q=0.4', 0.4], ['text/plain;q=x, */*', 1], ['text/plain;q=.2', 0.2], ['text/plain;q=1.000', 1],
    ['text/plain;charset=latin1', 0], ['text/plain;charset="utf-8', 0], ['text/plain;charset=utf-8x', 0], ['text/plain;x-charset=utf-8', 0], ['text/plain;format=flowed, */*;q=0.1', 0.1], ['text/plain;charset=utf-8;format=flowed', 0]
  ]
  for (const [accept, quality] of rows) t.equal(acceptQuality(accept, 'text/plain'), quality, `${accept}`)
})
