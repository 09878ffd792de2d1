import { ListedCustomer } from '@frontdesk/schemas/customer-page'
import { Type, type Static } from '@sinclair/typebox'
import { similarities } from '../stores/duplicates/find-pairs.js'

const DuplicatePair = Type.Object({
  customers: Type.Array(ListedCustomer, { minItems: 2, maxItems: 2, description: 'Two customers.' }),
  similar: Type.Array(Type.String({ enum: [...similarities] }), { description: 'What they have in common besides the name.' })
})
export type DuplicatePair = Static<typeof DuplicatePair>

/** One page of possible duplicates, as `GET /rest/qa/customer/duplicates` returns it. */
export const DuplicatesPage = Type.Object({
  items: Type.Array(DuplicatePair, { description: 'Can be fewer than `limit`, or empty, even if there is a `next`.' }),
  next: Type.Optional(Type.String({ description: 'The next page\'s `cursor`. Absent on the last page.' }))
})
export type DuplicatesPage = Static<typeof DuplicatesPage>
