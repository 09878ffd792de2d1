import { clients } from './clients.js'
import { forms } from './forms.js'
import { imports } from './imports.js'
import { mail } from './mail.js'
import { operation } from './operation.js'
import { people } from './people.js'

/** What rules, checks and imports say in English: see `reason`. */
export const reasons = {
  ...clients,
  ...forms,
  ...imports,
  ...mail,
  ...operation,
  ...people
}
