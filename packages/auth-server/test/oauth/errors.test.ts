import t from 'tap'
import { asDescription } from '../../src/oauth/error-text.js'
import { errors } from '../../src/oauth/errors.js'

t.test('every error_description keeps to the characters of RFC 6749 §5.2, and has no contraction', async t => {
  for (const [name, maker] of Object.entries(errors)) {
    const { description, recipient } = maker('a test')
    t.match(description, /^[A-Z][\x20\x21\x23-\x5b\x5d-\x7e]+\.$/, name)
    t.equal(asDescription(description), description, name)
    // What only people read, on a page, can have one.
    if (recipient === 'client') t.notMatch(description, /n't|'(re|ve|ll|d)\b/, name)
  }
})
