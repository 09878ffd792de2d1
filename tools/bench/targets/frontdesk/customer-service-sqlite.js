import { customerService } from '../../services/customer-service.js'

/** customer-service on SQLite, settings of production: FULL, one durable commit before each answer. */
export default customerService('sqlite')
