import * as access from './access.js'
import * as customer from './customer.js'
import type { Kind } from './define.js'
import * as feed from './feed.js'
import * as file from './import.js'
import * as operation from './operation.js'
import * as request from './request.js'
import * as service from './service.js'

/** Every kind of problem, in the order of the pages: by status, then by title. */
export const kinds: Kind[] = [request, access, customer, file, operation, feed, service]
  .flatMap(makers => Object.values(makers).map(({ kind }) => kind))
  .sort((one, other) => one.status - other.status || (one.title < other.title ? -1 : 1))
