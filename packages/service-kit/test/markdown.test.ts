import t from 'tap'
import { codeBlock, escapeMarkdown, renderLinks, splitMarkdownName } from '../src/pages/markdown.js'

t.test('plain text is no markup in Markdown', async t => {
  t.equal(
    escapeMarkdown('Send <token>, `a`, *b* and [c](d) with client_id'),
    'Send \\<token>, \\`a\\`, \\*b\\* and \\[c\\](d) with client_id'
  )
})

t.test('a block of code keeps its lines', async t => {
  t.equal(codeBlock('a\n  b\n', 'sh'), '```sh\na\n  b\n```')
})

t.test('a list of links', async t => {
  const links = [{ text: 'Problems', url: '/problems.md', description: 'each kind' }]
  t.equal(renderLinks({ title: 'Register', summary: 'An API.', links }), '# Register\n\n> An API.\n\n## Documentation\n\n- [Problems](/problems.md): each kind\n')
})

t.test('only the end of a name makes a page Markdown', async t => {
  t.same(splitMarkdownName('token-missing.md'), { name: 'token-missing', isMarkdown: true })
  t.same(splitMarkdownName('a.md.b'), { name: 'a.md.b', isMarkdown: false })
})
