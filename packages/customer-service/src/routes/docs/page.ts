import { Type } from '@sinclair/typebox'

/** Schema of the response of a route with a page. @param types its media types */
export function page (...types: string[]) {
  return { 200: { description: 'A page.', content: Object.fromEntries(types.map(type => [type, { schema: Type.String() }])) } }
}
