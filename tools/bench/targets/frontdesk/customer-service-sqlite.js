import { customerService } from '../../services/customer-service.js'

/** customer-service on SQLite, with production settings: FULL, a durable commit before each response. */
export default customerService('sqlite')
