// An ESLint rule. ESLint's max-lines-per-function counts nested functions, too, and would forbid a plugin with a few handlers.

/** Maximum lines of a function, without nested functions. */
const MAX_LINES = 60
/** Maximum lines of a handler's body: it parses, makes one call, replies. */
const MAX_HANDLER_LINES = 15

const ROUTE_METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** @type {import('eslint').Rule.RuleModule} */
export const functionSize = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      long: 'This function has {{ lines }} lines of its own. Maximum allowed is {{ max }}.',
      handler: 'This handler has {{ lines }} lines. Maximum allowed is {{ max }}.'
    }
  },
  create (context) {
    /** Lines of nested functions, for each function around the current node. */
    const inside = []
    const report = (node, messageId, lines, max) => { if (lines > max) context.report({ node, messageId, data: { lines, max } }) }
    return {
      ':function' () { inside.push(0) },
      ':function:exit' (node) {
        const lines = linesOf(node)
        report(node, 'long', lines - inside.pop(), MAX_LINES)
        if (inside.length > 0) inside[inside.length - 1] += lines - 1
        if (isHandler(node)) report(node, 'handler', linesOf(node.body) - (node.body.type === 'BlockStatement' ? 2 : 0), MAX_HANDLER_LINES)
      }
    }
  }
}

function linesOf ({ loc: { start, end } }) {
  return end.line - start.line + 1
}

/** Whether a function is the last argument of `fastify.get(path, options, handler)` or a similar call. */
function isHandler (node) {
  const { parent } = node
  return parent.type === 'CallExpression' && parent.arguments.length > 1 && parent.arguments.at(-1) === node &&
    parent.callee.type === 'MemberExpression' && ROUTE_METHODS.includes(parent.callee.property.name)
}
