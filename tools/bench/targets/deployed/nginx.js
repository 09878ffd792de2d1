import { writeFileSync } from 'node:fs'
import { authorizationLoads } from '../../services/authorization-loads.js'
import { customerLoads } from '../../services/customer-loads.js'
import { CALLBACK } from '../../services/registrations.js'

const CONFIG = port => `daemon off; worker_processes 1; pid nginx.pid; error_log stderr;
events { worker_connections 1024; }
http {
  access_log off; keepalive_requests 100000000;
  server {
    listen 127.0.0.1:${port};
    location = / { return 200; }
    location = /authorize { return 302 ${CALLBACK}; }
    location /rest/qa/customer/ { default_type text/plain; return 200 'Customer 1'; }
  }
}
`

/** nginx with constant responses, one worker, without a log. */
export default {
  group: 'limit',
  database: 'none',
  packages: ['nginx'],
  prepare: async ({ dir, port }) => writeFileSync(`${dir}/nginx.conf`, CONFIG(port)),
  start: ({ dir }) => ({ file: '/usr/sbin/nginx', args: ['-p', dir, '-c', 'nginx.conf', '-e', 'stderr'] }),
  workloads: { authorize: authorizationLoads.authorize, get: customerLoads.get }
}
