import { define } from './define.js'

const request = (query: string, body: string) =>
  `POST /rest/qa/customer/import${query}\nAuthorization: Bearer a-token\nContent-Type: text/csv\n\n${body}`

export const fileUnreadable = define('file-unreadable', 400, 'The file cannot be read', {
  cause: 'The file is of another kind, such as a PDF, or damaged, its characters, quotes or brackets are wrong, or its first line is missing a column. detail has the line, and fault the reason for programs.',
  fix: 'Correct the line and send the file again. report has what was imported before that line: nothing with all_or_nothing=true or in a dry run.',
  example: request('', 'number,name\n1,charitha')
})

export const fileTooLong = define('file-too-long', 413, 'The file has too many records for all-or-nothing', {
  cause: 'With all_or_nothing=true, all records are registered in one transaction, of at most 2000 records. Nothing was registered.',
  fix: 'Import the file without all_or_nothing, after a dry run, or in parts of at most 2000 records.',
  example: request('?all_or_nothing=true', 'number,name,age,address\n1,charitha,33,piliyandala\n… and 2000 more')
})
