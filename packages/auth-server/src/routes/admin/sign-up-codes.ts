import { Type } from '@sinclair/typebox'
import { addSignUpCode, listSignUpCodes, MAX_DAYS, MAX_USES, removeSignUpCode } from '../../admin/sign-up-codes.js'
import { endpoint, orNull, strict, Time, type Endpoint } from './endpoint.js'

const Code = Type.Object({
  id: Type.String(),
  label: Type.String(),
  usesLeft: Type.Integer({ description: 'How many people can still sign up with it: 0 while its creator cannot create codes.' }),
  role: orNull(Type.String({ description: 'Role that these people get.' })),
  createdAt: Time,
  expiresAt: Time
}, { title: 'SignUpCode' })

const ListedCode = Type.Intersect([Code, Type.Object({
  createdBy: orNull(Type.String({ description: 'User name, or id of the client, that created it. `null`: the command line.' }))
})])

/** `/sign-up-codes`. */
export const signUpCodes: readonly Endpoint[] = [
  endpoint('listSignUpCodes', 'GET /sign-up-codes', {
    says: 'List the invitation codes, newest first', right: 'read', answer: Type.Object({ items: Type.Array(ListedCode) })
  }, async stores => ({ items: [...await listSignUpCodes(stores)] })),

  endpoint('addSignUpCode', 'POST /sign-up-codes', {
    says: 'Create an invitation code, with which people can create an account',
    right: 'manage',
    isSensitive: true,
    body: Type.Object({
      label: Type.String({ description: 'What it is called in lists.' }),
      uses: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_USES, description: 'How many people can use it. Default: 1.' })),
      days: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_DAYS, description: 'How many days it is valid. Default: 7.' })),
      role: Type.Optional(Type.String({ description: 'Role that these people get; none that is built in.' }))
    }, strict),
    answer: Type.Intersect([Code, Type.Object({ code: Type.String({ description: 'The code. Only this response contains it.' }) })]),
    status: 201
  }, async (stores, { body: { uses = 1, days = 7, ...others }, by }) => await addSignUpCode(stores, { uses, days, ...others }, by)),

  endpoint('removeSignUpCode', 'DELETE /sign-up-codes/:id', {
    says: 'Remove an invitation code; people who signed up with it stay', right: 'manage'
  }, async (stores, { params, by }) => { await removeSignUpCode(stores, params.id, by) })
]
