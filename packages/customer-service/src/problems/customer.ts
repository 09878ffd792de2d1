import { define } from './define.js'

/** No customer has that id. */
export const customerUnknown = define('customer-unknown', 404, 'There is no such customer', {
  cause: 'No customer has the identifier in the path or in customerid, or, for PUT, no customer has the name.',
  fix: 'Compare the identifier or the name with the one that was registered. Names match exactly, upper and lower case included.',
  example: 'GET /rest/qa/customer/404\nAuthorization: Bearer a-token'
})

/** The id is taken. */
export const customerExists = define('customer-exists', 409, 'The identifier is taken', {
  cause: 'A customer with this customerid is registered already. Nothing was overwritten, even if the values are the same.',
  fix: 'Choose another customerid, or remove the registered customer first.',
  example: 'POST /rest/qa/customer\nAuthorization: Bearer a-token\nContent-Type: application/x-www-form-urlencoded\n\ncustomerid=1&customername=charitha&customerage=33&customeraddress=piliyandala'
})

/** Several customers have the name. */
export const nameAmbiguous = define('name-ambiguous', 409, 'Several customers have this name', {
  cause: 'A change finds its customer by name, and two or more have this one. Nothing was changed.',
  fix: 'Send the change again with the extra field customerid. The member candidates lists up to ten of them for callers who may read.',
  example: 'PUT /rest/qa/customer\nAuthorization: Bearer a-token\nContent-Type: application/x-www-form-urlencoded\n\ncustomername=charitha&customeraddress=colombo'
})

/** Id and name belong to different customers. */
export const nameDiffers = define('name-differs', 409, 'The customer has another name', {
  cause: 'The customer with this customerid is not called customername, so it is not clear who is meant. Nothing was changed.',
  fix: 'Send the identifier and the name of the same customer.',
  example: 'PUT /rest/qa/customer\nAuthorization: Bearer a-token\nContent-Type: application/x-www-form-urlencoded\n\ncustomerid=1&customername=somebody-else&customeraddress=colombo'
})

/** The customer has changed since. */
export const versionDiffers = define('version-differs', 412, 'The customer has changed', {
  cause: 'If-Match holds no ETag of the customer as it is now. Nothing was changed.',
  fix: 'Read the customer again, and repeat the request with the new ETag, in its quotes.',
  example: 'DELETE /rest/qa/customer/1\nAuthorization: Bearer a-token\nIf-Match: "1-text"'
})

/** A change that does not say what it is made to. */
export const conditionMissing = define('condition-missing', 428, 'If-Match is needed', {
  cause: 'This service is set to change and remove only what the caller has seen: of two who read a customer and then change it, the second would undo what the first did.',
  fix: 'Read the customer, and repeat the request with its ETag, in its quotes, in If-Match. If-Match: * says that any version will do.',
  example: 'DELETE /rest/qa/customer/1\nAuthorization: Bearer a-token'
})

/** A form that cannot be used. */
export const formInvalid = define('form-invalid', 400, 'The form is not valid', {
  cause: 'A field is missing, repeated, misspelt or holds a value that is not allowed. The member errors names each one.',
  fix: 'Correct every field in errors. customerid is 1 to 2147483647, customerage 0 to 150, customername has 1 to 100 characters and customeraddress 1 to 200.',
  example: 'POST /rest/qa/customer\nAuthorization: Bearer a-token\nContent-Type: application/x-www-form-urlencoded\n\nCustomerID=1&customername=charitha&customerage=old'
})

/** A JSON object that cannot be used. */
export const jsonInvalid = define('json-invalid', 400, 'The JSON object is not valid', {
  cause: 'A member is missing, repeated, misspelt, null, of the wrong type or holds a value that is not allowed; or nothing is to be changed. The member errors names each one.',
  fix: 'Correct every member in errors. customerage is a number from 0 to 150, customername a string of 1 to 100 characters and customeraddress one of 1 to 200. customerid is that of the path, or is left out.',
  example: 'PUT /rest/qa/customer/1\nAuthorization: Bearer a-token\nContent-Type: application/json\n\n{"customername":"charitha","customerage":"33","customeraddress":null}'
})

/** A body that is no JSON object. */
export const jsonMalformed = define('json-malformed', 400, 'The JSON cannot be read', {
  cause: 'The body is not JSON in UTF-8, is no object, or has more than 32 members.',
  fix: 'Send one JSON object in UTF-8, without a byte order mark.',
  example: 'PATCH /rest/qa/customer/1\nAuthorization: Bearer a-token\nContent-Type: application/merge-patch+json\n\n[{"customeraddress":"colombo"}]'
})

/** A body that is no form. */
export const formMalformed = define('form-malformed', 400, 'The form cannot be read', {
  cause: 'The body has a % that two hexadecimal digits do not follow, bytes that are not UTF-8, or more than 32 fields.',
  fix: 'Encode the fields as application/x-www-form-urlencoded in UTF-8, as URLSearchParams does.',
  example: 'PUT /rest/qa/customer\nAuthorization: Bearer a-token\nContent-Type: application/x-www-form-urlencoded\n\ncustomername=%FF&customeraddress=colombo'
})
