import { define } from './define.js'

export const customerUnknown = define('customer-unknown', 404, 'Customer not found', {
  cause: 'No customer has the identifier in the path or in customerid or, for PUT by name, the name.',
  fix: 'Check the identifier or the name. Names match exactly and are case-sensitive.',
  example: 'GET /rest/qa/customer/404\nAuthorization: Bearer a-token'
})

export const customerMerged = define('customer-merged', 410, 'The customer was merged into another one', {
  cause: 'Someone merged this customer into another one, as both were the same person. The number can be registered again, for another customer.',
  fix: 'Use the customer in successor, whose address is in the header Link. Replace the number where you store it.',
  example: 'GET /rest/qa/customer/7\nAuthorization: Bearer a-token'
})

export const customerExists = define('customer-exists', 409, 'The identifier is already in use', {
  cause: 'A customer with this customerid already exists. Nothing was overwritten, even if the values are the same.',
  fix: 'Choose another customerid, or remove the existing customer first. To retry a POST safely, send an Idempotency-Key.',
  example: 'POST /rest/qa/customer\nAuthorization: Bearer a-token\nContent-Type: application/x-www-form-urlencoded\n\ncustomerid=1&customername=charitha&customerage=33&customeraddress=piliyandala'
})

export const nameAmbiguous = define('name-ambiguous', 409, 'Several customers have this name', {
  cause: 'PUT selects a customer by name, and two or more customers have this name. Nothing was changed.',
  fix: 'Repeat the request with the additional field customerid. If the token has customer:read, candidates lists up to ten of these customers.',
  example: 'PUT /rest/qa/customer\nAuthorization: Bearer a-token\nContent-Type: application/x-www-form-urlencoded\n\ncustomername=charitha&customeraddress=colombo'
})

export const nameDiffers = define('name-differs', 409, 'The customer has another name', {
  cause: 'The customer with this customerid has another name, so it is ambiguous which customer is meant. Nothing was changed.',
  fix: 'Send the identifier and the name of the same customer.',
  example: 'PUT /rest/qa/customer\nAuthorization: Bearer a-token\nContent-Type: application/x-www-form-urlencoded\n\ncustomerid=1&customername=someone-else&customeraddress=colombo'
})

export const versionDiffers = define('version-differs', 412, 'The customer has changed', {
  cause: 'If-Match does not contain the current ETag of the customer. Nothing was changed.',
  fix: 'Read the customer again, and repeat the request with the new ETag, in its quotes.',
  example: 'DELETE /rest/qa/customer/1\nAuthorization: Bearer a-token\nIf-Match: "1-text"'
})

export const customerPresent = define('customer-present', 412, 'The customer already exists', {
  cause: 'PUT with If-None-Match: * only adds a customer, and there is one with this identifier. Nothing was changed.',
  fix: 'Choose another identifier. To change the existing customer, read it, and send its ETag in If-Match instead.',
  example: 'PUT /rest/qa/customer/1\nAuthorization: Bearer a-token\nIf-None-Match: *\nContent-Type: application/json\n\n{"customername":"charitha","customerage":33,"customeraddress":"piliyandala"}'
})

export const conditionMissing = define('condition-missing', 428, 'If-Match is required', {
  cause: 'This service requires If-Match for each change of one customer, to prevent lost updates: if two clients read a customer and then change it, the second would overwrite the first one\'s change.',
  fix: 'Read the customer, and repeat the request with its ETag, in its quotes, in If-Match. If-Match: * matches any version.',
  example: 'DELETE /rest/qa/customer/1\nAuthorization: Bearer a-token'
})

export const formInvalid = define('form-invalid', 400, 'The form is not valid', {
  cause: 'A field is missing, repeated, misspelled or has a value that is not allowed. errors names each one.',
  fix: 'Correct every field in errors. customerid and customerage are whole numbers from -2147483648 to 2147483647, customername has up to 100 characters and customeraddress up to 200.',
  example: 'POST /rest/qa/customer\nAuthorization: Bearer a-token\nContent-Type: application/x-www-form-urlencoded\n\nCustomerID=1&customername=charitha&customerage=old'
})

export const jsonInvalid = define('json-invalid', 400, 'The JSON object is not valid', {
  cause: 'A member is missing, repeated, misspelled, null, of the wrong type or has a value that is not allowed; or there is nothing to change. errors names each one.',
  fix: 'Correct every member in errors. customerage is a whole number from -2147483648 to 2147483647, customername a string of up to 100 characters and customeraddress one of up to 200. customerid must match the path, or be omitted.',
  example: 'PUT /rest/qa/customer/1\nAuthorization: Bearer a-token\nContent-Type: application/json\n\n{"customername":"charitha","customerage":"33","customeraddress":null}'
})

export const jsonMalformed = define('json-malformed', 400, 'The JSON cannot be read', {
  cause: 'The body is not JSON in UTF-8, is not an object, or has more than 32 members.',
  fix: 'Send one JSON object in UTF-8.',
  example: 'PATCH /rest/qa/customer/1\nAuthorization: Bearer a-token\nContent-Type: application/merge-patch+json\n\n[{"customeraddress":"colombo"}]'
})

export const formMalformed = define('form-malformed', 400, 'The form cannot be read', {
  cause: 'The body has a % without two hexadecimal digits after it, bytes that are not UTF-8, or more than 32 fields.',
  fix: 'Encode the fields as application/x-www-form-urlencoded in UTF-8, as URLSearchParams does.',
  example: 'PUT /rest/qa/customer\nAuthorization: Bearer a-token\nContent-Type: application/x-www-form-urlencoded\n\ncustomername=%FF&customeraddress=colombo'
})
