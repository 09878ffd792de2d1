import { customerService } from '../../services/customer-service.js'

/** customer-service on PostgreSQL, with production settings. */
export default customerService('postgresql')
