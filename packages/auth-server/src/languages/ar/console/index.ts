import { app } from './app.js'
import { apps } from './apps.js'
import { codes } from './codes.js'
import { fields } from './fields.js'
import { frame } from './frame.js'
import { implicit } from './implicit.js'
import { operation } from './operation.js'
import { people } from './people.js'
import { person } from './person.js'
import { start } from './start.js'

/** The sentences of the console in Arabic. */
export const console = {
  ...app,
  ...apps,
  ...codes,
  ...fields,
  ...frame,
  ...implicit,
  ...operation,
  ...people,
  ...person,
  ...start
}
