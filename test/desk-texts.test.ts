import t from 'tap'
import ts from 'typescript'
import { filesBelow, read } from './support/sources.js'

const FOLDER = 'packages/desk/public'

/** Strings that look like a text, and are none: names of keys, errors and operations. */
const NOT_TEXTS = /^(?:Tab|Enter|Escape|Home|End|Delete|Shift [x↑↓]|Ctrl|Esc|Arrow\w+|AbortError|Secure|Bearer|Export interrupted)$/

/** A word with a capital, or several words with a period: keys, classes and selectors have neither. */
const SENTENCE = /^\p{Lu}\p{Ll}+(?:[ .,:?!…]|$)|\p{Ll} \p{Ll}+[.…]/u

const hasLetter = (text: string) => /\p{L}/u.test(text)

/** What a page would show of a template: text between tags, and attributes that are read out. */
function shownIn (markup: string): string[] {
  const attributes = [...markup.matchAll(/\b(?:aria-label|title|alt|placeholder)="([^"]*)"/g)].map(([, value]) => value!)
  // Attributes go first: a value can have a >.
  const texts = markup.replace(/=(?:"[^"]*"|'[^']*'|[^\s>]+)/g, '').split(/<[^>]*>/)
  return [...attributes, ...texts].map(text => text.replaceAll('\0', '').trim()).filter(hasLetter)
}

/** Whether a string is a part of an html template, which is read as a whole. */
function isOfTemplate ({ parent }: ts.Node): boolean {
  return ts.isTaggedTemplateExpression(parent) || ts.isTaggedTemplateExpression(parent.parent) || (
    ts.isTemplateSpan(parent) && ts.isTaggedTemplateExpression(parent.parent.parent))
}

/** Texts of a module that are not from a catalogue. */
function textsIn (source: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'html') {
      const { template } = node
      found.push(...shownIn(ts.isTemplateExpression(template)
        ? [template.head, ...template.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join('\0')
        : template.text))
    } else if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      const text = node.text.trim()
      if (!isOfTemplate(node) && SENTENCE.test(text) && !NOT_TEXTS.test(text)) found.push(text)
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('module.js', source, ts.ScriptTarget.Latest, true))
  return found
}

await t.test('the check finds texts in templates, attributes and strings', async t => {
  // « and » are placeholders in a template.
  const textsOf = (sample: string) => textsIn(sample.replaceAll('«', '${').replaceAll('»', '}'))
  const samples = [
    'html`<p>Hello</p>`', 'html`<b aria-label="Hello"></b>`', 'html`<i>«a»</i><p>«b» of it</p>`', "say('Hello')", "say('Hello, you')",
    'say(`Removed «name».`)'
  ]
  for (const sample of samples) t.equal(textsOf(sample).length, 1, sample)
  const others = [
    'html`<p class="small" @click=«() => a > b»>«t("a.b")»: «c»</p>`', "find('.selection button, #search')", "button(label, run, 'danger quiet')"
  ]
  for (const other of others) t.same(textsOf(other), [], other)
})

await t.test('every text of the desk\'s page is in the catalogues', async t => {
  const modules = filesBelow(FOLDER).filter(file => file.endsWith('.js'))
  t.ok(modules.length > 40)
  t.same(modules.flatMap(file => textsIn(read(FOLDER, file)).map(text => `${file}: ${text}`)), [])
  const view = read('packages/desk/views/page.eta').replace(/<%.*?%>/gs, '\0')
  t.same(shownIn(view), [])
  const styles = filesBelow(`${FOLDER}/styles`).flatMap(file => [...read(FOLDER, 'styles', file).matchAll(/content: "([^"]*)"/g)])
  t.same(styles.map(([, text]) => text!).filter(hasLetter), [])
})

await t.test('every text of the catalogues is used', async t => {
  const source = ['packages/desk/public', 'packages/desk/src', 'packages/desk/views']
    .flatMap(folder => filesBelow(folder).filter(file => !file.endsWith('.json')).map(file => read(folder, file))).join('\n')
  // The keys that are made of parts, such as `problem.${kind}`.
  const made = [...source.matchAll(/`((?:[\w.-]|\$\{(?:[^{}]|\{[^{}]*\})*\})+)`/g)].map(([, parts]) => parts!).filter(parts => /[\w}]\.[\w$]/.test(parts))
    .map(parts => new RegExp(`^${parts.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '[\\w-]+')}$`))
  // as: a catalogue is an object.
  const keys = Object.keys(JSON.parse(read('packages/desk/src/languages/en.json')) as object)
  const isUsed = (key: string) => source.includes(`'${key}'`) || source.includes(`.${key}`) || made.some(pattern => pattern.test(key))
  const unused = keys.filter(key => !isUsed(key))
  t.same(unused, [])
})

