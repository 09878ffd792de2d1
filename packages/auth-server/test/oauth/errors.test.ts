import t from 'tap'
import { asDescription } from '../../src/oauth/error-text.js'
import { errors, oauthError } from '../../src/oauth/errors.js'

t.test('every error_description keeps to the characters of RFC 6749 §5.2, and has no contraction', async t => {
  for (const name of Object.keys(errors) as (keyof typeof errors)[]) {
    const { description, tell } = oauthError(name, 'a test')
    t.match(description, /^[A-Z][\x20\x21\x23-\x5b\x5d-\x7e]+\.$/, name)
    t.equal(asDescription(description), description, name)
    // What only people read, on a page, can have one.
    if (tell === 'client') t.notMatch(description, /n't|'(re|ve|ll|d)\b/, name)
  }
})
