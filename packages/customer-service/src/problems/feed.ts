import { define } from './define.js'

export const feedOff = define('feed-off', 404, 'The change feed is off', {
  cause: 'The operator has turned the change feed off: FEED_DAYS is 0.',
  fix: 'Poll the list of customers with updated_since, or ask the operator to set FEED_DAYS.',
  example: 'GET /rest/qa/customer/events\nAuthorization: Bearer a-token'
})

export const positionGone = define('position-gone', 410, 'Events after this position are missing', {
  cause: 'Events after this position were removed, because they are kept for a limited time (FEED_DAYS). Or the database was restored from a backup, or a lagging standby took over.',
  fix: 'Store this problem\'s next. Then list all customers, and continue with the events after next.',
  example: 'GET /rest/qa/customer/events?after=4711-8f3a9c21d04e\nAuthorization: Bearer a-token'
})
