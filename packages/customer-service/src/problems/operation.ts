import { define } from './define.js'

export const operationUnknown = define('operation-unknown', 404, 'Operation not found', {
  cause: 'No operation has this id, or it was removed: operations are kept as long as the history.',
  fix: 'Use an id from GET /rest/qa/customer/operations, or from the report of an import.',
  example: 'POST /rest/qa/customer/operations/pcQZ7PElmXHyIbXrG5gSAg/undo\nAuthorization: Bearer a-token'
})

export const operationUndone = define('operation-undone', 409, 'The operation was undone', {
  cause: 'Someone undid this operation, such as an import, while it was running or before it was continued. What it had changed was undone, and it changes nothing more.',
  fix: 'To import the file again, send it with a new Idempotency-Key.',
  example: 'POST /rest/qa/customer/import\nAuthorization: Bearer a-token\nContent-Type: text/csv\nIdempotency-Key: "a-key-of-an-undone-import"\n\nnumber,name,age,address\n5,charitha,33,piliyandala'
})
