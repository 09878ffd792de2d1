import { app, appActions } from './app.js'
import { appImplicit, setImplicitAction } from './app-implicit.js'
import { addApp, addAppAction, apps } from './apps.js'
import { audit, auditExports, event } from './audit.js'
import { chosenActions } from './chosen-people.js'
import type { ConsoleAction, ConsoleDownload, ConsolePage } from './define.js'
import { editApp, editAppAction } from './edit-app.js'
import { health, testMail } from './health.js'
import { implicit } from './implicit.js'
import { importPeople, importPeopleAction } from './import-people.js'
import { keyActions, keys } from './keys.js'
import { setLogo } from './logo.js'
import { invite, inviteUserAction, people } from './people.js'
import { person, personActions, userData } from './person.js'
import { roleActions, roles } from './roles.js'
import { setUp } from './set-up.js'
import { signUpCodeActions, signUpCodes } from './sign-up-codes.js'
import { start } from './start.js'

/** The pages of the console. */
export const pages: readonly ConsolePage[] = [
  start, people, invite, importPeople, signUpCodes, person, apps, addApp, app, setUp, editApp, implicit, appImplicit, roles,
  audit, event, keys, health
]

/** The files that people download from it. */
export const downloads: readonly ConsoleDownload[] = [userData, ...auditExports]

/** The forms of the console, with the rights that they need. */
export const actions: readonly ConsoleAction[] = [
  inviteUserAction, importPeopleAction, ...chosenActions, ...signUpCodeActions, ...personActions, addAppAction, editAppAction, setLogo,
  setImplicitAction, ...appActions, ...roleActions, ...keyActions, testMail
]
