import * as access from './access.js'
import * as customer from './customer.js'
import type { Kind } from './define.js'
import * as request from './request.js'
import * as service from './service.js'

/** Every kind of problem, in the order of the pages. */
export const kinds: Kind[] = [request, access, customer, service].flatMap(makers => Object.values(makers).map(({ kind }) => kind))
