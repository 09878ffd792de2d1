import t from 'tap'
import { readElements } from '../../src/records/json.js'
import { readMember } from '../../src/records/json-member.js'

async function * bodyOf (text: string, size: number) {
  for (let start = 0; start < text.length; start += size) yield Buffer.from(text.slice(start, start + size))
}

/** The elements and their lines, or why they cannot be read. */
async function read (text: string, size: number): Promise<unknown> {
  try {
    const found = []
    for await (const element of readElements(readMember(bodyOf(text, size), 'users'))) {
      found.push('json' in element ? [element.line, JSON.parse(element.json.toString())] : element.limit)
    }
    return found
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}

const FILES: Array<[file: string, elements: unknown]> = [
  ['[{"a":1},{"a":2}]', [[1, { a: 1 }], [1, { a: 2 }]]],
  ['{"realm":"x","users":[{"a":[1,{"users":[2]}]}]}', [[1, { a: [1, { users: [2] }] }]]],
  ['{\n "clients": [{"users": [{"no": 1}]}],\n "name": "users",\n "users" : [\n  {"a": 1},\n  {"a": "}]"}\n ],\n "after": [{"no": 2}]\n}\n',
    [[5, { a: 1 }], [6, { a: '}]' }]]],
  ['{"a":"\\"users\\":[{}]","users":[{"b":"\\\\"}],"z":{}}', [[1, { b: '\\' }]]],
  ['{"users":[]}', []],
  ['{"x":"users","y":[{"no":1}]}', 'Line 1 has no JSON array of records: [{…}, {…}].'],
  ['{"users":[{"a":1}', 'Line 1 is the last, and the JSON array is not closed.'],
  ['{"users":{"a":[1]}}', 'Line 1 has no JSON array of records: [{…}, {…}].'],
  ['', 'Line 1 has no JSON array of records: [{…}, {…}].']
]

t.test('an array that is a member of an object is read like a file of its own, with the lines of the file', async t => {
  for (const [file, elements] of FILES) {
    for (const size of [1, 7, 1_000]) t.strictSame(await read(file, size), elements, `${file}, ${size} bytes at once`)
  }
})
