const standIn = new URL('tap.js', import.meta.url).href

/**
 * Resolves `tap` to a collector of tests, and imports of a module's copy to copies, except for packages and generated code, which
 * have no mutants.
 */
export async function resolve (specifier, context, next) {
  if (specifier === 'tap' && context.parentURL.includes('/dist/test/')) return { url: standIn, shortCircuit: true }
  const resolved = await next(specifier, context)
  const copy = /\?copy=\w+$/.exec(context.parentURL ?? '')
  const isOwn = resolved.url.includes('/dist/') && !/\/(node_modules|generated)\//.test(resolved.url)
  return copy && isOwn ? { ...resolved, url: `${resolved.url}${copy}` } : resolved
}
