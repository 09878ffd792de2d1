import { define } from './define.js'

export const operationUndone = define('operation-undone', 409, 'The operation was undone', {
  cause: 'Someone undid this operation, such as an import, while it was running or before it was continued. What it had changed was undone, and it changes nothing more.',
  fix: 'To import the file again, send it with a new Idempotency-Key.',
  example: 'POST /rest/qa/customer/import\nAuthorization: Bearer a-token\nContent-Type: text/csv\nIdempotency-Key: "a-key-of-an-undone-import"\n\nnumber,name,age,address\n5,charitha,33,piliyandala'
})
