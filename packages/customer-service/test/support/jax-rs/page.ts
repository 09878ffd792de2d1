import type { Answer } from '../written.js'
import type { Case } from './case.js'

/** A case, and what the service really said and changed. */
export interface Outcome extends Pick<Case, 'what' | 'request' | 'did' | 'why'> {
  said: Answer
  changes: Record<string, string | null>
}

const HEAD = `# Coming from JAX-RS

The interface of customer-service comes from a JAX-RS sample: a class with \`@Path("/qa")\` below \`/rest/*\`, with one method each for \`POST\`, \`GET\`, \`PUT\` and \`DELETE\` of customers in one table. Many responses are the same (=). Where one differs (≠), the sample lost, corrupted or hid data, or let every caller in; some are additions (+). The behaviour of JAX-RS was measured on the sample or, where a section is given, is specified there (JAX-RS 2.1, JSR 370).

Each request below was sent to customer-service, and each response is what it returned, on SQLite and PostgreSQL alike: [a test](../packages/customer-service/test/jax-rs/jax-rs.test.ts) verifies this page, and \`npm run contracts\` regenerates it. Forms are \`application/x-www-form-urlencoded\`. Errors are \`application/problem+json\`; the path shown is that of their \`type\`, a page with cause and fix. Headers common to all responses are left out.

| | Request | JAX-RS did | Frontdesk answers | Why |
|---|---|---|---|---|
`

const TAIL = `
## Letters beyond ASCII

Forms are UTF-8 (\`ü\` is \`%C3%BC\`). Apache HttpClient encodes forms in ISO-8859-1 (\`%FC\`) by default, which the service rejects with 400 \`/problems/form-malformed\`, or with 415 if \`Content-Type\` names that charset. ASCII works either way, so the first \`Müller\` shows the problem. Set the charset:

| client | instead of | write |
|---|---|---|
| HttpClient 4 and 5 | \`new UrlEncodedFormEntity(pairs)\` | \`new UrlEncodedFormEntity(pairs, StandardCharsets.UTF_8)\` |
| HttpClient 3 | \`post.setRequestBody(pairs)\` alone | \`post.getParams().setContentCharset("UTF-8")\` before it |
| by hand | \`URLEncoder.encode(text)\`, deprecated: the charset of the machine | \`URLEncoder.encode(text, "UTF-8")\` |

The response to a GET names its charset, \`text/plain; charset=utf-8\`; decode it accordingly (\`EntityUtils.toString(entity)\` does).
`

/** The committed page. */
export function page (outcomes: Outcome[]): string {
  return HEAD + outcomes.map(({ what, request, did: [sign, did], why, said, changes }) =>
    `| ${[sign, `${what}:<br>${show(request)}`, did, showAnswer(said, changes), why].join(' | ')} |\n`).join('') + TAIL
}

function show (request: string) {
  return request.split('\n').filter(line => line !== '').map(code).join('<br>')
}

function showAnswer ({ status, headers, body }: Answer, changes: Outcome['changes']) {
  const isProblem = headers['content-type']?.startsWith('application/problem+json') ?? false
  const fields = Object.entries(headers)
    .filter(([name]) => !(isProblem && name === 'content-type'))
    .map(([name, value]) => code(`${name}: ${value}`))
  const effects = Object.entries(changes).map(([id, now]) => now === null ? `Customer ${id} is gone.` : `Customer ${id} is now: ${now}.`)
  return [`**${status}**`, ...fields, ...isProblem ? explain(body) : body === '' ? [] : [code(body)], ...effects].join('<br>')
}

function explain (body: string) {
  const { type, title, status, detail, instance, requestId, ...members } = JSON.parse(body)
  return [`${code(new URL(type).pathname)} ${detail}`, ...Object.entries(members).map(([name, value]) => code(`"${name}":${JSON.stringify(value)}`))]
}

function code (text: string) {
  return `\`${text.replaceAll('|', '\\|')}\``
}