await t.test('each kind of problem that a user can meet is translated', async t => {
  // as: a catalogue is an object.
  const texts = JSON.parse(read('packages/desk/src/languages/en.json')) as object
  const kinds = [...read('packages/customer-client/src/problem-messages.ts').matchAll(/'([a-z]+(?:-[a-z]+)+)'/g)].map(([, kind]) => kind!)
  t.ok(kinds.length > 30)
  // Only a faulty client gets these; the desk handles the last four in another way.
  const others = [
    'condition-missing', 'customer-present', 'file-too-long', 'form-malformed', 'idempotency-key-malformed', 'json-malformed',
    'media-type-unsupported', 'not-acceptable', 'path-unknown', 'proof-invalid', 'proof-nonce-missing', 'request-malformed', 'token-bound', 'feed-off', 'position-gone',
    'sign-in-insufficient', 'token-invalid', 'token-missing'
  ]
  t.same(kinds.filter(kind => !(`problem.${kind}` in texts)).sort(), others.sort())
})

await t.test('each reason of a failed sign-in, and each rule of a field, is translated', async t => {
  // as: a catalogue is an object.
  const texts = JSON.parse(read('packages/desk/src/languages/en.json')) as object
  const keysOf = (prefix: string) => Object.keys(texts).filter(key => key.startsWith(prefix)).map(key => key.slice(prefix.length)).sort()
  const signIn = filesBelow('examples/browser-app/public/sign-in').map(file => read('examples/browser-app/public/sign-in', file)).join('\n')
  const [, sentences] = /const sentences = \{(.*?)\n\}/s.exec(signIn)!
  const reasons = [...sentences!.matchAll(/^ {2}(\w+):/gm)].map(([, reason]) => reason!)
  t.same(keysOf('signIn.'), reasons.sort())
  t.same(reasons.filter(reason => !signIn.includes(`'${reason}'`)), [], 'each reason is that of an error')
  const thrown = [...signIn.matchAll(/new SignInError\('(\w+)'/g)].map(([, reason]) => reason!)
  t.ok(thrown.length > 8)
  t.same(thrown.filter(reason => !reasons.includes(reason)), [], 'each error has a sentence')
  const [, rules] = /const RULES = \[([^\]]*)\]/.exec(read('packages/schemas/src/field-error.ts'))!
  t.same(keysOf('rule.'), rules!.match(/\w+/g)!.sort())
})

await t.test('each reason why a file cannot be read, and each kind of change, is translated', async t => {
  // as: a catalogue is an object.
  const keys = Object.keys(JSON.parse(read('packages/desk/src/languages/en.json')) as object)
  const folders = ['packages/service-kit/src/records', 'packages/customer-service/src/customer/import']
  const source = folders.flatMap(folder => filesBelow(folder).map(file => read(folder, file))).join('\n')
  const reasons = [...source.matchAll(/\breason: '([\w-]+)'/g)].map(([, reason]) => reason!)
  t.ok(reasons.length > 20)
  t.same(reasons.filter(reason => !keys.includes(`file.${reason}`)), [])
  t.same(keys.filter(key => key.startsWith('file.') && !source.includes(`'${key.slice('file.'.length)}'`)), [])
  const kinds = [...read('packages/schemas/src/customer-event.ts').matchAll(/^ {2}(\w+): 'customer\./gm)].map(([, kind]) => kind!)
  t.ok(kinds.length > 5)
  t.same(kinds.flatMap(kind => ['you', 'other', 'named'].map(who => `history.${kind}.${who}`)).filter(key => !keys.includes(key)), [])
})
