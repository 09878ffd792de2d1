/** What an import does with customers that exist, and how it finds them. */
export type ImportRule = { readonly mode: 'create', readonly match: 'number' } |
  { readonly mode: 'update' | 'upsert', readonly match: 'number' | 'name' }
