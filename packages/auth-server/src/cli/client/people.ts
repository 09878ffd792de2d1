import { command } from '@frontdesk/service-kit/cli/command'
import { quote } from '@frontdesk/service-kit/showable'
import { unknownClient } from '../../admin/unknown.js'
import { listUsers } from '../../admin/user-details.js'
import { PAGE, pageNote, pageText } from '../user-page.js'
import { readStores } from '../with-stores.js'

/** `client people`: the users whose account a client has access to, by user name. */
export const listPeople = command('people <client_id>', {
  says: 'List the people who have given an app access. To remove it for one: frontdesk-auth user revoke',
  options: PAGE,
  json: 'the people with all fields except the password',
  run: async ({ clientId, ...query }) => await readStores(async stores => {
    if (await stores.clients.find(clientId) === null) throw await unknownClient(stores, clientId)
    return await listUsers(stores, { ...query, clientId })
  }),
  text: (page, input) => pageText(page, input, `No one has given ${quote(input.clientId)} access.`),
  fields: ({ users }) => users,
  note: (page, input) => pageNote(page, input, `frontdesk-auth client people ${input.clientId}`)
})
