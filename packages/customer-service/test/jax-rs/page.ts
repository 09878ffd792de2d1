import type { Answer } from '../written.js'
import type { Case } from './case.js'

/** A case, and what the service really said and changed. */
export interface Outcome extends Pick<Case, 'what' | 'request' | 'did' | 'why'> {
  said: Answer
  changes: Record<string, string | null>
}

const HEAD = `# Coming from JAX-RS

The interface of customer-service comes from a JAX-RS sample: a class with \`@Path("/qa")\` below \`/rest/*\`, with a method each for \`POST\`, \`GET\`, \`PUT\` and \`DELETE\` of customers in one table. Many answers are the same (=). Where one is not (≠), the sample lost, spoilt or hid data, or let everybody in; some are additions (+). What JAX-RS did was measured on the sample, or, where a section stands, is what the specification says (JAX-RS 2.1, JSR 370).

Each request below was sent to customer-service, and the answer is what it said, on SQLite and on PostgreSQL alike: [a test](../packages/customer-service/test/jax-rs/jax-rs.test.ts) holds this page to it, and \`npm run contracts\` writes it anew. Forms are \`application/x-www-form-urlencoded\`. Refusals are \`application/problem+json\`; the address that stands there is their \`type\`, and leads to a page with cause and fix. Header fields that every answer has are left out.

| | Request | JAX-RS did | Frontdesk answers | Why |
|---|---|---|---|---|
`

const TAIL = `
## Letters beyond ASCII

Forms are UTF-8 (\`ü\` is \`%C3%BC\`). Apache HttpClient encodes forms in ISO-8859-1 (\`%FC\`) unless it is told otherwise, which the service refuses with 400 \`/problems/form-malformed\`, or with 415 where \`Content-Type\` names that charset. ASCII alone works either way, so the first \`Müller\` shows it. Name the charset:

| client | instead of | write |
|---|---|---|
| HttpClient 4 and 5 | \`new UrlEncodedFormEntity(pairs)\` | \`new UrlEncodedFormEntity(pairs, StandardCharsets.UTF_8)\` |
| HttpClient 3 | \`post.setRequestBody(pairs)\` alone | \`post.getParams().setContentCharset("UTF-8")\` before it |
| by hand | \`URLEncoder.encode(text)\`, deprecated: the charset of the machine | \`URLEncoder.encode(text, "UTF-8")\` |

The answer to a GET names its charset, \`text/plain; charset=utf-8\`; read the entity by that (\`EntityUtils.toString(entity)\` does).
`

/** The committed page. */
export function page (outcomes: Outcome[]): string {
  return HEAD + outcomes.map(({ what, request, did: [sign, did], why, said, changes }) =>
    `| ${[sign, `${what}:<br>${show(request)}`, did, tell(said, changes), why].join(' | ')} |\n`).join('') + TAIL
}

function show (request: string) {
  return request.split('\n').filter(line => line !== '').map(code).join('<br>')
}

function tell ({ status, headers, body }: Answer, changes: Outcome['changes']) {
  const isProblem = headers['content-type']?.startsWith('application/problem+json') ?? false
  const fields = Object.entries(headers).filter(([name]) => !(isProblem && name === 'content-type')).map(([name, value]) => code(`${name}: ${value}`))
  const effects = Object.entries(changes).map(([id, now]) => now === null ? `Customer ${id} is gone.` : `Customer ${id} is now: ${now}.`)
  return [`**${status}**`, ...fields, ...isProblem ? explain(body) : body === '' ? [] : [code(body)], ...effects].join('<br>')
}

function explain (body: string) {
  const { type, title, status, detail, instance, requestId, ...members } = JSON.parse(body)
  return [`${code(type)} ${detail}`, ...Object.entries(members).map(([name, value]) => code(`"${name}":${JSON.stringify(value)}`))]
}

function code (text: string) {
  return `\`${text.replaceAll('|', '\\|')}\``
}
